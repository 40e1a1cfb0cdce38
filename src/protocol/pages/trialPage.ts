import type { Trial } from '../../core/model/trial';
import { isAnything, isIndex, isListOf, isMaybe, isNothing, isShape, isText } from '../rpc/guards';
import type { Guard, Guards } from '../rpc/rpc';

/** What the page of a trial shows. */
export interface ShownTrial {
  /** The URI of the project's folder, by which the page is restored. */
  readonly folder: string;
  /** Absent if there is none, or it cannot be read; `notice` says why. */
  readonly trial?: Trial;
  readonly notice?: string;
  /** The current tapes of the cases. */
  readonly current: readonly CurrentTape[];
  /** While samples are recorded. */
  readonly progress?: TrialAdvance;
  /** False in Restricted Mode, where nothing runs and nothing is written. */
  readonly canRun: boolean;
}

/** What is on the tape of a case. */
export interface CurrentTape {
  readonly casePath: string;
  readonly tokens?: number;
  /** In US dollars. */
  readonly dollars?: number;
  readonly durationMs?: number;
}

export interface TrialAdvance {
  readonly done: number;
  readonly of: number;
  readonly running: readonly SampleAddress[];
}

export interface CellAddress {
  /** From the project's root. */
  readonly casePath: string;
  readonly model: string;
}

export interface SampleAddress extends CellAddress {
  /** From 1. */
  readonly sample: number;
}

/** The calls that the page may make. */
export type TrialHost = {
  /** The current trial. `changed` events follow. */
  open(params: undefined): Promise<ShownTrial>;
  openCase(params: { readonly casePath: string }): Promise<void>;
  /** Shows a sample beside what it was compared with, aligned. */
  compare(params: SampleAddress): Promise<void>;
  /** Shows the recording of a sample that was compared with nothing. */
  openTape(params: SampleAddress): Promise<void>;
  /** Makes the recordings of a model the tapes of the cases, after asking. */
  adopt(params: { readonly model: string }): Promise<void>;
  /** Records the missing samples or, if there are none, those that ended in an error; after asking. */
  goOn(params: undefined): Promise<void>;
  cancel(params: undefined): Promise<void>;
};

const isSample = isShape<SampleAddress>({ casePath: isText, model: isText, sample: isIndex });

export const trialGuards: Guards<TrialHost> = {
  open: isNothing,
  openCase: isShape<{ readonly casePath: string }>({ casePath: isText }),
  compare: isSample,
  openTape: isSample,
  adopt: isShape<{ readonly model: string }>({ model: isText }),
  goOn: isNothing,
  cancel: isNothing,
};

/** The event that carries a new `ShownTrial` to the page. */
export const TRIAL_CHANGED = 'changed';

/** The host is our own: the content of the lists is trusted. */
export const isShownTrial: Guard<ShownTrial> = (value): value is ShownTrial =>
  isShape<{ folder: string; notice?: string | undefined; current: readonly unknown[] }>({
    folder: isText,
    notice: isMaybe(isText),
    current: isListOf(isAnything),
  })(value);
