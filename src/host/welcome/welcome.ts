import * as vscode from 'vscode';
import { t } from '../../core/text/l10n';
import { registerCommand } from '../base/commands';
import { ContextKey } from '../base/contextKey';
import { reportError } from '../base/humanError';
import type { Log } from '../base/log';
import type { CaseEntry } from '../stores/cases/caseEntry';
import type { CaseStore } from '../stores/cases/caseStore';
import type { RunStore } from '../stores/runs/runStore';
import { NEW_SAMPLE } from './newSample';
import type { SampleParts } from './sampleProject';

/** Where the manual is: it comes with this version of the extension. */
type ManualPlace = Pick<vscode.ExtensionContext, 'extensionUri' | 'extensionMode'>;

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

/** Completes the step of the walkthrough about replays when a run has ended; a command that was started may be cancelled. */
function registerWalkthroughProgress(runs: RunStore): vscode.Disposable {
  const hasRun = new ContextKey<boolean>('tapedeck.hasRun');
  return runs.onDidChange((uri) => {
    if (runs.get(uri)?.type === 'finished') hasRun.set(true);
  });
}

/** Registers the commands that open the manual, and one of its pages. */
function registerManual(place: ManualPlace, log: Log): vscode.Disposable {
  return vscode.Disposable.from(
    registerCommand('tapedeck.openManual', log, () => preview(manualUri(place))),
    registerCommand('tapedeck.openManualPage', log, (_, page) => openPage(manualUri(place), page)),
  );
}

/** The manual is the project's README, which is packaged under another name. */
function manualUri({ extensionUri, extensionMode }: ManualPlace): vscode.Uri {
  const isPackaged = extensionMode === vscode.ExtensionMode.Production;
  return vscode.Uri.joinPath(extensionUri, isPackaged ? 'MANUAL.md' : 'README.md');
}

async function preview(page: vscode.Uri): Promise<void> {
  await vscode.commands.executeCommand('markdown.showPreview', page);
}

/** A page that something names, or that the user chooses. */
async function openPage(manual: vscode.Uri, page: unknown): Promise<void> {
  if (typeof page === 'string' && /^docs\/[\w-]+\.md$/.test(page))
    await preview(vscode.Uri.joinPath(manual, '..', page));
  else await choosePage(manual);
}

/** Asks for one of the pages that the manual links to, by their titles. */
async function choosePage(manual: vscode.Uri): Promise<void> {
  const text = await textOf(manual);
  const paths = new Set([...text.matchAll(/\]\((docs\/[\w-]+\.md)/g)].map(([, path = '']) => path));
  const pages = [...paths].map(async (path) => {
    const uri = vscode.Uri.joinPath(manual, '..', path);
    return { label: /^# (.+)/m.exec(await textOf(uri))?.[1] ?? path, uri };
  });
  const chosen = await vscode.window.showQuickPick(Promise.all(pages), {
    placeHolder: t('Select a page of the manual'),
  });
  if (chosen !== undefined) await preview(chosen.uri);
}

async function textOf(uri: vscode.Uri): Promise<string> {
  return (await vscode.workspace.openTextDocument(uri)).getText();
}
