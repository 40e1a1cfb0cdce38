import type { Tape } from '../model/tape';
import { detectFormat } from '../tapes/readTape';
import type { TapeFile } from '../tapes/tapeFile';
import { ageText } from '../text/age';
import { plural } from '../text/counts';
import { joinedByCommas } from '../text/joinedByCommas';
import { t } from '../text/l10n';

/** What a recording replaces. */
export interface ReplacedTape {
  readonly formatLabel: string;
  readonly interactions: number;
  readonly models: readonly string[];
  /** The latest recording, in milliseconds since the epoch; absent where the tape has no times. */
  readonly recordedAt?: number;
}

/** Reads what a recording over this file would replace; undefined where it is no tape. */
export function replacedTape(file: TapeFile): ReplacedTape | undefined {
  const format = detectFormat(file);
  if (format === undefined) return undefined;
  return tapeFacts(format.read(file), format.label);
}

/** The facts of a tape that say which recording it is. */
export function tapeFacts({ interactions }: Tape, formatLabel: string): ReplacedTape {
  const models = interactions.flatMap(({ request, response }) => request?.model ?? response?.model ?? []);
  const times = interactions.map(({ timing }) => Date.parse(timing?.recordedAt ?? '')).filter((time) => time > 0);
  return {
    formatLabel,
    interactions: interactions.length,
    models: [...new Set(models)],
    ...(times.length > 0 && { recordedAt: times.reduce((latest, time) => Math.max(latest, time)) }),
  };
}

/**
 * `3 interactions with gpt-4o (MoFA tape), recorded 5 days ago`. `changedAt` is the time of the file, for a tape without
 * times of its own; all times are milliseconds since the epoch.
 */
export function describeReplacedTape(tape: ReplacedTape, changedAt: number | undefined, now: number): string {
  const { formatLabel, interactions, models, recordedAt } = tape;
  const shown = models.length > 3 ? [...models.slice(0, 3), t('{0} other models', models.length - 3)] : models;
  const age =
    recordedAt !== undefined
      ? t(', recorded {0}', ageText(now - recordedAt))
      : changedAt === undefined
        ? ''
        : t(', last changed {0}', ageText(now - changedAt));
  const count = plural(interactions, 'interaction');
  const of = shown.length > 0 ? t('{0} with {1}', count, joinedByCommas(shown)) : count;
  return t('{0} ({1}){2}', of, formatLabel, age);
}
