import type { Change, Weight } from './change';

/** More kinds of change than these do not fit beside a file's name. */
const MOST_NAMED = 2;
const ORDER: readonly Weight[] = ['behaviour', 'context', 'accounting'];

/** What changed, in a few words: what matters most first, what happened often counted, as in "Answer ×3, Model, 2 more". */
export function changesInWords(changes: readonly Pick<Change, 'title' | 'weight'>[]): string {
  const counts = new Map<string, number>();
  const inOrder = ORDER.flatMap((weight) => changes.filter((change) => change.weight === weight));
  for (const { title } of inOrder) counts.set(title, (counts.get(title) ?? 0) + 1);
  const named = [...counts].slice(0, MOST_NAMED);
  const rest = changes.length - named.reduce((sum, [, count]) => sum + count, 0);
  const words = named.map(([title, count]) => (count === 1 ? title : `${title} ×${count}`));
  return [...words, ...(rest > 0 ? [`${rest} more`] : [])].join(', ');
}
