import type { RetakeCost } from '../../core/model/run';
import type { Trial, TrialVerdict } from '../../core/model/trial';
import { isIndex, isListOf, isMapOf, isMaybe, isOneOf, isShape, isText } from '../rpc/guards';
import type { Guards } from '../rpc/rpc';
import type { RootParams } from './engineReviews';

/** The engine's calls about trials: cases recorded with other models, apart from their tapes. */
export type TrialsApi = {
  /** What a trial would record. Nothing is called. */
  trialPlan(params: TrialParams): Promise<TrialPlan>;
  /**
   * Records the missing samples, and sends a `trialProgress` event for each step. Aborting the call keeps what is done. Returns the
   * same as `keptTrial` afterwards, with the samples that could not begin.
   */
  trial(params: RunTrialParams, signal: AbortSignal): Promise<Trial>;
  /** The recorded part of the last trial, for the current state of its cases; null if there was none. */
  keptTrial(params: RootParams): Promise<Trial | null>;
  /** Makes recordings of a model the tapes of cases. The replaced tapes are kept as takes. Each case is adopted on its own. */
  adoptTrial(params: AdoptTrialParams, signal: AbortSignal): Promise<AdoptedTrial>;
};

export interface TrialParams extends RootParams {
  /** Absolute, or from the root. In answers and events, they are always from the root, with `/`. */
  readonly casePaths: readonly string[];
  readonly models: readonly string[];
  /** How many recordings of each case with each model. */
  readonly samples: number;
}

export interface RunTrialParams extends TrialParams {
  /** Chosen by the caller, for its events. */
  readonly trialId: string;
  /** API keys by environment variable, as in `RunParams`. */
  readonly keys: Readonly<Record<string, string>>;
  /** `all`: records every sample again. `errors`: those that ended in an error. Otherwise only what is missing. */
  readonly again?: 'all' | 'errors' | undefined;
}

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
export interface TrialPlanOfModel extends RetakeCost {
  readonly model: string;
  /** How many recordings are missing. */
  readonly samples: number;
}

export interface AdoptTrialParams extends RootParams {
  readonly model: string;
  /** As in `TrialParams`. */
  readonly casePaths: readonly string[];
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

export const TRIAL_EVENT = 'trialProgress';

export interface TrialEvent {
  readonly trialId: string;
  readonly casePath: string;
  readonly model: string;
  /** From 1. */
  readonly sample: number;
  readonly state: 'started' | 'finished';
  /** Of a sample that has finished. */
  readonly verdict?: TrialVerdict;
  /** How many samples exist, including those recorded before. */
  readonly done: number;
  readonly of: number;
}

const isPositive = (value: unknown): value is number => isIndex(value) && value > 0;

const TRIAL = { root: isText, casePaths: isListOf(isText), models: isListOf(isText), samples: isPositive } as const;

export const trialsGuards: Guards<TrialsApi> = {
  trialPlan: isShape<TrialParams>(TRIAL),
  trial: isShape<RunTrialParams>({
    ...TRIAL,
    trialId: isText,
    keys: isMapOf(isText),
    again: isMaybe(isOneOf('all', 'errors')),
  }),
  keptTrial: isShape<RootParams>({ root: isText }),
  adoptTrial: isShape<AdoptTrialParams>({ root: isText, model: isText, casePaths: isListOf(isText) }),
};

/** The engine is our own child: its events are checked for their kind, their content is trusted. */
export function isTrialEvent(value: unknown): value is TrialEvent {
  return isShape<Pick<TrialEvent, 'trialId' | 'casePath' | 'model' | 'state'>>({
    trialId: isText,
    casePath: isText,
    model: isText,
    state: isOneOf('started', 'finished'),
  })(value);
}
