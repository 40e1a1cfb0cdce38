import * as vscode from 'vscode';
import { STATE_FOLDER } from '../../core/project/layout';
import { isThere } from '../base/isThere';

const DECLINED = 'tapedeck.ignoreDeclined';

/**
 * After the first run in a git project whose .gitignore does not name `.tapedeck/`, offers to add the line. It never
 * edits unasked, and asks once.
 */
export async function offerIgnore(folder: vscode.Uri, memory: vscode.Memento): Promise<void> {
  const declined = memory.get<readonly string[]>(DECLINED, []);
  if (declined.includes(folder.toString()) || !(await isThere(vscode.Uri.joinPath(folder, '.git')))) return;
  const file = vscode.Uri.joinPath(folder, '.gitignore');
  const text = (await isThere(file)) ? new TextDecoder().decode(await vscode.workspace.fs.readFile(file)) : '';
  if (text.split(/\r?\n/).some((line) => /^\/?\.tapedeck\/?$/.test(line.trim()))) return;
  await memory.update(DECLINED, [...declined, folder.toString()]);
  const message = `Tapedeck keeps runs and previous takes in ${STATE_FOLDER}/, which is not for committing.`;
  if ((await vscode.window.showInformationMessage(message, 'Add to .gitignore')) === undefined) return;
  const separator = text === '' || text.endsWith('\n') ? '' : '\n';
  await vscode.workspace.fs.writeFile(file, new TextEncoder().encode(`${text}${separator}${STATE_FOLDER}/\n`));
}
