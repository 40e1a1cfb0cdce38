import * as vscode from 'vscode';
import { t } from '../../core/text/l10n';
import { registerCommand } from '../base/commands';
import type { Log } from '../base/log';

/** Where the manual is: it comes with this version of the extension. */
export type ManualPlace = Pick<vscode.ExtensionContext, 'extensionUri' | 'extensionMode'>;

/** Registers the commands that open the manual, and one of its pages. */
export function registerManual(place: ManualPlace, log: Log): vscode.Disposable {
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
