import type { RetakeCost } from '../../core/model/run';
import { count, named, optional, shape, text } from '../../core/schema/schema';
import { call, type Params, returns } from '../contract';
import { ROOT } from './project';

const PLAN = {
  ...ROOT,
  /** Absolute, as of `run`. */
  casePath: text(),
  /** The tape, absolute. */
  tapePath: text(),
  /** How many interactions are shared, from the first on. */
  shared: count(),
};

/** The engine's calls about forks: new tapes that share the first interactions of another one. */
export const forksCalls = {
  /** Plans a fork: what it would share, change and cost. The changes are the edited document of an earlier plan. Nothing is called or written. */
  forkPlan: call(shape({ ...PLAN, document: optional(text()) }), returns<ForkPlanView>()),
  /** Records a fork to the absolute `target`; emits `run` events of type `interaction`. The tape, its case and the last run stay as they are. */
  fork: call(
    shape({ ...PLAN, document: text(), runId: text(), target: text(), keys: named('', text()) }),
    returns<ForkView>(),
  ),
};
export type ForkPlanParams = Params<typeof forksCalls.forkPlan>;
export type ForkParams = Params<typeof forksCalls.fork>;

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

interface ForkProblem {
  readonly message: string;
  /** UTF-16 offsets in the document. */
  readonly start: number;
  readonly end: number;
}

/** A fork that was recorded. */
export interface ForkView {
  readonly interactions: number;
  /** The assertions of the case that do not hold in the fork, each a sentence. */
  readonly failures: readonly string[];
  /** How to replay it with the unchanged agent, as a sentence; absent if nothing special is needed. */
  readonly replays?: string;
}
