import * as vscode from 'vscode';
import { registerCommand } from '../base/commands';
import { reportError } from '../base/humanError';
import type { CaseEntry } from '../stores/caseEntry';
import type { CaseStore } from '../stores/caseStore';
import type { RunStore } from '../stores/runStore';
import { NEW_SAMPLE } from './newSample';
import type { SampleParts } from './sampleProject';
import { registerWalkthroughProgress } from './walkthroughProgress';

/** Registers the command that opens the sample project, and what follows the walkthrough, where something can run. */
export function registerWelcome(parts: SampleParts, runs?: RunStore): vscode.Disposable {
  const { log } = parts;
  return vscode.Disposable.from(
    registerCommand('tapedeck.openSample', log, async () => (await import('./sampleProject')).openSampleProject(parts)),
    registerCommand('tapedeck.showLog', log, () => log.show()),
    ...(runs === undefined ? [] : [registerWalkthroughProgress(runs)]),
  );
}

/** Presents the sample project, once, in the window that `openSampleProject` has opened. */
export async function welcomeToSample(
  { context: { globalState }, log }: SampleParts,
  cases: Pick<CaseStore, 'load' | 'all'>,
  replay: (entries: readonly CaseEntry[]) => Promise<void>,
): Promise<void> {
  const [folder] = vscode.workspace.workspaceFolders ?? [];
  if (folder === undefined || globalState.get(NEW_SAMPLE) !== folder.uri.toString()) return;
  try {
    await globalState.update(NEW_SAMPLE, undefined);
    await (await import('./sampleProject')).presentSample(folder.uri, cases, replay);
  } catch (error) {
    void reportError(error, log);
  }
}
