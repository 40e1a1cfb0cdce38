import { type Json, prettyJson } from '../../core/json/json';
import type { TapePair } from '../../core/review/alignTapes';
import type { Interaction } from '../../core/tapes/tape';
import type { Paint } from '../commands/paint';
import { counted } from '../runs/describeComparison';
import { textDiff } from './textDiff';
import { indented, visible } from './visible';

/** Two aligned tapes: every interaction that is not the same, and how many are. */
export function tapeDiffText(pairs: readonly TapePair[], paint: Paint): string {
  const same = pairs.filter(({ type }) => type === 'same').length;
  const changes = pairs.filter(({ type }) => type !== 'same').map((pair) => pairText(pair, paint));
  const sum = changes.length === 0 ? 'no differences' : `${counted(changes.length, 'difference')}`;
  return `${[...changes, `${sum}; ${counted(same, 'interaction')} the same`].join('\n')}\n`;
}

function pairText({ type, before, after, differences }: TapePair, paint: Paint): string {
  if (type === 'added') return `${paint.green('+')} ${place(after, 'added', paint)}\n${excerpt(after)}`;
  if (type === 'removed') return `${paint.red('-')} ${place(before, 'removed', paint)}\n${excerpt(before)}`;
  const moved = before?.index === after?.index ? '' : ` (was ${(before?.index ?? 0) + 1})`;
  const fields = differences.map(
    (difference) =>
      `  ${difference.field}\n${indented(textDiff(asText(difference.before), asText(difference.after), paint), '    ')}`,
  );
  return [`${paint.yellow('~')} ${place(after, `changed${moved}`, paint)}`, ...fields].join('\n');
}

function place(interaction: Interaction | undefined, what: string, paint: Paint): string {
  return paint.bold(`interaction ${(interaction?.index ?? 0) + 1} ${what}`);
}

/** Enough of an interaction to recognise it. */
function excerpt(interaction: Interaction | undefined): string {
  const asked = interaction?.request?.messages.at(-1)?.content ?? '';
  const calls = interaction?.response?.toolCalls.map(({ name }) => `→ ${name}`) ?? [];
  const answered = [interaction?.response?.content ?? '', ...calls].filter((text) => text !== '').join(' ');
  return [asked, answered]
    .filter((text) => text !== '')
    .map((text) => `  ${shortened(visible(text))}`)
    .join('\n');
}

function shortened(text: string): string {
  const [line = ''] = text.split('\n');
  return line.length > 100 || line !== text ? `${line.slice(0, 100)}…` : line;
}

function asText(value: Json): string {
  if (value === null) return '';
  return typeof value === 'string' ? value : prettyJson(value);
}
