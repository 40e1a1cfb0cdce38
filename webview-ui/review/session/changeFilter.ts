import type { Change } from '../../../src/core/model/change';
import type { ChangeTexts, ReviewedChange } from '../../../src/protocol/review';

/** What a change is about, as coarsely as one looks for it. */
export const CHANGE_GROUPS = ['Answers', 'Tools', 'Interactions', 'Files', 'Context', 'Numbers'] as const;
export type ChangeGroup = (typeof CHANGE_GROUPS)[number];

export function groupOf({ weight, subject }: Pick<Change, 'weight' | 'subject'>): ChangeGroup {
  if (subject === 'interaction') return 'Interactions';
  if (subject === 'file') return 'Files';
  if (weight !== 'behaviour') return weight === 'context' ? 'Context' : 'Numbers';
  return /^tool|^arguments$/.test(subject) ? 'Tools' : 'Answers';
}

/** Which changes are listed. An empty text, and no group, are no condition. */
export interface ChangeFilter {
  readonly text: string;
  readonly group: ChangeGroup | undefined;
}

export const NO_FILTER: ChangeFilter = { text: '', group: undefined };

/** The changes that a filter lets through; what is looked for stands in a title or in a text that is here. */
export function filterChanges(
  changes: readonly ReviewedChange[],
  { text, group }: ChangeFilter,
  texts: ReadonlyMap<string, ChangeTexts>,
): readonly ReviewedChange[] {
  const wanted = text.trim().toLowerCase();
  if (wanted === '' && group === undefined) return changes;
  const says = (change: ReviewedChange): boolean => {
    const { before, after } = texts.get(change.id) ?? change;
    return [change.title, before, after, change.deferred?.preview ?? '', change.reason ?? ''].some((one) =>
      one.toLowerCase().includes(wanted),
    );
  };
  return changes.filter(
    (change) => (group === undefined || groupOf(change) === group) && (wanted === '' || says(change)),
  );
}

/** How many changes there are of each group that there is. */
export function countGroups(changes: readonly ReviewedChange[]): readonly (readonly [ChangeGroup, number])[] {
  return CHANGE_GROUPS.flatMap((group) => {
    const number = changes.filter((change) => groupOf(change) === group).length;
    return number === 0 ? [] : [[group, number] as const];
  });
}

/** The group after another one, and after the last one none. */
export function nextGroup(changes: readonly ReviewedChange[], group: ChangeGroup | undefined): ChangeGroup | undefined {
  const groups = countGroups(changes).map(([name]) => name);
  return group === undefined ? groups[0] : groups[groups.indexOf(group) + 1];
}
