import type { EngineApi } from '../../contracts/engine/engine';
import { shownRun, shownTrial } from '../../core/runs/shownRun';

type Shown = { readonly [M in keyof EngineApi]?: (result: Awaited<ReturnType<EngineApi[M]>>) => unknown };

/**
 * The calls whose texts are stored in files, or read by agents and models: these texts are made in English. The editor gets what they say
 * in its language.
 */
const KEPT: Shown = {
  run: (results) => results.map(shownRun),
  fork: (fork) => fork,
  trial: shownTrial,
  adoptTrial: (result) => result,
  openSession: (result) => result,
  releaseHeld: () => undefined,
  closeSession: (closed) => closed,
};
/** Read by a model, errors included. */
const TOLD_TO_MODELS = 'callTool';
/** Read from files that others of these calls wrote. */
const READ: Shown = { storedTrial: (trial) => trial && shownTrial(trial) };

type CallLanguage = 'english' | 'kept' | 'shown';

export function languageOfCall(call: string): CallLanguage {
  if (call === TOLD_TO_MODELS) return 'english';
  return Object.hasOwn(KEPT, call) ? 'kept' : 'shown';
}

/** The result of a call in the language of the editor. */
export function shownResult(call: string, result: unknown): unknown {
  const shown: Readonly<Record<string, ((result: never) => unknown) | undefined>> = { ...KEPT, ...READ };
  return shown[call]?.(result as never) ?? result;
}
