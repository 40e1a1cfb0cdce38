import { decodeLatin1 } from '../bytes/latin1';
import { jsonEqual } from '../json/json';
import { exactValue } from '../json/readJson';
import type { Interaction, RecordedInteraction } from '../model/interaction';
import type { Tape } from '../model/tape';
import { t } from '../text/l10n';
import type { Span } from '../text/source';
import { applySplices } from '../text/splice';
import type { TapeFormat } from './format';
import { fillList } from './interactionList/fillList';
import { type InteractionList, interactionList } from './interactionList/interactionList';
import { itemTextIn, type ListItem } from './interactionList/itemText';
import { insertItems } from './interactionList/listEdits';
import { isNotKept } from './notKept';
import { type TapeFile, withText } from './tapeFile';
import { isWritable, newTapeFile, toRecordedInteraction, writableIn } from './writableFormat';

/** The file with its new content, and what is read in it; or why the take cannot follow the kept interactions, as a sentence. */
type SplicedTape = { readonly file: TapeFile; readonly tape: Tape } | { readonly refused: string };

/**
 * Keeps the first `keep` interactions of a tape byte for byte, and replaces the rest by another take. Where all are kept, so is
 * everything else in the file: the take is added to its list. It works for every format that can be written: the whole tape is
 * serialised, and the part after the kept interactions is used. The result is verified by reading it.
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
  const write = (interactions: readonly RecordedInteraction[]): TapeFile =>
    newTapeFile(format, before.name ?? '', interactions, { path: file.path, replaces: file.text, test: before.test });
  const [old, written] = inOneEncoding(file, write(isLast(format, stored, take) ? [...stored, ...take] : take));
  const tape = old === file ? before : format.read(old);
  const texts: JoinedTexts = { old, written, tape, fresh: format.read(written), keep, added: take.length };
  const isAll = keep > 0 && keep === tape.interactions.length;
  const spliced =
    (isAll ? verified(format, texts, appendedText(format, texts)) : undefined) ??
    (tape.interactions.length === 0 ? verified(format, texts, filledText(format, texts)) : undefined) ??
    verified(format, texts, keep === 0 ? written.text : joinTexts(format, texts)) ??
    // What its own recorder would write is all that there is.
    (isAll && write(stored).text === file.text ? verified(format, texts, written.text) : undefined);
  return (
    spliced ?? {
      refused: t('New interactions cannot be added after the old ones in this file. Record the whole tape again.'),
    }
  );
}

/** Whether a take is the end of a new tape, and not in another order there. */
function isLast(
  format: TapeFormat,
  stored: readonly RecordedInteraction[],
  take: readonly RecordedInteraction[],
): boolean {
  const end = writableIn(format, [...stored, ...take]).slice(-take.length);
  return take.every((one, index) => one === end[index]);
}

/** A tape with this text, and with what depends on it; undefined where that is not what was to be written. */
function verified(format: TapeFormat, { old, tape, fresh, keep, added }: JoinedTexts, text: string | undefined) {
  if (text === undefined) return undefined;
  const kept = tape.interactions.slice(0, keep);
  const keptEnd = kept.at(-1)?.source.end ?? 0;
  const isKept = ({ start, end }: Span): boolean => start < keptEnd && end > (kept[0]?.source.start ?? 0);
  const due = (format.finalise?.(withText(old, text)) ?? []).filter((splice) => !isKept(splice));
  const file = withText(old, applySplices(text, due));
  const after = format.read(file);
  const isRight =
    after.interactions.length === keep + added &&
    after.problems.every((one) => one.severity !== 'error' || isNotKept(one)) &&
    kept.every((interaction, index) => isSameInteraction(interaction, after.interactions[index])) &&
    (added === 0 || isSameResponses(fresh.interactions.slice(-added), after.interactions.slice(keep)));
  return isRight ? { file, tape: after } : undefined;
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
  /** The same in `written`. */
  readonly fresh: Tape;
  readonly keep: number;
  readonly added: number;
}

/** The text with the new interactions at the end of its list, in the layout of the others; undefined where they are no list. */
function appendedText(format: TapeFormat, { old, written, tape, fresh, added }: JoinedTexts): string | undefined {
  if (format.appendText !== undefined) return format.appendText(old.text, written.text, added);
  const taken = lastItems(written.text, fresh, added, format);
  const last = tape.interactions.at(-1);
  const list = last && interactionList(old.text, tape, last.index, format);
  if (last === undefined || list === undefined || taken === undefined) return undefined;
  const at = itemOf(list, last);
  const like = list.blocks[at];
  const items = taken.flatMap((item) => (like && itemTextIn(list, item, old.text.slice(like.start, like.end))) ?? []);
  const splices = items.length < taken.length ? undefined : insertItems(old.text, list, at, items);
  return splices && applySplices(old.text, splices);
}

/** The text of a tape without interactions with the new ones in it; undefined where it has no place for a list. */
function filledText(format: TapeFormat, { old, written, fresh }: JoinedTexts): string | undefined {
  const list = fresh.interactions.length === 0 ? undefined : interactionList(written.text, fresh, 0, format);
  return list && fillList(old.text, written.text, list);
}

/** The items of the last interactions of a text, which has each in an item of its own. */
function lastItems(text: string, tape: Tape, count: number, format: TapeFormat): readonly ListItem[] | undefined {
  const last = tape.interactions.at(-1);
  const list = last && interactionList(text, tape, last.index, format);
  if (last === undefined || list === undefined) return undefined;
  const end = itemOf(list, last) + 1;
  const items = list.blocks.slice(end - count, end).map((block, index): ListItem => {
    const node = list.nodes[end - count + index];
    return { text: text.slice(block.start, block.end), ...(node && { value: exactValue(node) }) };
  });
  return items.length === count ? items : undefined;
}

function itemOf({ blocks }: InteractionList, { source }: Interaction): number {
  return blocks.findIndex(({ start, end }) => start <= source.start && end > source.start);
}

/** Joins the start of the old text, the new interactions, and the text after the old ones. */
function joinTexts(format: TapeFormat, texts: JoinedTexts): string {
  const { old, written, keep, added } = texts;
  const { interactions } = texts.tape;
  const fresh = texts.fresh.interactions;
  const keptEnd = interactions[keep - 1]?.source.end ?? 0;
  const oldEnd = interactions.at(-1)?.source.end ?? old.text.length;
  // Counted from the end, because not every kept interaction could be serialised.
  const start = fresh.at(-added - 1)?.source.end;
  const taken = added === 0 ? '' : written.text.slice(start, fresh.at(-1)?.source.end);
  // None could be serialised, which happens only in files of independent lines.
  const gap = start === undefined && added > 0 ? '\n' : '';
  return old.text.slice(0, keptEnd) + withLineEndsOf(format, old.text, gap + taken) + old.text.slice(oldEnd);
}

/** Only the line ends of records are content. */
function withLineEndsOf({ syntax }: TapeFormat, text: string, added: string): string {
  return syntax === 'records' || !text.includes('\r\n') ? added : added.replace(/\r?\n/g, '\r\n');
}

function isSameResponses(left: readonly Interaction[], right: readonly Interaction[]): boolean {
  return left.every(({ response }, index) => jsonEqual(response, right[index]?.response));
}

function isSameInteraction(left: Interaction, right: Interaction | undefined): boolean {
  return jsonEqual([left.kind, left.request, left.response], [right?.kind, right?.request, right?.response]);
}
