import type { Change, ChangeKind, ChangePlace, ChangeSet } from '../../core/model/change';
import { usageText } from '../../core/review/usageText';
import { escapeInvisible, indentLines } from '../../core/text/escapeInvisible';
import type { Paint } from '../terminal/paint';
import { textDiff } from '../terminal/textDiff';
import { quantity } from '../terminal/visibleText';

/** The changes between two recordings, one after the other, and the number of ignored ones. `all`: those in full, too. */
export function changesText(
  { changes, hidden, notices }: ChangeSet,
  paint: Paint,
  { all = false }: { readonly all?: boolean } = {},
): string {
  const shown = all ? [...changes, ...hidden] : changes;
  const sum = changes.length === 0 ? 'no differences' : quantity(changes.length, 'difference');
  return `${[...shown.map((change) => changeText(change, paint)), ...notices, `${sum}${hiddenText(hidden, all)}`].join('\n')}\n`;
}

function hiddenText(hidden: readonly Change[], all: boolean): string {
  if (hidden.length === 0) return '';
  const rules = [...new Set(hidden.flatMap((change) => change.rules))].join(', ');
  return all ? '' : `; ${hidden.length} ignored by rules (${rules}): --all shows them`;
}

const MARKS: Readonly<Record<ChangeKind, string>> = { added: '+', removed: '-', moved: '>', edited: '~' };

function changeText(change: Change, paint: Paint): string {
  const { kind, title, place, repeats, rules, subject, usage } = change;
  const colour = kind === 'added' ? paint.green : kind === 'removed' ? paint.red : paint.yellow;
  const also =
    repeats.length === 0
      ? ''
      : `, and in ${quantity(repeats.length, 'place')} that ${repeats.length === 1 ? 'repeats' : 'repeat'} it`;
  const why = rules.length === 0 ? '' : ` [ignored: ${rules.join(', ')}]`;
  const head = `${colour(MARKS[kind])} ${paint.bold(escapeInvisible(title))}${paint.dim(`${placeText(place)}${also}${why}`)}`;
  const counts = usage && paint.dim(usageText(usage));
  const texts =
    kind === 'moved' || (subject === 'usage' && kind === 'edited') ? '' : textDiff(change.before, change.after, paint);
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
