import { tapeToRecord, tapeToReplay } from '../../core/cases/toml/kind';
import type { LlmSpec, ProviderSpec } from '../../core/model/case';
import type { RequestedMode } from '../../core/model/run';
import { UserError } from '../project/userError';
import type { ProxyMode } from '../proxy/session';

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
