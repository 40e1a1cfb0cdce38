import * as vscode from 'vscode';
import type { HookState } from '../../protocol/hooks';
import { chooseFolder } from '../base/chooseFolder';
import type { SessionParts } from './sessionParts';

/** Installs the gate as the pre-commit hook of a repository, or removes it. Asks where there is a hook already. */
export async function changeHook({ engine }: Pick<SessionParts, 'engine'>): Promise<void> {
  const folder = await chooseFolder('Open a folder first: the hook goes into its repository.');
  const root = folder.uri.fsPath;
  const hook = await engine.call('hook', { root });
  if (hook.manager === 'lefthook' || hook.manager === 'pre-commit') return byHand(hook);
  if (hook.state === 'installed') return remove(hook, root, engine);
  if (hook.state === 'script') return byHand(hook);
  if (!(await agreed(hook))) throw new vscode.CancellationError();
  const { file } = await engine.call('changeHook', { root, change: 'install' });
  const message = `${shownPath(file)} now runs “tapedeck check”: a commit with pending changes of tapes or baselines is stopped.`;
  if ((await vscode.window.showInformationMessage(message, 'Open Hook')) !== undefined) await open(file);
}

/** A new hook of git's own needs no question: the command was it. */
async function agreed({ manager, state, file, lines }: HookState): Promise<boolean> {
  if (state === 'absent' && manager === 'git') return true;
  const isNew = state === 'absent';
  const title = isNew ? `Create the husky hook ${shownPath(file)}?` : `Add to the hook ${shownPath(file)}?`;
  const what = isNew
    ? 'It will have these lines:'
    : 'These lines will be added at the top; everything else stays as it is:';
  const action = isNew ? 'Create Hook' : 'Add to Hook';
  return (
    (await vscode.window.showInformationMessage(title, { modal: true, detail: `${what}\n\n${lines}` }, action)) ===
    action
  );
}

async function remove({ file }: HookState, root: string, engine: SessionParts['engine']): Promise<void> {
  const action = 'Remove';
  const title = `Remove Tapedeck's check from ${shownPath(file)}?`;
  const detail = 'It is installed. Other lines of the hook stay as they are.';
  if ((await vscode.window.showInformationMessage(title, { modal: true, detail }, action)) !== action)
    throw new vscode.CancellationError();
  await engine.call('changeHook', { root, change: 'remove' });
  void vscode.window.showInformationMessage(`Tapedeck's check was removed from ${shownPath(file)}.`);
}

/** Configurations of hook managers belong to the whole team, and are not changed: their lines are given. */
async function byHand({ manager, file, lines, state }: HookState): Promise<void> {
  if (state === 'installed') {
    const message = `${shownPath(file)} already runs Tapedeck's check. To remove it, take its lines out.`;
    if ((await vscode.window.showInformationMessage(message, 'Open File')) !== undefined) await open(file);
    return;
  }
  const reason = manager === 'git' ? 'cannot be added to' : `belongs to ${manager}`;
  const action = 'Copy Lines and Open File';
  const message = `${shownPath(file)} ${reason}. Add the lines of Tapedeck to it:`;
  if ((await vscode.window.showInformationMessage(message, { modal: true, detail: lines }, action)) !== action)
    throw new vscode.CancellationError();
  await vscode.env.clipboard.writeText(lines);
  await open(file);
}

async function open(file: string): Promise<void> {
  await vscode.window.showTextDocument(vscode.Uri.file(file));
}

function shownPath(file: string): string {
  return vscode.workspace.asRelativePath(vscode.Uri.file(file), false);
}
