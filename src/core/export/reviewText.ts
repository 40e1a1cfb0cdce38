import type { ChangeSet } from '../model/change';
import type { DecidedChange } from '../review/decisions';
import { escapeInvisible } from '../text/escapeInvisible';
import { PLAIN_STYLE } from '../text/textStyle';
import { changesText } from './changesText';

/** A review with all of its texts. */
export interface WrittenReview extends ChangeSet {
  /** The name of the case or the file. */
  readonly name: string;
  /** Such as "Compared with the last commit". */
  readonly compared: string;
  readonly changes: readonly DecidedChange[];
}

const DECISIONS = { open: 'pending', accepted: 'accepted', rejected: 'rejected' } as const;

/** A review in plain text: as `diff` prints its changes, with what was decided on each, and with nothing left out. */
export function reviewText({ name, compared, ...set }: WrittenReview): string {
  const decisions = new Map(set.changes.map(({ id, decision }) => [id, DECISIONS[decision]]));
  const counts = Object.values(DECISIONS).flatMap((said) => {
    const count = [...decisions.values()].filter((one) => one === said).length;
    return count === 0 ? [] : [`${count} ${said}`];
  });
  const changes = changesText(set, PLAIN_STYLE, {
    all: true,
    note: ({ id }) => decisions.get(id) ?? '',
    maxLines: Number.POSITIVE_INFINITY,
  });
  return `Review of ${escapeInvisible(name)}\n${[compared, ...counts].join(' · ')}\n\n${changes}`;
}
