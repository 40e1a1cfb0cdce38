import type { RetakeCost } from '../../core/model/run';
import type { Trial, TrialVerdict } from '../../core/model/trial';
import { count, list, named, optional, shape, text, trusted, type Value } from '../../core/schema/schema';
import { call, type Handlers, type Params, returns } from '../contract';
import { inProject, ROOT } from './project';

const TRIAL = {
  ...ROOT,
  /** Absolute, or from the root. In answers and events, they are always from the root, with `/`. */
  casePaths: list(text()),
  models: list(text()),
  /** How many recordings of each case with each model. */
  samples: count('', 1),
};

/** The engine's calls about trials: cases recorded with other models, apart from their tapes. */
export const trialsCalls = {
  /** What a trial would record. Nothing is called. */
  trialPlan: call(shape(TRIAL), returns<TrialPlan>()),
  /**
   * Records the missing samples, and emits a `trial` event for each step. Aborting the call keeps what is done. Returns the same as
   * `storedTrial` afterwards, with the samples that could not begin.
   */
  trial: call(
    shape({
      ...TRIAL,
      /** Chosen by the caller, for its events. */
      trialId: text(),
      /** API keys by environment variable, as of `run`. */
      keys: named('', text()),
      /** `all`: records every sample again. `errors`: those that ended in an error. Otherwise only what is missing. */
      again: optional(text('', { enum: ['all', 'errors'] })),
    }),
    returns<Trial>(),
  ),
  /** The recorded part of the last trial, for the current state of its cases; null if there was none. */
  storedTrial: call(inProject, returns<Trial | null>()),
  /** Makes recordings of a model the tapes of cases. The replaced tapes are kept as takes. Each case is adopted on its own. */
  adoptTrial: call(shape({ ...ROOT, model: text(), casePaths: TRIAL.casePaths }), returns<AdoptedTrial>()),
};
export type TrialsApi = Handlers<typeof trialsCalls>;
export type TrialParams = Params<typeof trialsCalls.trialPlan>;
export type RunTrialParams = Params<typeof trialsCalls.trial>;
export type AdoptTrialParams = Params<typeof trialsCalls.adoptTrial>;

export interface TrialPlan {
  /** How many recordings a whole trial has. */
  readonly samples: number;
  /** How many of them were already recorded. */
  readonly kept: number;
  /** What is missing, by model. */
  readonly perModel: readonly TrialPlanOfModel[];
  /** Notices for the user, each a sentence: cases that cannot be recorded, or have no tape yet. */
  readonly notices: readonly string[];
}

/** The cost of all of them, estimated from the tapes. Cases without a tape are not included. */
interface TrialPlanOfModel extends RetakeCost {
  readonly model: string;
  /** How many recordings are missing. */
  readonly samples: number;
}

/** Paths are from the root. */
export interface AdoptedTrial {
  readonly adopted: readonly AdoptedCase[];
  readonly refused: readonly { readonly casePath: string; readonly reason: string }[];
}

export interface AdoptedCase {
  readonly casePath: string;
  readonly tapePath: string;
  /** The numbers of the samples, from 1: one, or as many as judge the case. */
  readonly samples: readonly number[];
  /** The `model` of the case was changed to that of its tape. */
  readonly wroteModel?: true;
}

/** A step of a trial. */
export const trialEvent = shape({
  trialId: text(),
  casePath: text(),
  model: text(),
  /** From 1. */
  sample: count(),
  state: text('', { enum: ['started', 'finished'] }),
  /** Of a sample that has finished. */
  verdict: optional(trusted<TrialVerdict>()),
  /** How many samples exist, including those recorded before. */
  done: count(),
  of: count(),
});
export type TrialEvent = Value<typeof trialEvent>;
