import * as vscode from 'vscode';
import type { StabilityReport } from '../../../contracts/engine/stability';
import { shownStability, stabilityPage } from '../../../contracts/pages/stabilityPage';
import { accepts } from '../../../core/schema/accepts';
import { shape } from '../../../core/schema/schema';
import { t } from '../../../core/text/l10n';
import { openPage } from '../../base/page';
import type { CaseEntry } from '../../stores/cases/caseEntry';
import type { CaseStore } from '../../stores/cases/caseStore';
import { addRules } from './addRules';

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
