import type { RetakeCost } from '../../core/model/run';
import { isIndex, isMapOf, isMaybe, isShape, isText } from '../rpc/guards';
import type { Guards } from '../rpc/rpc';
import type { RootParams } from './engineReviews';

/** The engine's calls about forks: new tapes that share the first interactions of another one. */
export type ForksApi = {
  /** Plans a fork: what it would share, change and cost. Nothing is called or written. */
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
  /** The changes, as the edited document of an earlier plan. */
  readonly document?: string | undefined;
}

export interface ForkPlanView {
  /** The TOML document in which the user edits the changes. */
  readonly document: string;
  /** A name for the fork beside the tape; absolute. */
  readonly target: string;
  readonly cost: RetakeCost;
  /** The model from the fork on, if it is another one. */
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
  /** The assertions of the case that do not hold in the fork, each a sentence. */
  readonly failures: readonly string[];
  /** How to replay it with the unchanged agent, as a sentence; absent if nothing special is needed. */
  readonly replays?: string;
}

const PLAN = { root: isText, casePath: isText, tapePath: isText, shared: isIndex } as const;

export const forksGuards: Guards<ForksApi> = {
  forkPlan: isShape<ForkPlanParams>({ ...PLAN, document: isMaybe(isText) }),
  fork: isShape<ForkParams>({ ...PLAN, document: isText, runId: isText, target: isText, keys: isMapOf(isText) }),
};
