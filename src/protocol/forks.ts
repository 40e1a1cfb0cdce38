import type { RetakeCost } from '../core/model/run';
import type { RootParams } from './engineReviews';
import { isIndex, isMapOf, isMaybe, isShape, isText } from './guards';
import type { Guards } from './rpc';

/** The engine's calls about new tapes that share the first interactions of another one. */
export type ForksApi = {
  /** What a fork would share, change and cost. Nothing is called or written. */
  forkPlan(params: ForkPlanParams): Promise<ForkPlanView>;
  /** Records a fork; sends `run` events of type `interaction`. The tape, its case and the last run stay as they are. */
  fork(params: ForkParams, signal: AbortSignal): Promise<ForkView>;
};

export interface ForkPlanParams extends RootParams {
  /** Absolute, as in `RunParams`. */
  readonly casePath: string;
  /** The tape, absolute. */
  readonly tapePath: string;
  /** How many interactions are shared, from the first on. */
  readonly shared: number;
  /** What is to be changed, as the document that an earlier plan gave. */
  readonly document?: string | undefined;
}

export interface ForkPlanView {
  /** TOML in which a user changes what is to be different. */
  readonly document: string;
  /** A name for the fork beside the tape; absolute. */
  readonly target: string;
  readonly cost: RetakeCost;
  /** The model that is asked from the fork on, where it is another one. */
  readonly model?: string;
  /** What is wrong in the given document. */
  readonly problems: readonly ForkProblem[];
}

export interface ForkProblem {
  readonly message: string;
  /** UTF-16 offsets in the document. */
  readonly start: number;
  readonly end: number;
}

export interface ForkParams extends ForkPlanParams {
  readonly runId: string;
  readonly document: string;
  /** The new tape; absolute. */
  readonly target: string;
  /** API keys by environment variable, as in `RunParams`. */
  readonly keys: Readonly<Record<string, string>>;
}

/** A fork that was recorded. */
export interface ForkView {
  readonly interactions: number;
  /** What the case asserts and the fork does not meet, each a sentence. */
  readonly failures: readonly string[];
  /** How it is replayed with the agent as it is, as a sentence; absent where nothing special is needed. */
  readonly replays?: string;
}

const PLAN = { root: isText, casePath: isText, tapePath: isText, shared: isIndex } as const;

export const forksGuards: Guards<ForksApi> = {
  forkPlan: isShape<ForkPlanParams>({ ...PLAN, document: isMaybe(isText) }),
  fork: isShape<ForkParams>({ ...PLAN, document: isText, runId: isText, target: isText, keys: isMapOf(isText) }),
};
