import type { DiffPiece } from '../core/diff/diffText';
import type { PreviousTotals } from '../core/review/previousTotals';
import { isIndex, isListOf, isOneOf, isShape, isText } from './guards';
import type { Guard, Guards } from './rpc';

/** What the last replay of a case asked, and what this tape had no answer to. */
export interface ShownDrift {
  /** Where it is shown, from 0: at the recording that is most alike, or where the replay stood. */
  readonly interaction: number;
  readonly caseName: string;
  /** As the run and the Test Explorer say it. */
  readonly message: string;
  /** From what was recorded to what was asked; empty where there is nothing to compare. */
  readonly diff: readonly DiffPiece[];
  /** What can be done about it, in words. */
  readonly fixes: readonly string[];
}

/** The event that carries `{ drifts }` to the webview, whenever there are others. */
export const TRANSCRIPT_DRIFTED = 'drifted';

const isDrift = isShape<ShownDrift>({
  interaction: isIndex,
  caseName: isText,
  message: isText,
  diff: isListOf((piece): piece is DiffPiece => typeof piece === 'object' && piece !== null && 'type' in piece),
  fixes: isListOf(isText),
});

export const isDriftState: Guard<{ readonly drifts: readonly ShownDrift[] }> = isShape<{
  readonly drifts: readonly ShownDrift[];
}>({ drifts: isListOf(isDrift) });

/** The calls of the webview about drifts. */
export type DriftApi = {
  /** Does what was offered: the page names which, and what that means only the host knows. */
  fixDrift(params: FixDriftParams): Promise<void>;
};

export interface FixDriftParams {
  /** Its place in the last event. */
  readonly drift: number;
  readonly fix: number;
}

export const driftGuards: Guards<DriftApi> = {
  fixDrift: isShape<FixDriftParams>({ drift: isIndex, fix: isIndex }),
};

/** What a version of the tape took before it changed. */
export interface PreviousTotalsUpdate {
  /** Of the transcript, as in its overview: it does not hold for any other. */
  readonly version: number;
  /** Null where there is nothing to compare with. */
  readonly earlier: PreviousTotals | null;
}

/** The event that carries an `EarlierTold` to the webview. */
export const TRANSCRIPT_PREVIOUS_TOTALS = 'earlier';

const isPlainObject: Guard<object> = (value): value is object => typeof value === 'object' && value !== null;
const isPreviousTotals = isShape<{ readonly totals: object; readonly interactions: readonly (object | null)[] }>({
  totals: isPlainObject,
  interactions: isListOf((one): one is object | null => one === null || isPlainObject(one)),
});

/** The numbers come from our own engine and are not looked at again. */
export const isPreviousTotalsUpdate: Guard<PreviousTotalsUpdate> = (value): value is PreviousTotalsUpdate =>
  isShape<{ readonly version: number }>({ version: isIndex })(value) &&
  'earlier' in value &&
  (value.earlier === null || isPreviousTotals(value.earlier));

/** What a run is doing with a tape just now. */
export interface RunProgress {
  readonly mode: 'replay' | 'record' | 'live';
  /** The interaction that was played or recorded last, from 0. */
  readonly interaction: number;
  /** What was answered, in a few words. */
  readonly summary: string;
}

/** The event that carries `{ playing }` to the webview: null when nothing is played any more. */
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
