import { tapeToRecord, tapeToReplay } from '../../../core/cases/toml/kind';
import type { Case, ExternalAgent, LlmSpec, ProviderSpec } from '../../../core/model/case';
import type { RequestedMode } from '../../../core/model/run';
import { UserError } from '../../errors/userError';
import { MODEL_APIS } from '../../proxy/apis';
import type { ProxyMode } from '../../proxy/session';

/** What a run of the user's own agent does with its tape. */
export interface ExternalPlan {
  readonly mode: RequestedMode;
  /** As the case writes it. */
  readonly tape: string;
  readonly proxyMode: ProxyMode;
  /** What upstreams answer goes onto the tape. */
  readonly saves: boolean;
}

/** Throws a `UserError` when the case names no tape. */
export function planExternalRun(llm: LlmSpec, mode: RequestedMode): ExternalPlan {
  const tape = mode === 'replay' ? tapeToReplay(llm) : tapeToRecord(llm);
  if (tape === undefined) {
    const fix = 'Add tape = "NAME.tape.jsonl" under [llm].';
    throw new UserError('the agent of this case has no tape to be recorded on or replayed from', fix);
  }
  if (mode !== 'replay') return { mode, tape, proxyMode: 'record', saves: mode === 'record' };
  const onMiss = llm.replay?.onMiss ?? 'fail';
  return { mode, tape, proxyMode: onMiss === 'fail' ? 'replay' : 'auto', saves: onMiss === 'record' };
}

/** Where the agent's requests go, where the case or the project says so. */
export function upstreamsOf(provider: ProviderSpec | undefined): Readonly<Record<string, string>> {
  if (provider?.baseUrl === undefined) return {};
  return { [provider.kind === 'ollama' ? 'ollama' : 'openai']: provider.baseUrl };
}

/** The environment of the user's own agent, without what leads it to the proxy. Keys may come from elsewhere than ours. */
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

/** What an agent is told of its run, however it is asked. */
export function runVariables({ name, agent: { clock } }: Case): Record<string, string> {
  return { TAPEDECK_CASE: name, ...(clock === undefined ? {} : clockVariables(clock)) };
}

/** `SOURCE_DATE_EPOCH` is what build tools agreed on, in seconds. */
function clockVariables(clock: string): Record<string, string> {
  return { TAPEDECK_NOW: clock, SOURCE_DATE_EPOCH: String(Math.floor(Date.parse(clock) / 1000)) };
}
