import * as vscode from 'vscode';
import { type Api, RpcPeer } from '../../../protocol/rpc';
import { type StabilityHost, type StabilityReport, stabilityGuards } from '../../../protocol/stability';
import { webviewChannel, webviewHtml, webviewOptions } from '../../base/webview';
import type { CaseEntry } from '../../stores/caseEntry';
import { addRules } from './addRules';

/** Shows what varies between the takes of a case, in a page of its own. */
export function showStability(extensionUri: vscode.Uri, entry: CaseEntry, report: StabilityReport): void {
  const title = `Stability: ${entry.name}`;
  const options = { ...webviewOptions(extensionUri), enableFindWidget: true };
  const panel = vscode.window.createWebviewPanel('tapedeck.stability', title, vscode.ViewColumn.Active, options);
  const { webview } = panel;
  const peer = new RpcPeer<StabilityHost, Api>(webviewChannel(webview), stabilityGuards, {
    open: async () => report,
    addRules: () => addRules(entry, report.snippets),
    openCase: async () => void (await vscode.commands.executeCommand('vscode.open', entry.file)),
  });
  panel.onDidDispose(() => peer.close('the report was closed'));
  webview.html = webviewHtml({ webview, extensionUri, name: 'stability', title });
}
