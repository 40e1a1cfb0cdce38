import { jsonEqual } from '../json/json';
import type { Interaction, RecordedInteraction } from '../model/interaction';
import type { Tape } from '../model/tape';
import { t } from '../text/l10n';
import type { Span } from '../text/source';
import { applySplices } from '../text/splice';
import type { TapeFormat } from './format';
import { type TapeFile, tapeFileFromText } from './tapeFile';
import { toRecordedInteraction } from './writableFormat';

/** The new text, or why the take cannot follow the kept interactions, as a sentence. */
export type SplicedTape = { readonly text: string } | { readonly refused: string };

/**
 * Keeps the first `keep` interactions of a tape byte for byte, and replaces the rest by another take. It works for
 * every format that can be written: the whole tape is serialised, and the part after the kept interactions is used.
 * The result is verified by reading it.
 */
export function spliceTape(
  format: TapeFormat,
  file: TapeFile,
  keep: number,
  take: readonly RecordedInteraction[],
): SplicedTape {
  const tape = format.read(file);
  if (format.serialise === undefined || format.isHandWritten)
    return { refused: t('A {0} is read-only and cannot be recorded.', format.label) };
  const kept = tape.interactions.slice(0, keep);
  const written = format.serialise(tape.name ?? '', [...kept.map(toRecordedInteraction), ...take]);
  const text = keep === 0 ? written : joinTexts(format, file.text, tape, keep, written, take.length);
  const keptEnd = kept.at(-1)?.source.end ?? 0;
  const isKept = ({ start, end }: Span): boolean => start < keptEnd && end > (kept[0]?.source.start ?? 0);
  const due = (format.finalise?.(tapeFileFromText(text, file.path)) ?? []).filter((splice) => !isKept(splice));
  const finished = applySplices(text, due);
  const after = format.read(tapeFileFromText(finished, file.path));
  const isRight =
    after.interactions.length === keep + take.length &&
    after.problems.every(({ severity }) => severity !== 'error') &&
    kept.every((interaction, index) => isSameInteraction(interaction, after.interactions[index]));
  if (isRight) return { text: finished };
  return {
    refused: t('New interactions cannot be added after the old ones in this file. Record the whole tape again.'),
  };
}

/** Joins the start of the old text, the new interactions, and the text after the old ones. */
function joinTexts(
  format: TapeFormat,
  old: string,
  { interactions }: Tape,
  keep: number,
  written: string,
  added: number,
): string {
  const fresh = format.read(tapeFileFromText(written)).interactions;
  const keptEnd = interactions[keep - 1]?.source.end ?? 0;
  const oldEnd = interactions.at(-1)?.source.end ?? old.length;
  // Counted from the end, because not every kept interaction could be serialised.
  const start = fresh.at(-added - 1)?.source.end;
  const taken = added === 0 ? '' : written.slice(start, fresh.at(-1)?.source.end);
  // None could be serialised, which happens only in files of independent lines.
  const gap = start === undefined && added > 0 ? '\n' : '';
  return old.slice(0, keptEnd) + gap + taken + old.slice(oldEnd);
}

function isSameInteraction(left: Interaction, right: Interaction | undefined): boolean {
  return jsonEqual([left.kind, left.request, left.response], [right?.kind, right?.request, right?.response]);
}
