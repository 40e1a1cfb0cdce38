import * as vscode from 'vscode';
import { registerCommand } from '../base/commands';
import { reportError } from '../base/humanError';
import type { CaseEntry } from '../stores/caseEntry';
import type { CaseStore } from '../stores/caseStore';
import type { RunStore } from '../stores/runStore';
import type { AboutParts, ManualPlace } from './about';
import { NEW_SAMPLE } from './newSample';
import type { SampleParts } from './sampleProject';
import { registerWalkthroughProgress } from './walkthroughProgress';

export interface WelcomeParts extends SampleParts {
  readonly context: SampleParts['context'] & ManualPlace;
}

/** Registers the commands that show what Tapedeck is, and, where something can run, whether it can, and what follows the walkthrough. */
export function registerWelcome(
  parts: WelcomeParts,
  able?: { readonly about: AboutParts; readonly runs: RunStore },
): vscode.Disposable {
  const { context, log } = parts;
  return vscode.Disposable.from(
    registerCommand('tapedeck.openSample', log, async () => (await import('./sampleProject')).openSampleProject(parts)),
    registerCommand('tapedeck.showLog', log, () => log.show()),
    registerCommand('tapedeck.openManual', log, async () => (await import('./about')).openManual(context)),
    ...(able === undefined
      ? []
      : [
          registerCommand('tapedeck.selfCheck', log, async () => (await import('./about')).checkMachine(able.about)),
          registerWalkthroughProgress(able.runs),
        ]),
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
