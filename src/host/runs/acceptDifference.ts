import * as vscode from 'vscode';
import { registerCommand } from '../base/commands';
import { HumanError } from '../base/humanError';
import type { Log } from '../base/log';
import type { ReviewCalls } from '../engine/engineReviews';
import { subjectOf } from '../stores/reviewAddress';
import type { ReviewStore } from '../stores/reviewStore';

/** Registers the command in the peek view of a failed case that accepts the difference into the baseline. */
export function registerAcceptDifference(
  store: ReviewStore,
  reviews: Pick<ReviewCalls, 'decide'>,
  log: Log,
): vscode.Disposable {
  return registerCommand('tapedeck.acceptBaseline', log, async (argument) => {
    if (argument.type !== 'failedTest' || argument.failure.message === undefined)
      throw new HumanError(
        'No difference is selected. Accept one in the result of a failed case, in the Test Explorer.',
      );
    const { testId, message } = argument.failure;
    const caseUri = vscode.Uri.parse(testId, true);
    const review = await store.get(caseUri);
    const { expectedOutput: before, actualOutput: after } = message;
    const changes = (review?.changes ?? [])
      .filter((one) => one.before === before && one.after === after)
      .map(({ id }) => id);
    if (review === undefined || changes.length === 0)
      throw new HumanError('This difference no longer exists: it was accepted, or the case has run again.');
    try {
      const subject = subjectOf({ about: 'run', uri: caseUri });
      await reviews.decide({ ...subject, verdict: 'accepted', changes, stamp: review.stamp });
    } finally {
      store.refresh(caseUri);
    }
  });
}
