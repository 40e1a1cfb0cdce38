import { decodeLatin1 } from '../bytes/latin1';
import { jsonEqual } from '../json/json';
import type { Interaction, RecordedInteraction } from '../model/interaction';
import type { Tape } from '../model/tape';
import { t } from '../text/l10n';
import type { Span } from '../text/source';
import { applySplices } from '../text/splice';
import type { TapeFormat } from './format';
import { isNotKept } from './notKept';
import { type TapeFile, withText } from './tapeFile';
import { isWritable, newTapeFile, toRecordedInteraction } from './writableFormat';

/** The file with its new content, and what is read in it; or why the take cannot follow the kept interactions, as a sentence. */
export type SplicedTape = { readonly file: TapeFile; readonly tape: Tape } | { readonly refused: string };

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
  if (!isWritable(format) || format.isHandWritten)
    return { refused: t('A {0} is read-only and cannot be recorded.', format.label) };
  const before = format.read(file);
  const stored = before.interactions.slice(0, keep).map(toRecordedInteraction);
  const into = { path: file.path, replaces: file.text, test: before.test };
  const fresh = newTapeFile(format, before.name ?? '', [...stored, ...take], into);
  const [old, written] = inOneEncoding(file, fresh);
  const tape = old === file ? before : format.read(old);
  const kept = tape.interactions.slice(0, keep);
  const text = keep === 0 ? written.text : joinTexts(format, { old, written, tape, keep, added: take.length });
  const keptEnd = kept.at(-1)?.source.end ?? 0;
  const isKept = ({ start, end }: Span): boolean => start < keptEnd && end > (kept[0]?.source.start ?? 0);
  const due = (format.finalise?.(withText(old, text)) ?? []).filter((splice) => !isKept(splice));
  const finished = withText(old, applySplices(text, due));
  const after = format.read(finished);
  const isRight =
    after.interactions.length === keep + take.length &&
    after.problems.every((one) => one.severity !== 'error' || isNotKept(one)) &&
    kept.every((interaction, index) => isSameInteraction(interaction, after.interactions[index]));
  if (isRight) return { file: finished, tape: after };
  return {
    refused: t('New interactions cannot be added after the old ones in this file. Record the whole tape again.'),
  };
}

/** Both files with a character for each byte, where one of them is not UTF-8. */
function inOneEncoding(old: TapeFile, written: TapeFile): readonly [TapeFile, TapeFile] {
  if (old.encoding === written.encoding) return [old, written];
  return [byteText(old), byteText(written)];
}

function byteText(file: TapeFile): TapeFile {
  return file.encoding === 'latin1'
    ? file
    : withText(file, decodeLatin1(new TextEncoder().encode(file.text)), 'latin1');
}

interface JoinedTexts {
  readonly old: TapeFile;
  readonly written: TapeFile;
  /** What is read in `old`. */
  readonly tape: Tape;
  readonly keep: number;
  readonly added: number;
}

/** Joins the start of the old text, the new interactions, and the text after the old ones. */
function joinTexts(format: TapeFormat, { old, written, tape: { interactions }, keep, added }: JoinedTexts): string {
  const fresh = format.read(written).interactions;
  const keptEnd = interactions[keep - 1]?.source.end ?? 0;
  const oldEnd = interactions.at(-1)?.source.end ?? old.text.length;
  // Counted from the end, because not every kept interaction could be serialised.
  const start = fresh.at(-added - 1)?.source.end;
  const taken = added === 0 ? '' : written.text.slice(start, fresh.at(-1)?.source.end);
  // None could be serialised, which happens only in files of independent lines.
  const gap = start === undefined && added > 0 ? '\n' : '';
  return old.text.slice(0, keptEnd) + gap + taken + old.text.slice(oldEnd);
}

function isSameInteraction(left: Interaction, right: Interaction | undefined): boolean {
  return jsonEqual([left.kind, left.request, left.response], [right?.kind, right?.request, right?.response]);
}
