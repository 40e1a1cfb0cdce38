import { diffLines, type TextHunk } from '../../../src/core/diff/diffText';
import { asLines } from '../../../src/core/diff/plainDiff';
import type { ChangePlace } from '../../../src/core/model/change';
import type { DeferrableChange } from '../../../src/core/review/deferTexts';
import { usageText } from '../../../src/core/review/usageText';
import { t } from '../../../src/core/text/l10n';

/** Milliseconds; a longer comparison is given up. */
const TIMEOUT = 100;

export interface ChangeGist {
  readonly preview: string;
  /** In lines; undefined if it does not apply or takes too long to compute. */
  readonly size?: { readonly added: number; readonly removed: number };
}

/** The summary of a change in the list. */
export function gistOf({ kind, place, before, after, deferred, subject, usage }: DeferrableChange): ChangeGist {
  if (subject === 'usage' && usage !== undefined) return { preview: usageText(usage) };
  if (kind === 'moved') return { preview: moveText(place) };
  return deferred === undefined ? textGist(before, after) : { preview: deferred.preview };
}

function moveText({ before, after }: ChangePlace): string {
  if (before === undefined || after === undefined || before === after) return t('Moved, unchanged');
  return t('Moved from {0} to {1}, unchanged', before + 1, after + 1);
}

/** A preview of a text change on one line, and its size. */
export function textGist(before: string, after: string): ChangeGist {
  const isWord = (text: string): boolean => /^\S{1,24}$/.test(text);
  if (isWord(before) && isWord(after)) return { preview: `${before} → ${after}` };
  const hunks = diffLines(asLines(before), asLines(after), TIMEOUT)?.filter(({ isEqual }) => !isEqual);
  if (hunks === undefined) return { preview: t('Too different to compare line by line') };
  const removed = hunks.flatMap((hunk) => linesOf(hunk.before));
  const added = hunks.flatMap((hunk) => linesOf(hunk.after));
  const seen = differsInvisibly(before, after) ? undefined : (lineChange(hunks) ?? previewOf(added, removed));
  return { preview: seen ?? visibleChange(before, after), size: { added: added.length, removed: removed.length } };
}

/** In characters; longer differences are not shown with their old text. */
const SHORT = 24;

/** `"amount": 42.5 → 40`, where a small part of a single line changed. */
function lineChange([hunk, ...others]: readonly TextHunk[]): string | undefined {
  if (hunk === undefined || others.length > 0) return undefined;
  if (linesOf(hunk.before).length !== 1 || linesOf(hunk.after).length !== 1) return undefined;
  const old = withoutComma(hunk.before).split(' ');
  const now = withoutComma(hunk.after).split(' ');
  const start = old.findIndex((word, index) => word !== now[index]);
  const tail = [...old].reverse().findIndex((word, index) => word !== now.at(-1 - index));
  const end = Math.min(tail, old.length - start, now.length - start);
  const changed = (words: readonly string[]): string => words.slice(start, words.length - end).join(' ');
  const before = changed(old);
  const after = changed(now);
  if (start === -1 || tail === -1 || !before || !after || before.length > SHORT || after.length > SHORT)
    return undefined;
  return [...old.slice(Math.max(0, start - 3), start), before, '→', after].join(' ');
}

/** The first new line with a letter or digit, or else the first that is gone; undefined if only punctuation differs. */
function previewOf(added: readonly string[], removed: readonly string[]): string | undefined {
  const newLines = added.map(withoutComma).filter(hasWord);
  const oldLines = removed.map(withoutComma).filter(hasWord);
  const newLine = newLines.find((line) => !oldLines.includes(line));
  const oldLine = oldLines.find((line) => !newLines.includes(line));
  if (newLine !== undefined) return newLine;
  if (oldLine !== undefined) return t('Without {0}', oldLine);
  // An empty list or object is new, or gone.
  const alone = added.length === 0 || removed.length === 0 ? [...added, ...removed].join(' ').trim() : '';
  return alone || undefined;
}

/** Whether two texts differ in white space alone, which has to be made visible. */
export function differsInvisibly(before: string, after: string): boolean {
  return before !== after && before.replace(/\s+/g, '') === after.replace(/\s+/g, '');
}

/** Characters shown on either side of the place where two texts differ. */
const AROUND = 8;

/** `Hello··world → Hello·world`: the place where texts differ in white space or punctuation, with signs for what is invisible. */
function visibleChange(before: string, after: string): string {
  const shorter = Math.min(before.length, after.length);
  let start = 0;
  while (start < shorter && before[start] === after[start]) start += 1;
  let tail = 0;
  while (tail < shorter - start && before.at(-1 - tail) === after.at(-1 - tail)) tail += 1;
  const from = Math.max(0, start - AROUND);
  const excerpt = (text: string): string => {
    const end = Math.min(text.length, text.length - tail + AROUND, start + SHORT);
    const shown = text.slice(from, end).replace(/\s/g, (char) => SIGNS[char] ?? '·');
    return `${from > 0 ? '…' : ''}${shown}${end < text.length ? '…' : ''}`;
  };
  return `${excerpt(before)} → ${excerpt(after)}`;
}

const SIGNS: Readonly<Record<string, string>> = { '\t': '⇥', '\n': '↵', '\r': '␍' };

function linesOf(text: string): readonly string[] {
  return text.split('\n').slice(0, -1);
}

function withoutComma(line: string): string {
  return line.trim().replace(/,$/, '');
}

function hasWord(line: string): boolean {
  return /[\p{L}\p{N}]/u.test(line);
}
