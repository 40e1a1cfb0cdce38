import * as vscode from 'vscode';
import { t } from '../../core/text/l10n';
import { ContextKey } from '../base/contextKey';
import type { Log } from '../base/log';
import type { EngineClient } from '../engine/engineClient';
import type { CaseEntry } from '../stores/cases/caseEntry';
import type { CaseStore } from '../stores/cases/caseStore';
import { NEW_SAMPLE } from './newSample';

/** The case that is explained when the sample opens: its response differs from the baseline on purpose. */
const FIRST_CASE = ['cases', 'greeting.toml'];

export interface SampleParts {
  readonly context: Pick<vscode.ExtensionContext, 'extensionUri' | 'globalState'>;
  /** Makes the new folder a git repository. Absent in a browser. */
  readonly engine?: Pick<EngineClient, 'call'>;
  readonly log: Log;
}

/** Copies the sample project to a folder that the user chooses, and opens it. */
export async function openSampleProject({ context, engine, log }: SampleParts): Promise<void> {
  const parent = await chooseFolder();
  const target = await unusedFolder(parent, 'tapedeck-sample');
  await vscode.workspace.fs.copy(vscode.Uri.joinPath(context.extensionUri, 'media', 'sample'), target);
  // Without git, the sample still works: tapes are then compared with the takes before.
  if (engine !== undefined && vscode.workspace.isTrusted)
    await engine
      .call('createRepository', { root: target.fsPath, message: t('The sample project') })
      .catch((error: unknown) => log.warn(`The sample project has no git repository: ${error}`));
  await context.globalState.update(NEW_SAMPLE, target.toString());
  const forceNewWindow = vscode.workspace.workspaceFolders !== undefined;
  await vscode.commands.executeCommand('vscode.openFolder', target, { forceNewWindow });
}

/**
 * Presents the sample project that has just been opened: shows its cases, opens the one that is red on purpose, and replays all of
 * them, which is offline, as soon as the workspace is trusted.
 */
export async function presentSample(
  folder: vscode.Uri,
  cases: Pick<CaseStore, 'load' | 'all'>,
  replay: (entries: readonly CaseEntry[]) => Promise<void>,
): Promise<void> {
  new ContextKey<boolean>('tapedeck.hasOpenedSample').set(true);
  await vscode.window.showTextDocument(vscode.Uri.joinPath(folder, ...FIRST_CASE), { preview: false });
  await vscode.commands.executeCommand('tapedeck.cases.focus');
  await cases.load();
  if (vscode.workspace.isTrusted) await replay(cases.all());
  else {
    const granted = vscode.workspace.onDidGrantWorkspaceTrust(() => {
      granted.dispose();
      void replay(cases.all());
    });
  }
}

async function chooseFolder(): Promise<vscode.Uri> {
  const [chosen] =
    (await vscode.window.showOpenDialog({
      canSelectFiles: false,
      canSelectFolders: true,
      title: t('Choose a Folder for the Sample Project'),
      openLabel: t('Create Sample Here'),
    })) ?? [];
  if (chosen === undefined) throw new vscode.CancellationError();
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
