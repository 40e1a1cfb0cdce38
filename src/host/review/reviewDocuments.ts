import type * as vscode from 'vscode';
import type { Change } from '../../core/model/change';
import { t } from '../../core/text/l10n';
import { loadCore } from '../../reader/loadCore';
import { type ReviewAddress, readReviewAddress } from '../stores/reviews/reviewAddress';
import { changeAddressOf } from './changeDiff';
import type { ReviewContentState } from './reviewPage';
import type { ReviewWorkflow } from './reviewWorkflow';

/** The text of a review: every change in full, with its decision. */
export async function reviewDocument(workflow: ReviewWorkflow, uri: vscode.Uri): Promise<string> {
  const address = readReviewAddress(uri.query);
  if (address === undefined) throw new Error(t('{0} is not a valid link to a review.', String(uri)));
  const state = await workflow.state(address);
  if (state.notice !== undefined) return `${state.notice}\n`;
  const { reviewText } = await loadCore();
  const whole = <T extends DeferrableChange>(changes: readonly T[]) =>
    Promise.all(changes.map((change) => withTexts(workflow, address, change)));
  return reviewText({
    name: state.caseName,
    compared: comparedWith(state),
    isComparison: state.compared !== undefined,
    changes: await whole(state.changes),
    hidden: await whole(state.hidden),
    notices: state.notices,
  });
}

/** The text of one side of a change, of which VS Code's diff editor asks for both. */
export async function changeSide(uri: vscode.Uri, workflow: ReviewWorkflow): Promise<string> {
  const address = changeAddressOf(uri);
  const review = address && readReviewAddress(address.review);
  if (address === undefined || review === undefined)
    throw new Error(t('{0} is not a valid link to a change.', String(uri)));
  const { before, after } = await workflow.texts(review, address.id);
  return address.side === 'before' ? before : after;
}

type DeferrableChange = Change & { readonly deferred?: unknown };

/** A change with the texts that were left out for the page. */
async function withTexts<T extends DeferrableChange>(
  workflow: ReviewWorkflow,
  address: ReviewAddress,
  change: T,
): Promise<T> {
  return change.deferred === undefined ? change : { ...change, ...(await workflow.texts(address, change.id)) };
}

function comparedWith({ against, hasBaseline, compared }: ReviewContentState): string {
  if (compared !== undefined) return t('{0}, compared with {1}', compared.after, compared.before);
  if (against === 'commit') return t('Compared with the last commit');
  if (against === 'take') return t('Compared with the previous take');
  return hasBaseline ? t('Compared with the baseline') : t('First run, no baseline yet');
}
