import type { DiffPiece } from '../../core/diff/diffText';
import type { PreviousTotals } from '../../core/review/previousTotals';
import { isIndex, isListOf, isOneOf, isShape, isText } from '../rpc/guards';
import type { Guard, Guards } from '../rpc/rpc';

/** A request of a case's last replay that this tape has no recording for. */
export interface ShownDrift {
  /** The interaction, from 0, beside which it is shown: the nearest recording, or the position of the replay. */
  readonly interaction: number;
  readonly caseName: string;
  /** What differs, in one line. */
  readonly line: string;
  /** The whole explanation, as a run prints it. */
  readonly message: string;
  /** From the recorded request to the sent one; empty if there is nothing to compare. */
  readonly diff: readonly DiffPiece[];
  /** The titles of the fixes that are offered, the best first. */
  readonly fixes: readonly string[];
}

/** The event that carries `{ drifts }` to the webview whenever they change. */
export const TRANSCRIPT_DRIFTED = 'drifted';

const isDrift = isShape<ShownDrift>({
  interaction: isIndex,
  caseName: isText,
  line: isText,
  message: isText,
  diff: isListOf((piece): piece is DiffPiece => typeof piece === 'object' && piece !== null && 'type' in piece),
  fixes: isListOf(isText),
});

export const isDriftState: Guard<{ readonly drifts: readonly ShownDrift[] }> = isShape<{
  readonly drifts: readonly ShownDrift[];
}>({ drifts: isListOf(isDrift) });

/** The calls of the webview about drifts. */
export type DriftApi = {
  /** Applies an offered fix, which the page names only by its position. */
  fixDrift(params: FixDriftParams): Promise<void>;
};

export interface FixDriftParams {
  /** The index of the drift in the last event. */
  readonly drift: number;
  readonly fix: number;
}

export const driftGuards: Guards<DriftApi> = {
  fixDrift: isShape<FixDriftParams>({ drift: isIndex, fix: isIndex }),
};

/** The usage and cost of the tape before it changed. */
export interface PreviousTotalsUpdate {
  /** Of the transcript, as in its overview; the totals hold for no other version. */
  readonly version: number;
  /** Null if there is nothing to compare with. */
  readonly earlier: PreviousTotals | null;
}

/** The event that carries a `PreviousTotalsUpdate` to the webview. */
export const TRANSCRIPT_PREVIOUS_TOTALS = 'earlier';

const isPlainObject: Guard<object> = (value): value is object => typeof value === 'object' && value !== null;
const isPreviousTotals = isShape<{ readonly totals: object; readonly interactions: readonly (object | null)[] }>({
  totals: isPlainObject,
  interactions: isListOf((one): one is object | null => one === null || isPlainObject(one)),
});

/** Checks only the shape: the numbers come from our own engine. */
export const isPreviousTotalsUpdate: Guard<PreviousTotalsUpdate> = (value): value is PreviousTotalsUpdate =>
  isShape<{ readonly version: number }>({ version: isIndex })(value) &&
  'earlier' in value &&
  (value.earlier === null || isPreviousTotals(value.earlier));

/** The event that opens the page's help. */
export const TRANSCRIPT_HELP = 'help';

/** The event on which the page calls `openTranscriptAsText`, for it knows what is being read. */
export const TRANSCRIPT_TEXT = 'text';

/** The event that asks the page to call `fork`, because the page knows the current interaction. */
export const TRANSCRIPT_FORK = 'fork';

/** The progress of a run that plays or records a tape. */
export interface RunProgress {
  readonly mode: 'replay' | 'record' | 'live';
  /** The last interaction that was played or recorded, from 0. */
  readonly interaction: number;
  /** Its response, in a few words. */
  readonly summary: string;
}

/** The event that carries `{ playing }` to the webview; null when the run has ended. */
export const TRANSCRIPT_RUN_PROGRESS = 'playing';

const isRunProgress = isShape<RunProgress>({
  mode: isOneOf('replay', 'record', 'live'),
  interaction: isIndex,
  summary: isText,
});

export const isRunProgressState: Guard<{ readonly playing: RunProgress | null }> = (
  value,
): value is { readonly playing: RunProgress | null } =>
  typeof value === 'object' &&
  value !== null &&
  'playing' in value &&
  (value.playing === null || isRunProgress(value.playing));
