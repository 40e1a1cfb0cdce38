import * as vscode from 'vscode';
import type { StagedFiles } from '../../contracts/engine/engineReviews';
import { plural } from '../../core/text/counts';
import { t } from '../../core/text/l10n';
import { HumanError } from '../base/humanError';
import type { ReportDocuments } from '../base/reportDocuments';
import type { ReviewCalls } from '../engine/engineReviews';

/** Puts the accepted files into the index. Resolves with true, for callers who learn of errors by nothing else. */
export async function stageAccepted(reviews: ReviewCalls): Promise<true> {
  await inEachFolder(
    (root) => reviews.stage({ root }),
    (folders) => {
      const staged = folders.flatMap((folder) => folder.staged);
      const pending = folders.flatMap((folder) => folder.pending);
      void showOutcome(stagedText(staged, pending), staged.length > 0);
    },
  );
  return true;
}

/** Takes rejected changes that have come back out of the files again. */
export async function restoreRejected(reviews: ReviewCalls): Promise<void> {
  await inEachFolder(
    (root) => reviews.reapplyRejections({ root }),
    (folders) => {
      const restored = folders.flat();
      const text =
        restored.length === 0 ? t('No rejected changes have come back.') : t('Restored {0}.', listPaths(restored));
      void showOutcome(text, restored.length > 0);
    },
  );
}

/** Shows what the recordings have changed since a commit that the user names. */
export async function showChangesSince(reviews: ReviewCalls, reports: ReportDocuments): Promise<void> {
  const revision = await askRevision();
  if (revision === undefined) return;
  await inEachFolder(
    (root) => reviews.changesSince({ root, revision }),
    async (parts) => {
      const uri = reports.put(`${t('changes since {0}', revision.replaceAll('/', '_'))}.md`, parts.join('\n'));
      await vscode.commands.executeCommand('markdown.showPreview', uri);
    },
  );
}

function askRevision(): Thenable<string | undefined> {
  return vscode.window.showInputBox({
    title: t('Recordings Changed Since…'),
    prompt: t('A branch, tag, commit, or range of commits (A..B)'),
    value: 'origin/main',
  });
}

/** Reports the folders in which `act` succeeded, then fails with the first error of the others. */
async function inEachFolder<T>(
  act: (root: string) => Promise<T>,
  report: (done: readonly T[]) => void | Promise<void>,
): Promise<void> {
  const results = await Promise.allSettled(roots().map((root) => act(root)));
  const done = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
  if (done.length > 0) await report(done);
  for (const result of results) if (result.status === 'rejected') throw result.reason;
}

function roots(): readonly string[] {
  const folders = (vscode.workspace.workspaceFolders ?? []).filter(({ uri }) => uri.scheme === 'file');
  if (folders.length === 0) throw new HumanError(t('Open a project folder first.'));
  return folders.map(({ uri }) => uri.fsPath);
}

function stagedText(staged: readonly string[], pending: StagedFiles['pending']): string {
  const left =
    pending.length === 0 ? '' : t(' Changes are pending in {0}.', listPaths(pending.map(({ path }) => path)));
  return staged.length === 0 ? t('There is nothing to stage.{0}', left) : t('Staged {0}.{1}', listPaths(staged), left);
}

function listPaths(paths: readonly string[]): string {
  return paths.length <= 3 ? paths.join(', ') : plural(paths.length, 'file');
}

/** Settles when the message is closed, so callers do not wait for it. A review that is open has a button for what comes next. */
async function showOutcome(text: string, hasChanged: boolean): Promise<void> {
  const open = t('Open Source Control');
  const chosen = await vscode.window.showInformationMessage(text, ...(hasChanged && !isReviewOpen() ? [open] : []));
  if (chosen === open) await vscode.commands.executeCommand('workbench.view.scm');
}

function isReviewOpen(): boolean {
  const input = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
  return input instanceof vscode.TabInputWebview && input.viewType.endsWith('tapedeck.review');
}
