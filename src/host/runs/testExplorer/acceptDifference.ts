import * as vscode from 'vscode';
import type { Failure } from '../../../core/model/run';
import { t } from '../../../core/text/l10n';
import type { FailedTest } from '../../base/commandArguments';
import { registerCommand } from '../../base/commands';
import { HumanError } from '../../base/humanError';
import type { Log } from '../../base/log';
import type { ReviewCalls } from '../../engine/engineReviews';
import type { CaseStates } from '../../stores/cases/caseStates';
import { subjectOf } from '../../stores/reviews/reviewAddress';
import type { ReviewStore } from '../../stores/reviews/reviewStore';
import { lineMessage } from './lineMessage';

interface Texts {
  readonly expected?: string | undefined;
  readonly actual?: string | undefined;
}

type ShownMessage = NonNullable<FailedTest['message']>;

interface DifferenceServices {
  readonly store: ReviewStore;
  readonly states: Pick<CaseStates, 'get'>;
  readonly reviews: Pick<ReviewCalls, 'decide'>;
}

/** Registers the command in the peek view of a failed case that accepts the difference into the baseline. */
export function registerAcceptDifference(services: DifferenceServices, log: Log): vscode.Disposable {
  return registerCommand('tapedeck.acceptBaseline', log, async (argument) => {
    if (argument.type !== 'failedTest' || argument.failure.message === undefined)
      throw new HumanError(
        t('No difference is selected. Accept one in the result of a failed case, in the Test Explorer.'),
      );
    const { testId, message } = argument.failure;
    await acceptShown(vscode.Uri.parse(testId, true), message, services);
  });
}

/** Accepts the difference that a message of the Test Explorer shows into the baseline of its case. */
async function acceptShown(
  caseUri: vscode.Uri,
  message: ShownMessage,
  { store, states, reviews }: DifferenceServices,
): Promise<void> {
  const review = await store.get(caseUri);
  const texts = await shownFailure(message, async () => (await states.get(caseUri)).run?.failures ?? []);
  const changes = (review?.changes ?? [])
    .filter((one) => one.before === texts?.expected && one.after === texts.actual)
    .map(({ id }) => id);
  if (review === undefined || changes.length === 0)
    throw new HumanError(t('This difference no longer exists: it was accepted, or the case has run again.'));
  try {
    const subject = subjectOf({ about: 'run', uri: caseUri });
    await reviews.decide({ ...subject, verdict: 'accepted', changes, stamp: review.stamp });
  } finally {
    store.refresh(caseUri);
  }
}

/**
 * The failure that has the two texts of the message. The message with the line alone has no texts: it stands for the failures that
 * have that line, which have to be equal.
 */
async function shownFailure(
  { message, expectedOutput: expected, actualOutput: actual }: ShownMessage,
  failures: () => Promise<readonly Failure[]>,
): Promise<Texts | undefined> {
  if (expected !== undefined || typeof message !== 'object') return { expected, actual };
  const found = (await failures()).filter((failure) => isMessageOf(failure, message.value));
  const [first] = found;
  return found.every((one) => one.expected === first?.expected && one.actual === first?.actual) ? first : undefined;
}

/** The message of a failure has the diff of its texts after the line. */
function isMessageOf(failure: Failure, shown: string): boolean {
  const line = lineMessage(failure)?.value;
  return line !== undefined && shown.startsWith(line);
}
