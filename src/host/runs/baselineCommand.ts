import * as vscode from 'vscode';
import { t } from '../../core/text/l10n';
import type { CommandArgument } from '../base/commandArguments';
import { registerCommand } from '../base/commands';
import { HumanError } from '../base/humanError';
import type { Log } from '../base/log';
import type { ReviewCalls } from '../engine/engineReviews';
import type { CaseEntry } from '../stores/cases/caseEntry';
import type { CaseStore } from '../stores/cases/caseStore';
import { subjectOf } from '../stores/reviews/reviewAddress';
import type { ReviewStore } from '../stores/reviews/reviewStore';

/** Registers the command that makes the last run of a case its first baseline. */
export function registerCreateBaseline(
  cases: CaseStore,
  store: ReviewStore,
  reviews: Pick<ReviewCalls, 'decide' | 'review'>,
  log: Log,
): vscode.Disposable {
  return registerCommand('tapedeck.createBaseline', log, async (argument) => {
    const entry = await entryOf(cases, argument);
    const subject = subjectOf({ about: 'run', uri: entry.uri });
    const review = await reviews.review(subject);
    if (review === null) throw new HumanError(t('{0} has not run yet. Replay it first.', entry.name));
    const changes = review.changes.filter(({ decision }) => decision === 'open').map(({ id }) => id);
    if (changes.length === 0) throw new HumanError(t('{0} already has this run as its baseline.', entry.name));
    try {
      await reviews.decide({ ...subject, verdict: 'accepted', changes, stamp: review.stamp });
    } finally {
      store.refresh(entry.uri);
    }
  });
}

async function entryOf(cases: CaseStore, argument: CommandArgument): Promise<CaseEntry> {
  const active = vscode.window.activeTextEditor?.document.uri;
  const uri = argument.type === 'uri' ? argument.uri : argument.type === 'node' ? argument.node.resource : active;
  const entries = uri === undefined ? [] : await cases.open(uri);
  const entry = entries.find((one) => one.uri.toString() === uri?.toString()) ?? entries[0];
  if (entry === undefined)
    throw new HumanError(t('No case is selected. Open one, or select one in the Tapedeck view.'));
  return entry;
}
