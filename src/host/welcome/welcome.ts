import * as vscode from 'vscode';
import { STATE_FOLDER } from '../../core/project/layout';
import { registerCommand } from '../base/commands';
import { fileExists } from '../base/files';
import type { Log } from '../base/log';
import type { RunStore } from '../stores/runStore';

/** Registers the command that opens the sample project. */
export function registerWelcome(extensionUri: vscode.Uri, log: Log): vscode.Disposable {
  return registerCommand('tapedeck.openSample', log, () => openSampleProject(extensionUri));
}

/** Offers to ignore the state folder in git after a run, which writes to it. */
export function registerGitignoreOffer(runs: RunStore, memory: vscode.Memento): vscode.Disposable {
  return runs.onDidChange((uri) => {
    const folder = runs.get(uri)?.type === 'finished' ? vscode.workspace.getWorkspaceFolder(uri) : undefined;
    if (folder) void offerGitignore(folder.uri, memory);
  });
}

/** Copies the sample project of the extension to a folder that the user chooses, and opens it. */
async function openSampleProject(extensionUri: vscode.Uri): Promise<void> {
  const parent = await chooseFolder();
  if (parent === undefined) return;
  const target = await unusedFolder(parent, 'tapedeck-sample');
  await vscode.workspace.fs.copy(vscode.Uri.joinPath(extensionUri, 'media', 'sample'), target);
  const forceNewWindow = vscode.workspace.workspaceFolders !== undefined;
  await vscode.commands.executeCommand('vscode.openFolder', target, { forceNewWindow });
}

async function chooseFolder(): Promise<vscode.Uri | undefined> {
  const [chosen] =
    (await vscode.window.showOpenDialog({
      canSelectFiles: false,
      canSelectFolders: true,
      title: 'Choose a Folder for the Sample Project',
      openLabel: 'Create Sample Here',
    })) ?? [];
  return chosen;
}

/** The first of `name`, `name-2`, `name-3`, … that does not exist. */
async function unusedFolder(parent: vscode.Uri, name: string): Promise<vscode.Uri> {
  const taken = new Set((await vscode.workspace.fs.readDirectory(parent)).map(([entry]) => entry));
  for (let number = 1; ; number += 1) {
    const candidate = number === 1 ? name : `${name}-${number}`;
    if (!taken.has(candidate)) return vscode.Uri.joinPath(parent, candidate);
  }
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
  const message = `Tapedeck keeps runs and previous takes in ${STATE_FOLDER}/, which should not be committed.`;
  if ((await vscode.window.showInformationMessage(message, 'Add to .gitignore')) === undefined) return;
  const separator = text === '' || text.endsWith('\n') ? '' : '\n';
  await vscode.workspace.fs.writeFile(file, new TextEncoder().encode(`${text}${separator}${STATE_FOLDER}/\n`));
}
