import type { EngineApi, RunEvent } from '../../contracts/engine/engine';
import type { HeldEvent } from '../../contracts/engine/sessionEvents';
import { translatedRun } from '../../core/results/translatedRun';
import { translated } from '../../core/text/translated';

type Results = { readonly [M in keyof EngineApi]?: (result: Awaited<ReturnType<EngineApi[M]>>) => unknown };

/**
 * The calls whose texts are stored in files, or read by agents and models: these texts are made in English. The editor gets them in
 * its language.
 */
const KEPT: Results = {
  run: (results) => results.map(translatedRun),
  fork: (fork) => ({
    ...fork,
    failures: fork.failures.map(translated),
    ...(fork.replays !== undefined && { replays: translated(fork.replays) }),
  }),
  trial: translatedTrial,
  adoptTrial: (result) => ({
    ...result,
    refused: result.refused.map((one) => ({ ...one, reason: translated(one.reason) })),
  }),
  openSession: (result) => result,
  releaseHeld: () => undefined,
  closeSession: (closed) => ({ ...closed, tally: translated(closed.tally), notes: closed.notes.map(translated) }),
};
/** Read by a model, errors included. */
const TOLD_TO_MODELS = 'callTool';
/** Read from files that others of these calls wrote. */
const READ: Results = { keptTrial: (trial) => trial && translatedTrial(trial) };

export type HowTold = 'english' | 'kept' | 'shown';

export function howTold(call: string): HowTold {
  if (call === TOLD_TO_MODELS) return 'english';
  return Object.hasOwn(KEPT, call) ? 'kept' : 'shown';
}

/** The result of a call in the language of the editor. */
export function shownResult(call: string, result: unknown): unknown {
  const shown: Readonly<Record<string, ((result: never) => unknown) | undefined>> = { ...KEPT, ...READ };
  return shown[call]?.(result as never) ?? result;
}

export function shownRunEvent(event: RunEvent): RunEvent {
  if (event.type === 'interaction') return { ...event, summary: translated(event.summary) };
  return event.type === 'finished' ? { ...event, result: translatedRun(event.result) } : event;
}

export function shownHeld({ session, held }: HeldEvent): HeldEvent {
  const shown = held.map((one) => ({
    ...one,
    headline: translated(one.headline),
    explanation: translated(one.explanation),
  }));
  return { session, held: shown };
}

function translatedTrial<T extends Awaited<ReturnType<EngineApi['trial']>>>(trial: T): T {
  const cases = trial.cases.map((one) =>
    one.refusal === undefined ? one : { ...one, refusal: translated(one.refusal) },
  );
  const cells = trial.cells.map((cell) => ({
    ...cell,
    samples: cell.samples.map((one) =>
      one.failure === undefined ? one : { ...one, failure: translated(one.failure) },
    ),
  }));
  return { ...trial, cases, cells };
}
