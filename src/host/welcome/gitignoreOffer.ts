import * as vscode from 'vscode';
import { STATE_FOLDER } from '../../core/project/layout';
import { t } from '../../core/text/l10n';
import { fileExists } from '../base/files';
import type { RunStore } from '../stores/runs/runStore';

/** Offers to ignore the state folder in git after a run, which writes to it. */
export function registerGitignoreOffer(runs: RunStore, memory: vscode.Memento): vscode.Disposable {
  return runs.onDidChange((uri) => {
    const folder = runs.get(uri)?.type === 'finished' ? vscode.workspace.getWorkspaceFolder(uri) : undefined;
    if (folder) void offerGitignore(folder.uri, memory);
  });
}

const DECLINED = 'tapedeck.ignoreDeclined';

/**
 * Offers to add `.tapedeck/` to the .gitignore of a git project that does not have it. It asks once, and edits nothing
 * without consent.
 */
async function offerGitignore(folder: vscode.Uri, memory: vscode.Memento): Promise<void> {
  const declined = memory.get<readonly string[]>(DECLINED, []);
  if (declined.includes(folder.toString()) || !(await fileExists(vscode.Uri.joinPath(folder, '.git')))) return;
  const file = vscode.Uri.joinPath(folder, '.gitignore');
  const text = (await fileExists(file)) ? new TextDecoder().decode(await vscode.workspace.fs.readFile(file)) : '';
  if (text.split(/\r?\n/).some((line) => /^\/?\.tapedeck\/?$/.test(line.trim()))) return;
  await memory.update(DECLINED, [...declined, folder.toString()]);
  const message = t('Tapedeck keeps runs and previous takes in {0}/, which should not be committed.', STATE_FOLDER);
  if ((await vscode.window.showInformationMessage(message, t('Add to .gitignore'))) === undefined) return;
  const separator = text === '' || text.endsWith('\n') ? '' : '\n';
  await vscode.workspace.fs.writeFile(file, new TextEncoder().encode(`${text}${separator}${STATE_FOLDER}/\n`));
}
