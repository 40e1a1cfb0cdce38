import { diffLines } from 'diff';
import type { ChangePlace } from '../../../src/core/model/change';
import type { DeferrableChange } from '../../../src/core/review/deferTexts';
import { asLines } from './plainDiff';

/** Milliseconds; what takes longer is told without details. */
const TIMEOUT = 100;

export interface ChangeGist {
  readonly preview: string;
  /** In lines; undefined where it says nothing, or takes too long to find out. */
  readonly size?: { readonly added: number; readonly removed: number };
}

type Part = ReturnType<typeof diffLines>[number];

/** What a row of the list says of a change. */
export function gistOf({ kind, place, before, after, deferred }: DeferrableChange): ChangeGist {
  if (kind === 'moved') return { preview: moveText(place) };
  return deferred === undefined ? textGist(before, after) : { preview: deferred.preview };
}

function moveText({ before, after }: ChangePlace): string {
  if (before === undefined || after === undefined || before === after) return 'The same, at another place';
  return `The same, was number ${before + 1}, is number ${after + 1}`;
}

/** What a change is about, in one line, and how many lines it concerns. */
export function textGist(before: string, after: string): ChangeGist {
  const isWord = (text: string): boolean => /^\S{1,24}$/.test(text);
  if (isWord(before) && isWord(after)) return { preview: `${before} → ${after}` };
  const parts = diffLines(asLines(before), asLines(after), { timeout: TIMEOUT });
  const preview = lineChange(parts) ?? previewOf(parts);
  if (parts === undefined) return { preview };
  const lines = (kind: 'added' | 'removed'): number =>
    parts.reduce((sum, part) => sum + (part[kind] ? part.count : 0), 0);
  return { preview, size: { added: lines('added'), removed: lines('removed') } };
}

/** Longer stretches are not shown with what they were. */
const SHORT = 24;

/** `"amount": 42.5 → 40`, where one line changed, and little in it. */
function lineChange(parts: readonly Part[] | undefined): string | undefined {
  const [removed, added, ...more] = (parts ?? []).filter((part) => part.removed || part.added);
  if (removed?.removed !== true || added?.added !== true || more.length > 0) return undefined;
  if (removed.count !== 1 || added.count !== 1) return undefined;
  const [old, now] = [removed.value, added.value].map((line) => line.trim().replace(/,$/, '').split(' '));
  if (old === undefined || now === undefined) return undefined;
  const start = old.findIndex((word, index) => word !== now[index]);
  const tail = [...old].reverse().findIndex((word, index) => word !== now.at(-1 - index));
  const end = Math.min(tail, old.length - start, now.length - start);
  const [before, after] = [old, now].map((words) => words.slice(start, words.length - end).join(' '));
  if (start === -1 || tail === -1 || !before || !after || before.length > SHORT || after.length > SHORT)
    return undefined;
  return [...old.slice(Math.max(0, start - 3), start), before, '→', after].join(' ');
}

/** The first line that is new, or else gone, and says something. */
function previewOf(parts: readonly Part[] | undefined): string {
  if (parts === undefined) return 'Too different to compare line by line';
  const telling = (kind: 'added' | 'removed'): readonly string[] => {
    const lines = parts.filter((part) => part[kind]).flatMap(({ value }) => value.split('\n'));
    return lines.map((line) => line.trim().replace(/,$/, '')).filter((line) => /[\p{L}\p{N}]/u.test(line));
  };
  const [added, removed] = [telling('added'), telling('removed')];
  const [isNew, isGone] = [
    added.find((line) => !removed.includes(line)),
    removed.find((line) => !added.includes(line)),
  ];
  return isNew ?? (isGone === undefined ? 'Only white space or punctuation differs' : `Without ${isGone}`);
}
