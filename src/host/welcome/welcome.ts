import * as vscode from 'vscode';
import { registerCommand } from '../base/commands';
import { reportError } from '../base/humanError';
import type { CaseEntry } from '../stores/cases/caseEntry';
import type { CaseStore } from '../stores/cases/caseStore';
import type { RunStore } from '../stores/runs/runStore';
import { type ManualPlace, registerManual } from './manual';
import { NEW_SAMPLE } from './newSample';
import type { SampleParts } from './sampleProject';
import { registerWalkthroughProgress } from './walkthroughProgress';

interface WelcomeParts extends SampleParts {
  readonly context: SampleParts['context'] & ManualPlace;
}

/** Registers the sample, the manual, the self-check, and the progress of the walkthrough. */
export function registerWelcome(parts: WelcomeParts, runs?: RunStore): vscode.Disposable {
  const { context, log } = parts;
  return vscode.Disposable.from(
    registerCommand('tapedeck.openSample', log, async () => (await import('./sampleProject')).openSampleProject(parts)),
    registerCommand('tapedeck.showLog', log, () => log.show()),
    registerManual(context, log),
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
