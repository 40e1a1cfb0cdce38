import { tapeToRecord, tapeToReplay } from '../../../core/cases/toml/kind';
import type { AgentProgram, Case, LlmSpec, ProviderSpec } from '../../../core/model/case';
import type { RequestedMode } from '../../../core/model/run';
import type { ProjectConfig } from '../../../core/project/projectConfig';
import { t } from '../../../core/text/l10n';
import { UserError } from '../../errors/userError';
import { parseHttpUrl } from '../../network/hosts';
import type { KeyRing } from '../../network/keyRing';
import { isSecretName, KNOWN_KEYS, STAND_IN_KEY } from '../../network/knownKeys';
import { basicEnvironment } from '../../process/basicEnvironment';
import type { UpstreamChoices, Upstreams } from '../../proxy/routes/upstreams';
import type { ProxyMode } from '../../proxy/session/sessionOptions';
import type { ExecuteOptions } from '../runnableCase';

/** How a run of the user's own agent uses its tape. */
export interface ExternalPlan {
  readonly mode: RequestedMode;
  /** As the case writes it. */
  readonly tape: string;
  readonly proxyMode: ProxyMode;
  /** Responses of upstreams are saved to the tape. */
  readonly saves: boolean;
  /** In a recording: what the case does with requests that are not on its tape. */
  readonly onMiss?: 'record' | 'passthrough';
}

/** Throws a `UserError` when the case names no tape. */
export function planExternalRun(llm: LlmSpec, mode: RequestedMode): ExternalPlan {
  const tape = mode === 'replay' ? tapeToReplay(llm) : tapeToRecord(llm);
  if (tape === undefined) {
    const fix = () => t('Add tape = "NAME.tape.jsonl" under [llm].');
    throw new UserError(() => t('the agent of this case has no tape to record to or replay from'), fix);
  }
  if (mode !== 'record') return { mode, tape, proxyMode: mode === 'replay' ? 'replay' : 'record', saves: false };
  const { onMiss = 'fail' } = llm.replay ?? {};
  return { mode, tape, proxyMode: 'record', saves: true, ...(onMiss !== 'fail' && { onMiss }) };
}

/** The plan where there is a tape: the `on_miss` of the case keeps it, unless all of it is to be recorded. */
export function planWithTape(
  plan: ExternalPlan,
  { from, aside }: Pick<ExecuteOptions, 'from' | 'aside'>,
): ExternalPlan {
  if (plan.onMiss === undefined || from !== undefined || aside !== undefined) return plan;
  return { ...plan, proxyMode: 'auto', saves: plan.onMiss === 'record' };
}

/** The addresses that the provider of the case or of the project gives, by who gives them. */
export function upstreamChoices(testCase: Case, config: ProjectConfig): UpstreamChoices {
  const own = testCase.llm.provider;
  return own === undefined ? { project: upstreamsOf(config.provider) } : { case: upstreamsOf(own) };
}

function upstreamsOf(provider: ProviderSpec | undefined): Readonly<Record<string, string>> {
  if (provider?.baseUrl === undefined) return {};
  return { [provider.kind === 'ollama' ? 'ollama' : 'openai']: provider.baseUrl };
}

/** The variables of the user's environment, with keys that this process may not have. They are kept off the tape. */
export function userEnvironment(keys: KeyRing): Record<string, string | undefined> {
  return { ...process.env, ...Object.fromEntries(KNOWN_KEYS.map((name) => [name, keys.listedVariable(name)])) };
}

interface AgentEnvironment {
  readonly testCase: Case;
  readonly agent: AgentProgram;
  readonly mode: RequestedMode;
  readonly config: ProjectConfig;
  readonly upstreams: Upstreams;
  readonly keys: KeyRing;
}

/**
 * The environment of the user's own agent, without the proxy's variables: what programs need to run at all, what the case
 * and the project list, and in a recording the keys of its upstreams. Rejects with a `UserError` for a key that may not go
 * to its upstream.
 */
export async function agentEnvironment(run: AgentEnvironment): Promise<Record<string, string | undefined>> {
  const { testCase, agent, mode, config, keys } = run;
  const names = [...(config.passedVariables ?? []), ...(agent.passedVariables ?? [])];
  return {
    ...basicEnvironment(process.env),
    ...(mode === 'replay' ? {} : await upstreamKeys(run)),
    ...listedVariables(names, mode, keys),
    ...agent.environment,
    TAPEDECK_PROMPT: testCase.prompt,
    ...runVariables(testCase),
  };
}

/** The variables that files of the project list for programs on this machine; in a replay, stand-ins for secret ones. */
export function listedVariables(
  names: readonly string[],
  mode: RequestedMode,
  keys: KeyRing,
): Record<string, string | undefined> {
  return Object.fromEntries(names.map((name) => [name, listedValue(name, mode, keys)]));
}

function listedValue(name: string, mode: RequestedMode, keys: KeyRing): string | undefined {
  const value = keys.listedVariable(name);
  return value !== undefined && mode === 'replay' && isSecretName(name) ? STAND_IN_KEY : value;
}

async function upstreamKeys({ testCase, upstreams, keys }: AgentEnvironment): Promise<Record<string, string>> {
  const found: Record<string, string> = {};
  const add = async (variable: string, address: URL): Promise<void> => {
    const key = await keys.keyFor(variable, address);
    if (key !== undefined) found[variable] = key;
  };
  for (const { address, keyVariables } of upstreams.values())
    if (address !== undefined) for (const variable of keyVariables) await add(variable, address);
  const { provider } = testCase.llm;
  const address = parseHttpUrl(provider?.baseUrl ?? '');
  if (provider?.apiKeyEnv !== undefined && address !== undefined) await add(provider.apiKeyEnv, address);
  return found;
}

/** The variables that describe the run, for a program and for a service. */
export function runVariables({ name, agent: { clock } }: Case): Record<string, string> {
  return { TAPEDECK_CASE: name, ...(clock === undefined ? {} : clockVariables(clock)) };
}

/** `SOURCE_DATE_EPOCH` is the convention of build tools (reproducible-builds.org), in seconds. */
function clockVariables(clock: string): Record<string, string> {
  return { TAPEDECK_NOW: clock, SOURCE_DATE_EPOCH: String(Math.floor(Date.parse(clock) / 1000)) };
}
