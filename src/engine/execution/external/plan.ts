import { tapeToRecord, tapeToReplay } from '../../../core/cases/toml/kind';
import type { Case, ExternalAgent, LlmSpec, ProviderSpec } from '../../../core/model/case';
import type { RequestedMode } from '../../../core/model/run';
import { UserError } from '../../errors/userError';
import { MODEL_APIS } from '../../proxy/apis';
import type { ProxyMode } from '../../proxy/session';

/** How a run of the user's own agent uses its tape. */
export interface ExternalPlan {
  readonly mode: RequestedMode;
  /** As the case writes it. */
  readonly tape: string;
  readonly proxyMode: ProxyMode;
  /** Responses of upstreams are saved to the tape. */
  readonly saves: boolean;
}

/** Throws a `UserError` when the case names no tape. */
export function planExternalRun(llm: LlmSpec, mode: RequestedMode): ExternalPlan {
  const tape = mode === 'replay' ? tapeToReplay(llm) : tapeToRecord(llm);
  if (tape === undefined) {
    const fix = 'Add tape = "NAME.tape.jsonl" under [llm].';
    throw new UserError('the agent of this case has no tape to record to or replay from', fix);
  }
  if (mode !== 'replay') return { mode, tape, proxyMode: 'record', saves: mode === 'record' };
  const onMiss = llm.replay?.onMiss ?? 'fail';
  return { mode, tape, proxyMode: onMiss === 'fail' ? 'replay' : 'auto', saves: onMiss === 'record' };
}

/** The addresses that the provider of the case or the project gives, by API. */
export function upstreamsOf(provider: ProviderSpec | undefined): Readonly<Record<string, string>> {
  if (provider?.baseUrl === undefined) return {};
  return { [provider.kind === 'ollama' ? 'ollama' : 'openai']: provider.baseUrl };
}

/** The environment of the user's own agent, without the proxy's variables. `env` has keys that this process may not have. */
export function agentEnvironment(
  testCase: Case,
  agent: ExternalAgent,
  env: (name: string) => string | undefined,
): Record<string, string | undefined> {
  const { ELECTRON_RUN_AS_NODE: _, ...inherited } = process.env;
  const keys = MODEL_APIS.flatMap(({ keyVariables }) => keyVariables).map(
    (variable) => [variable, env(variable)] as const,
  );
  return {
    ...inherited,
    ...Object.fromEntries(keys),
    ...(agent.kind === 'program' ? agent.environment : {}),
    TAPEDECK_PROMPT: testCase.prompt,
    ...runVariables(testCase),
  };
}

/** The variables that describe the run, for a program and for a service. */
export function runVariables({ name, agent: { clock } }: Case): Record<string, string> {
  return { TAPEDECK_CASE: name, ...(clock === undefined ? {} : clockVariables(clock)) };
}

/** `SOURCE_DATE_EPOCH` is the convention of build tools (reproducible-builds.org), in seconds. */
function clockVariables(clock: string): Record<string, string> {
  return { TAPEDECK_NOW: clock, SOURCE_DATE_EPOCH: String(Math.floor(Date.parse(clock) / 1000)) };
}
