import * as vscode from 'vscode';
import type { DecidedSubject, DecideTogetherParams } from '../../../contracts/engine/engineReviews';
import type { SharedChange } from '../../../contracts/engine/review';
import type { SameChange, SameDecision } from '../../../contracts/pages/reviewPanel';
import { t } from '../../../core/text/l10n';
import { HumanError } from '../../base/humanError';
import { type ChangeAddress, isSameReview, type ReviewAddress, subjectOf } from './reviewAddress';
import type { QueuedReview } from './reviewQueue';

/** A review with its changes that are the same as those of others. */
export interface SameMember {
  readonly review: QueuedReview;
  readonly changes: readonly SharedChange[];
}

/** The number of reviews with the same change, by the change's id; without changes that are in no other review. */
function countSame(queue: readonly QueuedReview[], address: ReviewAddress): Readonly<Record<string, number>> {
  const own = queue.find((entry) => isSameReview(entry.address, address))?.shared ?? [];
  const counts = own.map(({ id }): readonly [string, number] => [id, membersOf(queue, address, id).length]);
  return Object.fromEntries(counts.filter(([, count]) => count > 1));
}

/** The reviews of the same project with the same change as that of `address`, which is the first. */
function membersOf(queue: readonly QueuedReview[], address: ReviewAddress, id: string): readonly SameMember[] {
  const isOwn = (entry: QueuedReview): boolean => isSameReview(entry.address, address);
  const key = queue.find(isOwn)?.shared.find((change) => change.id === id)?.key;
  const folder = folderOf(address);
  const members = queue.flatMap((review): readonly SameMember[] => {
    if (folderOf(review.address) !== folder) return [];
    const changes = review.shared.filter((change) => change.key === key);
    return changes.length === 0 ? [] : [{ review, changes }];
  });
  return [...members.filter(({ review }) => isOwn(review)), ...members.filter(({ review }) => !isOwn(review))];
}

function shownMembers(members: readonly SameMember[]): readonly SameChange[] {
  return members.flatMap(({ review: { path }, changes }) =>
    changes.map(({ title, before, after }) => ({ path, title, before, after })),
  );
}

/** The common decision on all members. */
function decisionOnMembers(members: readonly SameMember[], decision: SameDecision): DecideTogetherParams {
  const [first] = members;
  if (first === undefined) throw new HumanError(t('These changes no longer exist. Open the review again.'));
  return { root: subjectOf(first.review.address).root, ...decision, members: members.map(decidedSubject) };
}

function decidedSubject({ review: { address, stamp }, changes }: SameMember): DecidedSubject {
  return { subject: subjectOf(address).subject, stamp, changes: changes.map(({ id }) => id) };
}

function folderOf({ uri }: ChangeAddress | ReviewAddress): string | undefined {
  return vscode.workspace.getWorkspaceFolder(uri)?.uri.toString();
}

/** Changes that are the same in several reviews, and one decision on them. */
export const sameChanges = {
  count: countSame,
  members: membersOf,
  shown: shownMembers,
  decision: decisionOnMembers,
} as const;
