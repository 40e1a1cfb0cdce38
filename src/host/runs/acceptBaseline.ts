import * as vscode from 'vscode';
import { registerCommand } from '../base/commands';
import { isFailedTest } from '../base/failedTest';
import { HumanError } from '../base/humanError';
import type { Log } from '../base/log';
import type { ReviewStore } from '../stores/reviewStore';
import type { EngineDecider } from './engineDecider';

/** In the peek of a failed case: makes the difference that is shown part of the baseline. */
export function registerAcceptBaseline(
  reviews: ReviewStore,
  decider: Pick<EngineDecider, 'accept'>,
  log: Log,
): vscode.Disposable {
  return registerCommand('tapedeck.acceptBaseline', log, async (argument) => {
    const message = isFailedTest(argument) ? argument.message : undefined;
    if (!isFailedTest(argument) || message === undefined)
      throw new HumanError('Accept a difference where it is shown: in the result of a case that failed.');
    const caseUri = vscode.Uri.parse(argument.test.id, true);
    const review = await reviews.get(caseUri);
    const { expectedOutput: before, actualOutput: after } = message;
    const ids = (review?.changes ?? [])
      .filter((one) => one.before === before && one.after === after)
      .map(({ id }) => id);
    if (review === undefined || ids.length === 0)
      throw new HumanError('This difference is gone: the case has run again, or it was accepted.');
    try {
      await decider.accept(caseUri, { ids, stamp: review.stamp });
    } finally {
      reviews.refresh(caseUri);
    }
  });
}
