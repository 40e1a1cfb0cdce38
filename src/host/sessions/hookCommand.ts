import * as vscode from 'vscode';
import type { HookState } from '../../contracts/engine/hooks';
import { t } from '../../core/text/l10n';
import { chooseFolder } from '../base/chooseFolder';
import type { SessionParts } from './sessionParts';

/** Installs the gate as the pre-commit hook of a repository, or removes it. Asks where there is a hook already. */
export async function changeHook({ engine }: Pick<SessionParts, 'engine'>): Promise<void> {
  const folder = await chooseFolder(t('Open a folder first: the hook goes into its repository.'));
  const root = folder.uri.fsPath;
  const hook = await engine.call('hook', { root });
  if (hook.manager === 'lefthook' || hook.manager === 'pre-commit') return byHand(hook);
  if (hook.state === 'installed') return remove(hook, root, engine);
  if (hook.state === 'script') return byHand(hook);
  if (!(await agreed(hook))) throw new vscode.CancellationError();
  const { file } = await engine.call('changeHook', { root, change: 'install' });
  const message = t(
    '{0} now runs “tapedeck check”: a commit with pending changes of tapes or baselines is stopped.',
    shownPath(file),
  );
  if ((await vscode.window.showInformationMessage(message, t('Open Hook'))) !== undefined) await open(file);
}

/** A new hook of git's own needs no question: the command was it. */
async function agreed({ manager, state, file, lines }: HookState): Promise<boolean> {
  if (state === 'absent' && manager === 'git') return true;
  const isNew = state === 'absent';
  const title = isNew ? t('Create the husky hook {0}?', shownPath(file)) : t('Add to the hook {0}?', shownPath(file));
  const what = isNew
    ? t('It will have these lines:')
    : t('These lines will be added at the top; everything else stays as it is:');
  const action = isNew ? t('Create Hook') : t('Add to Hook');
  return (
    (await vscode.window.showInformationMessage(title, { modal: true, detail: `${what}\n\n${lines}` }, action)) ===
    action
  );
}

async function remove({ file }: HookState, root: string, engine: SessionParts['engine']): Promise<void> {
  const action = t('Remove');
  const title = t("Remove Tapedeck's check from {0}?", shownPath(file));
  const detail = t('It is installed. Other lines of the hook stay as they are.');
  if ((await vscode.window.showInformationMessage(title, { modal: true, detail }, action)) !== action)
    throw new vscode.CancellationError();
  await engine.call('changeHook', { root, change: 'remove' });
  void vscode.window.showInformationMessage(t("Tapedeck's check was removed from {0}.", shownPath(file)));
}

/** Configurations of hook managers belong to the whole team, and are not changed: their lines are given. */
async function byHand({ manager, file, lines, state }: HookState): Promise<void> {
  if (state === 'installed') {
    const message = t("{0} already runs Tapedeck's check. To remove it, take its lines out.", shownPath(file));
    if ((await vscode.window.showInformationMessage(message, t('Open File'))) !== undefined) await open(file);
    return;
  }
  const action = t('Copy Lines and Open File');
  const message =
    manager === 'git'
      ? t('Tapedeck cannot edit {0}. Add these lines to it:', shownPath(file))
      : t('{0} is managed by {1}. Add these lines to it:', shownPath(file), manager);
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
