import * as vscode from 'vscode';
import type { NamedChange } from '../../contracts/engine/review';
import type { Decision } from '../../core/review/decisions';
import { counted } from '../../core/text/counts';
import { joinedByCommas } from '../../core/text/joinedByCommas';
import { t } from '../../core/text/l10n';
import { fileName } from '../base/fileName';
import type { ReviewAddress } from '../stores/reviews/reviewAddress';
import type { ReviewWorkflow } from './reviewWorkflow';

/** Decides on all pending changes of the chosen items. Without any, all pending items are meant, and it requires confirmation. */
export async function decideChosen(
  workflow: ReviewWorkflow,
  verdict: Decision,
  chosen: readonly ReviewAddress[] | undefined,
): Promise<void> {
  const isSection = chosen === undefined;
  const addresses = isSection
    ? workflow.queue.entries.filter(({ open }) => open > 0).map(({ address }) => address)
    : chosen;
  if (isSection && !(await confirmAll(verdict, addresses.length))) return;
  for (const address of addresses) {
    const belonging = await workflow.decideAll(address, verdict);
    if (belonging.length > 0) showBelonging(fileName(address.uri), verdict, belonging);
  }
}

function showBelonging(file: string, verdict: Decision, changes: readonly NamedChange[]): void {
  const titles = joinedByCommas(changes.map(({ title }) => title));
  const said =
    verdict === 'accepted'
      ? t('{0}: {1} accepted as well, because the file cannot be written with only some of its changes.', file, titles)
      : t('{0}: {1} rejected as well, because the file cannot be written with only some of its changes.', file, titles);
  void vscode.window.showInformationMessage(said);
}

async function confirmAll(verdict: Decision, files: number): Promise<boolean> {
  const isAccepted = verdict === 'accepted';
  const detail = t('You can undo each decision, one file at a time.');
  const question = isAccepted
    ? counted(files, 'Accept all pending changes in {0} file?', 'Accept all pending changes in {0} files?')
    : counted(files, 'Reject all pending changes in {0} file?', 'Reject all pending changes in {0} files?');
  return (
    (await vscode.window.showWarningMessage(
      question,
      { modal: true, detail },
      isAccepted ? t('Accept All') : t('Reject All'),
    )) !== undefined
  );
}
