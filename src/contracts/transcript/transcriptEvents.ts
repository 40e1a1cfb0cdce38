import type { DiffPiece } from '../../core/diff/diffText';
import type { PreviousTotals } from '../../core/review/previousTotals';
import { count, list, nullable, object, shape, text, trusted, type Value } from '../../core/schema/schema';
import { call, type Params, returns } from '../contract';

/** A request of a case's last replay that this tape has no recording for. */
export const shownDrift = shape({
  /** The interaction, from 0, beside which it is shown: the nearest recording, or the position of the replay. */
  interaction: count(),
  caseName: text(),
  /** What differs, in one line. */
  line: text(),
  /** The whole explanation, as a run prints it. */
  message: text(),
  /** From the recorded request to the sent one; empty if there is nothing to compare. */
  diff: trusted<readonly DiffPiece[]>(list(object())),
  /** The titles of the fixes that are offered, the best first. */
  fixes: list(text()),
});
export type ShownDrift = Value<typeof shownDrift>;

/** Applies an offered fix. Both are named by their positions: of the drift in the state, and of the fix in it. */
export const fixDrift = call(shape({ drift: count(), fix: count() }), returns<void>());
export type FixDriftParams = Params<typeof fixDrift>;

/** The usage and cost of the tape before it changed, for one version of the transcript; null if there is nothing to compare with. */
export const previousTotalsUpdate = shape({
  version: count(),
  earlier: nullable(trusted<PreviousTotals>(shape({ totals: object(), interactions: list(nullable(object())) }))),
});
export type PreviousTotalsUpdate = Value<typeof previousTotalsUpdate>;

/** The progress of a run that plays or records a tape. */
export const runProgress = shape({
  mode: text('', { enum: ['replay', 'record', 'live'] }),
  /** The last interaction that was played or recorded, from 0. */
  interaction: count(),
  /** Its response, in a few words. */
  summary: text(),
});
export type RunProgress = Value<typeof runProgress>;
