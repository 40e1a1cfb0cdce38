import type { ChangeTexts, ReviewedChange } from '../../../src/contracts/engine/review';
import type { Change } from '../../../src/core/model/change';
import { message } from '../../../src/core/text/l10n';

/** The groups that changes are filtered by, as messages. */
const CHANGE_GROUPS = [
  message('Responses'),
  message('Tools'),
  message('Interactions'),
  message('Files'),
  message('Context'),
  message('Numbers'),
] as const;
export type ChangeGroup = (typeof CHANGE_GROUPS)[number];

export function groupOf({ weight, subject }: Pick<Change, 'weight' | 'subject'>): ChangeGroup {
  if (subject === 'interaction') return 'Interactions';
  if (subject === 'file' || subject === 'unread') return 'Files';
  if (weight !== 'behaviour') return weight === 'context' ? 'Context' : 'Numbers';
  return /^tool|^arguments$/.test(subject) ? 'Tools' : 'Responses';
}

/** The conditions for a change to be listed. An empty text or no group is no condition. */
export interface ChangeFilter {
  readonly text: string;
  readonly group: ChangeGroup | undefined;
}

export const NO_FILTER: ChangeFilter = { text: '', group: undefined };

/** The changes that match a filter, by their titles and by those texts that are loaded. */
export function filterChanges(
  changes: readonly ReviewedChange[],
  { text, group }: ChangeFilter,
  texts: ReadonlyMap<string, ChangeTexts>,
): readonly ReviewedChange[] {
  const wanted = text.trim().toLowerCase();
  if (wanted === '' && group === undefined) return changes;
  const matchesText = (change: ReviewedChange): boolean => {
    const { before, after } = texts.get(change.id) ?? change;
    return [change.title, before, after, change.deferred?.preview ?? '', change.reason ?? ''].some((part) =>
      part.toLowerCase().includes(wanted),
    );
  };
  return changes.filter(
    (change) => (group === undefined || groupOf(change) === group) && (wanted === '' || matchesText(change)),
  );
}

/** The number of changes in each group that has any. */
export function countGroups(changes: readonly ReviewedChange[]): readonly (readonly [ChangeGroup, number])[] {
  return CHANGE_GROUPS.flatMap((group) => {
    const number = changes.filter((change) => groupOf(change) === group).length;
    return number === 0 ? [] : [[group, number] as const];
  });
}

/** The group after another one; undefined after the last. */
export function nextGroup(changes: readonly ReviewedChange[], group: ChangeGroup | undefined): ChangeGroup | undefined {
  const groups = countGroups(changes).map(([name]) => name);
  return group === undefined ? groups[0] : groups[groups.indexOf(group) + 1];
}
