import * as vscode from 'vscode';
import type { StabilityReport } from '../../../contracts/engine/stability';
import { shownStability, stabilityPage } from '../../../contracts/pages/stabilityPage';
import { CONFIG_FILE } from '../../../core/project/layout';
import { accepts } from '../../../core/schema/accepts';
import { shape } from '../../../core/schema/schema';
import type { Snippet } from '../../../core/stability/snippets';
import { t } from '../../../core/text/l10n';
import { loadCore } from '../../../reader/loadCore';
import { fileExists } from '../../base/files';
import { openPage } from '../../base/page';
import type { CaseEntry } from '../../stores/cases/caseEntry';
import type { CaseStore } from '../../stores/cases/caseStore';

/** Shows what varies between the takes of a case, in a page of its own. */
export function showStability(extensionUri: vscode.Uri, entry: CaseEntry, report: StabilityReport): void {
  const options = { enableFindWidget: true };
  const panel = vscode.window.createWebviewPanel('tapedeck.stability', '', vscode.ViewColumn.Active, options);
  fillPanel(panel, extensionUri, entry, report);
}

/** Shows the report again that a page kept when the window was loaded anew; closes a page whose case is gone. */
export async function restoreStability(
  panel: vscode.WebviewPanel,
  kept: unknown,
  { extensionUri, cases }: { readonly extensionUri: vscode.Uri; readonly cases: CaseStore },
): Promise<void> {
  const report = accepts(KEPT, kept) ? kept.report : undefined;
  const uri = report?.caseUri === undefined ? undefined : vscode.Uri.parse(report.caseUri);
  const entries = uri === undefined ? [] : await cases.open(uri);
  const entry = entries.find((one) => one.uri.toString() === uri?.toString());
  if (report === undefined || entry === undefined) panel.dispose();
  else fillPanel(panel, extensionUri, entry, report);
}

const KEPT = shape({ report: shownStability });

function fillPanel(
  panel: vscode.WebviewPanel,
  extensionUri: vscode.Uri,
  entry: CaseEntry,
  report: StabilityReport,
): void {
  const page = openPage({
    panel,
    extensionUri,
    contract: stabilityPage,
    handlers: {
      addRules: (place) => addRules(entry, report, place),
      openCase: async () => void (await vscode.commands.executeCommand('vscode.open', entry.file)),
    },
    name: 'stability',
    title: t('Stability: {0}', entry.name),
    closed: t('the report was closed'),
  });
  page.patch({ shown: { ...report, caseUri: entry.uri.toString() } });
}

/** Adds the proposed TOML to the files of the project and the case, and shows them. The rules go to one of both. */
async function addRules(
  entry: CaseEntry,
  report: Pick<StabilityReport, 'snippets' | 'everywhere'>,
  place: Snippet['file'],
): Promise<void> {
  const snippets = chosen(report, place);
  const { pasteSnippet } = await loadCore();
  const files = { project: vscode.Uri.joinPath(entry.folder.uri, CONFIG_FILE), case: entry.file };
  for (const file of ['project', 'case'] as const) {
    const own = snippets.filter((snippet) => snippet.file === file);
    if (own.length === 0) continue;
    const edit = new vscode.WorkspaceEdit();
    if (!(await fileExists(files[file]))) edit.createFile(files[file]);
    const text = await textOf(files[file]);
    const whole = new vscode.Range(0, 0, text.split('\n').length, 0);
    edit.replace(files[file], whole, own.reduce(pasteSnippet, text));
    await vscode.workspace.applyEdit(edit);
    await vscode.window.showTextDocument(files[file], { preview: false });
  }
}

function chosen(
  { snippets, everywhere }: Pick<StabilityReport, 'snippets' | 'everywhere'>,
  place: Snippet['file'],
): readonly Snippet[] {
  if (place === 'case' || everywhere === undefined) return snippets;
  return [everywhere.snippet, ...snippets.filter(({ table }) => table !== everywhere.snippet.table)];
}

async function textOf(uri: vscode.Uri): Promise<string> {
  return (await fileExists(uri)) ? (await vscode.workspace.openTextDocument(uri)).getText() : '';
}
