import type { Change, ChangeKind, ChangePlace, ChangeSet } from '../model/change';
import { usageText } from '../review/usageText';
import { escapeInvisible, indentLines } from '../text/escapeInvisible';
import type { TextStyle } from '../text/textStyle';
import { textDiff } from './textDiff';

interface ChangesOptions {
  /** Show the ignored changes in full, too. */
  readonly all?: boolean;
  /** Words behind the title of a change, such as "accepted". */
  readonly note?: (change: Change) => string;
  /** The lines of a change that are shown at most. By default not more than fits on two screens. */
  readonly maxLines?: number;
}

/** The changes between two recordings, one after the other, and the number of ignored ones. */
export function changesText(set: ChangeSet, ink: TextStyle, options?: ChangesOptions): string {
  return [...changesTexts(set, ink, options)].join('');
}

/** The same piece by piece. */
export function* changesTexts(
  { changes, hidden, notices }: ChangeSet,
  ink: TextStyle,
  options: ChangesOptions = {},
): Generator<string> {
  const { all = false } = options;
  for (const change of all ? [...changes, ...hidden] : changes) yield `${changeText(change, ink, options)}\n`;
  for (const notice of notices) yield `${notice}\n`;
  const sum = changes.length === 0 ? 'no differences' : counted(changes.length, 'difference');
  yield `${sum}${hiddenText(hidden, all)}\n`;
}

function hiddenText(hidden: readonly Change[], all: boolean): string {
  if (hidden.length === 0) return '';
  const rules = [...new Set(hidden.flatMap((change) => change.rules))].join(', ');
  return all ? '' : `; ${hidden.length} ignored by rules (${rules}): --all shows them`;
}

const MARKS: Readonly<Record<ChangeKind, string>> = { added: '+', removed: '-', moved: '>', edited: '~' };

function changeText(change: Change, ink: TextStyle, { note, maxLines }: ChangesOptions): string {
  const { kind, title, place, repeats, rules, subject, usage } = change;
  const colour = kind === 'added' ? ink.green : kind === 'removed' ? ink.red : ink.yellow;
  const also =
    repeats.length === 0
      ? ''
      : `, and in ${counted(repeats.length, 'place')} that ${repeats.length === 1 ? 'repeats' : 'repeat'} it`;
  const why = rules.length === 0 ? '' : ` [ignored: ${rules.join(', ')}]`;
  const said = note?.(change) ?? '';
  const told = said === '' ? '' : ` · ${said}`;
  const head = `${colour(MARKS[kind])} ${ink.bold(escapeInvisible(title))}${ink.dim(`${placeText(place)}${also}${why}${told}`)}`;
  const counts = usage && ink.dim(usageText(usage));
  const isCounted = kind === 'moved' || (subject === 'usage' && kind === 'edited');
  const texts = isCounted ? '' : textDiff(change.before, change.after, ink, maxLines);
  const body = [texts, counts].filter(Boolean).join('\n');
  return body === '' ? head : `${head}\n${indentLines(body, '  ')}`;
}

/** With the interaction counted from 1. */
export function placeText({ before, after }: ChangePlace): string {
  if (before === undefined && after === undefined) return '';
  if (after === undefined) return ` · was interaction ${(before ?? 0) + 1}`;
  const was = before === undefined || before === after ? '' : ` (was ${before + 1})`;
  return ` · interaction ${after + 1}${was}`;
}

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
