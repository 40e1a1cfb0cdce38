import type { Change, ChangeKind, ChangePlace, ChangeSet } from '../model/change';
import { usageText } from '../review/usageText';
import { counted, plural } from '../text/counts';
import { escapeInvisible, indentLines } from '../text/escapeInvisible';
import { t } from '../text/l10n';
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
  const sum = changes.length === 0 ? t('no differences') : plural(changes.length, 'difference');
  yield `${sum}${hiddenText(hidden, all)}\n`;
}

function hiddenText(hidden: readonly Change[], all: boolean): string {
  if (hidden.length === 0) return '';
  const rules = [...new Set(hidden.flatMap((change) => change.rules))].join(', ');
  return all ? '' : t('; {0} ignored by rules ({1}): --all shows them', hidden.length, rules);
}

const MARKS: Readonly<Record<ChangeKind, string>> = { added: '+', removed: '-', moved: '>', edited: '~' };

function changeText(change: Change, ink: TextStyle, { note, maxLines }: ChangesOptions): string {
  const { kind, title, place, repeats, rules, subject, usage } = change;
  const colour = kind === 'added' ? ink.green : kind === 'removed' ? ink.red : ink.yellow;
  const also =
    repeats.length === 0
      ? ''
      : counted(repeats.length, ', and in {0} place that repeats it', ', and in {0} places that repeat it');
  const why = rules.length === 0 ? '' : ` [${t('ignored: {0}', rules.join(', '))}]`;
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
  if (after === undefined) return ` · ${t('was interaction {0}', (before ?? 0) + 1)}`;
  if (before === undefined || before === after) return ` · ${t('interaction {0}', after + 1)}`;
  return ` · ${t('interaction {0} (was {1})', after + 1, before + 1)}`;
}
