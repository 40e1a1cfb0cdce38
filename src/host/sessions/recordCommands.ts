import * as vscode from 'vscode';
import { lineOf } from '../../core/text/commandLine';
import { t } from '../../core/text/l10n';
import { chooseFolder } from '../base/chooseFolder';
import type { CommandArgument } from '../base/commandArguments';
import { HumanError } from '../base/humanError';
import { recordProgram } from './recordProgram';
import { scriptWords } from './scriptCommand';
import type { SessionParts } from './sessionParts';
import { shellLineWords } from './shellLine';

const HISTORY = 'tapedeck.recordedCommands';
const KEPT = 10;

/** Records the script that is selected in the Explorer, or open in the active editor. */
export async function recordScript(argument: CommandArgument, parts: SessionParts): Promise<void> {
  const script = argument.type === 'uri' ? argument.uri : vscode.window.activeTextEditor?.document.uri;
  if (script === undefined) throw new HumanError(t('No script is selected. Open one, or select one in the Explorer.'));
  const folder = vscode.workspace.getWorkspaceFolder(script);
  if (folder === undefined || script.scheme !== 'file')
    throw new HumanError(t('This script is in no folder of the workspace. Open its folder to record it.'), {
      title: t('Open Folder'),
      run: () => vscode.commands.executeCommand('workbench.action.files.openFolder'),
    });
  const open = vscode.workspace.textDocuments.find(({ uri }) => uri.toString() === script.toString());
  if (open?.isDirty) await open.save();
  const words = await scriptWords(script, folder);
  await remember(lineOf(words), parts);
  await recordProgram({ folder, words }, parts);
}

/** Records a command that the user types, or chooses among the last ones. */
export async function recordChosenCommand(parts: SessionParts): Promise<void> {
  const folder = await chooseFolder(t('Open a folder first: the tape is saved in it.'));
  const line = await askCommand(history(parts));
  await remember(line, parts);
  await recordProgram({ folder, words: shellLineWords(line) }, parts);
}

function history({ context }: SessionParts): readonly string[] {
  return context.workspaceState.get<readonly string[]>(HISTORY, []);
}

async function remember(line: string, parts: SessionParts): Promise<void> {
  const all = [line, ...history(parts).filter((other) => other !== line)];
  await parts.context.workspaceState.update(HISTORY, all.slice(0, KEPT));
}

function askCommand(last: readonly string[]): Promise<string> {
  const picker = vscode.window.createQuickPick();
  picker.title = t('Record a Command');
  picker.placeholder = t('The command that starts your agent, such as python3 agent.py');
  picker.ignoreFocusOut = true;
  const list = (): void => {
    const typed = picker.value.trim();
    const others = last
      .filter((line) => line !== typed)
      .map((label) => ({ label, iconPath: new vscode.ThemeIcon('history') }));
    const own = { label: typed, description: t('Record'), iconPath: new vscode.ThemeIcon('record'), alwaysShow: true };
    picker.items = typed === '' ? others : [own, ...others];
  };
  list();
  picker.onDidChangeValue(list);
  return new Promise<string>((resolve, reject) => {
    picker.onDidAccept(() => {
      const line = picker.activeItems[0]?.label;
      if (line !== undefined) resolve(line);
    });
    picker.onDidHide(() => reject(new vscode.CancellationError()));
    picker.show();
  }).finally(() => picker.dispose());
}
