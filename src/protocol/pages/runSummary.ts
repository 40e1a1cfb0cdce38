import type { RunOutcome } from '../../core/cases/runSummary';
import { isAnything, isListOf, isNothing, isShape, isText } from '../rpc/guards';
import type { Guard, Guards } from '../rpc/rpc';

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
  /** The title of the action that masks it in all of them, such as "Mask dates"; absent if no mask would help. */
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

export type CaseIds = { readonly ids: readonly string[] };

/** The calls that the page may make. */
export type RunSummaryHost = {
  /** The current summary. `changed` events follow. */
  open(params: undefined): Promise<RunSummary>;
  openCase(params: { readonly id: string }): Promise<void>;
  review(params: { readonly id: string }): Promise<void>;
  replay(params: CaseIds): Promise<void>;
  /** What `mask` would write. */
  previewMasks(params: CaseIds): Promise<readonly MaskPreview[]>;
  /** Adds the masks under which these cases would have matched, and replays them. */
  mask(params: CaseIds): Promise<void>;
  record(params: CaseIds): Promise<void>;
  /** Accepts the last runs of these cases as their baselines. */
  acceptBaselines(params: CaseIds): Promise<void>;
};

const isCase = isShape<{ readonly id: string }>({ id: isText });
const isCases = isShape<CaseIds>({ ids: isListOf(isText) });

export const runSummaryGuards: Guards<RunSummaryHost> = {
  open: isNothing,
  openCase: isCase,
  review: isCase,
  replay: isCases,
  previewMasks: isCases,
  mask: isCases,
  record: isCases,
  acceptBaselines: isCases,
};

/** The event that carries a new `RunSummary` to the page. */
export const RUN_SUMMARY_CHANGED = 'changed';

/** The host is our own: the content of the lists is trusted. */
export const isRunSummary: Guard<RunSummary> = (value): value is RunSummary =>
  isShape<{ title: string; line: string; cases: readonly unknown[]; causes: readonly unknown[] }>({
    title: isText,
    line: isText,
    cases: isListOf(isAnything),
    causes: isListOf(isAnything),
  })(value);
