import * as vscode from 'vscode';
import { t } from '../../../core/text/l10n';
import {
  isStabilityReport,
  type StabilityHost,
  type StabilityReport,
  stabilityGuards,
} from '../../../protocol/engine/stability';
import { isMaybe, isShape, isText } from '../../../protocol/rpc/guards';
import { type Api, RpcPeer } from '../../../protocol/rpc/rpc';
import { pageIcon, webviewChannel, webviewHtml, webviewOptions } from '../../base/webview';
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
  const report = isKept(kept) ? kept.report : undefined;
  const uri = report?.caseUri === undefined ? undefined : vscode.Uri.parse(report.caseUri);
  const entries = uri === undefined ? [] : await cases.open(uri);
  const entry = entries.find((one) => one.uri.toString() === uri?.toString());
  if (report === undefined || entry === undefined) panel.dispose();
  else fillPanel(panel, extensionUri, entry, report);
}

const isKept = isShape<{ readonly report: StabilityReport }>({
  report: (value): value is StabilityReport =>
    isStabilityReport(value) && isShape<{ readonly caseUri?: string | undefined }>({ caseUri: isMaybe(isText) })(value),
});

function fillPanel(
  panel: vscode.WebviewPanel,
  extensionUri: vscode.Uri,
  entry: CaseEntry,
  report: StabilityReport,
): void {
  const { webview } = panel;
  const title = t('Stability: {0}', entry.name);
  const peer = new RpcPeer<StabilityHost, Api>(webviewChannel(webview), stabilityGuards, {
    open: async () => ({ ...report, caseUri: entry.uri.toString() }),
    addRules: () => addRules(entry, report.snippets),
    openCase: async () => void (await vscode.commands.executeCommand('vscode.open', entry.file)),
  });
  panel.onDidDispose(() => peer.close(t('the report was closed')));
  panel.title = title;
  panel.iconPath = pageIcon(extensionUri);
  webview.options = webviewOptions(extensionUri);
  webview.html = webviewHtml({ webview, extensionUri, name: 'stability', title });
}
