import type * as vscode from 'vscode';
import type { Failure } from '../../core/model/run';
import type { FailedTest } from '../base/commandArguments';
import { HumanError } from '../base/humanError';
import type { ReviewCalls } from '../engine/engineReviews';
import type { CaseStates } from '../stores/caseStates';
import { subjectOf } from '../stores/reviewAddress';
import type { ReviewStore } from '../stores/reviewStore';
import { lineMessage } from './testResults';

type ShownMessage = NonNullable<FailedTest['message']>;

export interface DifferenceServices {
  readonly store: ReviewStore;
  readonly states: Pick<CaseStates, 'get'>;
  readonly reviews: Pick<ReviewCalls, 'decide'>;
}

/** Accepts the difference that a message of the Test Explorer shows into the baseline of its case. */
export async function acceptShown(
  caseUri: vscode.Uri,
  message: ShownMessage,
  { store, states, reviews }: DifferenceServices,
): Promise<void> {
  const review = await store.get(caseUri);
  const texts = await textsOf(message, async () => (await states.get(caseUri)).run?.failures ?? []);
  const changes = (review?.changes ?? [])
    .filter((one) => one.before === texts?.before && one.after === texts.after)
    .map(({ id }) => id);
  if (review === undefined || changes.length === 0)
    throw new HumanError('This difference no longer exists: it was accepted, or the case has run again.');
  try {
    const subject = subjectOf({ about: 'run', uri: caseUri });
    await reviews.decide({ ...subject, verdict: 'accepted', changes, stamp: review.stamp });
  } finally {
    store.refresh(caseUri);
  }
}

interface Texts {
  readonly before: string | undefined;
  readonly after: string | undefined;
}

/** The two texts of a difference: those of the message, or, for the message with the line alone, those of the failure that has it. */
async function textsOf(
  { message, expectedOutput: before, actualOutput: after }: ShownMessage,
  failures: () => Promise<readonly Failure[]>,
): Promise<Texts | undefined> {
  if (before !== undefined || typeof message !== 'object') return { before, after };
  const found = (await failures()).filter((failure) => lineMessage(failure)?.value === message.value);
  const [first] = found;
  const isOne = found.every(({ expected, actual }) => expected === first?.expected && actual === first?.actual);
  return first !== undefined && isOne ? { before: first.expected, after: first.actual } : undefined;
}
