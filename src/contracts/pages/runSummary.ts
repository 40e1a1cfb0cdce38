import type { RunOutcome } from '../../core/cases/runSummary';
import { anything, list, shape, text, trusted } from '../../core/schema/schema';
import { call, returns } from '../contract';
import { reportPage } from './report';

/** A case in the summary of a run. */
export interface SummaryCase {
  /** Its URI. */
  readonly id: string;
  readonly name: string;
  /** The path of its file, from its workspace folder. */
  readonly path: string;
  readonly outcome: RunOutcome | 'running';
  /** What was compared, or why it failed, in one line. */
  readonly detail: string;
}

/** The drifts of several cases that have one cause. */
export interface SummaryCause {
  readonly title: string;
  /** What differs in the first of them. */
  readonly line: string;
  /** The title of the action that masks it in all of them, such as "Mask Dates"; absent if no mask would help. */
  readonly mask?: string;
  /** What is written, such as `mask = ["date"]`, and where. */
  readonly written?: { readonly text: string; readonly place: string };
  /** What recording the cases again costs. */
  readonly cost: string;
  readonly ids: readonly string[];
}

export interface RunSummary {
  readonly title: string;
  readonly line: string;
  readonly cases: readonly SummaryCase[];
  readonly causes: readonly SummaryCause[];
  /** False in Restricted Mode, where nothing runs and nothing is written. */
  readonly canRun: boolean;
}

/** The lines of a file that masks change. */
export interface MaskPreview {
  readonly path: string;
  readonly removed: readonly string[];
  readonly added: readonly string[];
}

const ofCase = shape({ id: text() });
const ofCases = shape({ ids: list(text()) });

/** The host is our own: the content of the lists is trusted. */
const shownSummary = trusted<RunSummary>(
  shape({ title: text(), line: text(), cases: list(anything()), causes: list(anything()) }),
);

export const summaryPage = reportPage(shownSummary, {
  openCase: call(ofCase, returns<void>()),
  review: call(ofCase, returns<void>()),
  replay: call(ofCases, returns<void>()),
  /** What `mask` would write. */
  previewMasks: call(ofCases, returns<readonly MaskPreview[]>()),
  /** Adds the masks under which these cases would have matched, and replays them. */
  mask: call(ofCases, returns<void>()),
  record: call(ofCases, returns<void>()),
  /** Accepts the last runs of these cases as their baselines. */
  acceptBaselines: call(ofCases, returns<void>()),
});
