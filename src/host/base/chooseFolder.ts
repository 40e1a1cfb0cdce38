import * as vscode from 'vscode';
import { t } from '../../core/text/l10n';
import { HumanError } from './humanError';

/** The folder of the workspace that the user means: the only one, or the one that they choose. Throws a `HumanError` with `reason` where none is open. */
export async function chooseFolder(reason: string): Promise<vscode.WorkspaceFolder> {
  const [first, ...others] = vscode.workspace.workspaceFolders ?? [];
  if (first === undefined)
    throw new HumanError(reason, {
      title: t('Open Folder'),
      run: () => vscode.commands.executeCommand('workbench.action.files.openFolder'),
    });
  const chosen = others.length === 0 ? first : await vscode.window.showWorkspaceFolderPick();
  if (chosen === undefined) throw new vscode.CancellationError();
  return chosen;
}
