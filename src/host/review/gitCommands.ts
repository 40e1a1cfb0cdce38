import * as vscode from 'vscode';
import type { StagedFiles } from '../../protocol/engine';
import { registerCommand } from '../base/commands';
import { HumanError } from '../base/humanError';
import type { Log } from '../base/log';
import type { ReportDocuments } from '../base/reportDocuments';

/** What the engine does in git, for the project at a root. */
export interface ProjectGit {
  stageAccepted(root: string): Promise<StagedFiles>;
  restoreRejected(root: string): Promise<readonly string[]>;
  /** As Markdown. */
  changesSince(root: string, revision: string): Promise<string>;
}

/** The last step of a review: into the index with what is accepted, out of the files with what is rejected. */
export function registerGitCommands(git: ProjectGit, reports: ReportDocuments, log: Log): vscode.Disposable {
  return vscode.Disposable.from(
    registerCommand('tapedeck.stageAccepted', log, async () => {
      await inEachFolder(
        (root) => git.stageAccepted(root),
        (folders) => {
          const staged = folders.flatMap((folder) => folder.staged);
          const open = folders.flatMap((folder) => folder.open);
          void showOutcome(stagedText(staged, open), staged.length > 0);
        },
      );
    }),
    registerCommand('tapedeck.restoreRejected', log, async () => {
      await inEachFolder(
        (root) => git.restoreRejected(root),
        (folders) => {
          const restored = folders.flat();
          const text =
            restored.length === 0 ? 'Nothing that was rejected is there again.' : `Restored ${listPaths(restored)}.`;
          void showOutcome(text, restored.length > 0);
        },
      );
    }),
    registerCommand('tapedeck.changesSince', log, async () => {
      const revision = await askRevision();
      if (revision === undefined) return;
      await inEachFolder(
        (root) => git.changesSince(root, revision),
        async (parts) => {
          const uri = reports.put(`changes since ${revision.replaceAll('/', '_')}.md`, parts.join('\n'));
          await vscode.commands.executeCommand('markdown.showPreview', uri);
        },
      );
    }),
  );
}

function askRevision(): Thenable<string | undefined> {
  return vscode.window.showInputBox({
    title: 'Recordings Changed Since…',
    prompt: 'A branch, a tag or a commit; or a range of commits: A..B',
    value: 'origin/main',
  });
}

/** Tells of the folders in which it was done, before it fails for the first of the others. */
async function inEachFolder<T>(
  act: (root: string) => Promise<T>,
  tell: (done: readonly T[]) => void | Promise<void>,
): Promise<void> {
  const results = await Promise.allSettled(roots().map((root) => act(root)));
  const done = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
  if (done.length > 0) await tell(done);
  for (const result of results) if (result.status === 'rejected') throw result.reason;
}

function roots(): readonly string[] {
  const folders = (vscode.workspace.workspaceFolders ?? []).filter(({ uri }) => uri.scheme === 'file');
  if (folders.length === 0) throw new HumanError('Open the folder of a project first.');
  return folders.map(({ uri }) => uri.fsPath);
}

function stagedText(staged: readonly string[], open: StagedFiles['open']): string {
  const left = open.length === 0 ? '' : ` Not all is decided in ${listPaths(open.map(({ path }) => path))}.`;
  return staged.length === 0 ? `There is nothing to stage.${left}` : `Staged ${listPaths(staged)}.${left}`;
}

function listPaths(paths: readonly string[]): string {
  return paths.length <= 3 ? paths.join(', ') : `${paths.length} files`;
}

/** Nobody waits for the answer to a message. */
async function showOutcome(text: string, leadsToGit: boolean): Promise<void> {
  const show = 'Show in Source Control';
  const chosen = await vscode.window.showInformationMessage(text, ...(leadsToGit ? [show] : []));
  if (chosen === show) await vscode.commands.executeCommand('workbench.view.scm');
}
