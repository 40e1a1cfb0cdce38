import type { Trial } from '../../core/model/trial';
import { anything, count, list, nothing, optional, shape, text, trusted, type Value } from '../../core/schema/schema';
import { call, returns } from '../contract';
import { reportPage } from './report';

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

const CASE = {
  /** From the project's root. */
  casePath: text(),
};
const MODEL = { model: text() };
const cellAddress = shape({ ...CASE, ...MODEL });
export type CellAddress = Value<typeof cellAddress>;
/** Samples are counted from 1. */
const sampleAddress = shape({ ...CASE, ...MODEL, sample: count() });
export type SampleAddress = Value<typeof sampleAddress>;

/** The host is our own: the content of the lists is trusted. */
const shownTrial = trusted<ShownTrial>(shape({ folder: text(), notice: optional(text()), current: list(anything()) }));

export const trialPage = reportPage(shownTrial, {
  openCase: call(shape(CASE), returns<void>()),
  /** Shows a sample beside what it was compared with, aligned. */
  compare: call(sampleAddress, returns<void>()),
  /** Shows the recording of a sample that was compared with nothing. */
  openTape: call(sampleAddress, returns<void>()),
  /** Makes the recordings of a model the tapes of the cases, after asking. */
  adopt: call(shape(MODEL), returns<void>()),
  /** Records the missing samples or, if there are none, those that ended in an error; after asking. */
  goOn: call(nothing, returns<void>()),
  cancel: call(nothing, returns<void>()),
});
