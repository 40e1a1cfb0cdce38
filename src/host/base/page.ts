import type * as vscode from 'vscode';
import { type Contract, type Handlers, type Served, serve } from '../../contracts/contract';
import { pageIcon, type WebviewName, webviewChannel, webviewHtml, webviewOptions } from './webview';

interface Page<C extends Contract> {
  readonly panel: vscode.WebviewPanel;
  readonly extensionUri: vscode.Uri;
  readonly contract: C;
  readonly handlers: Handlers<C['calls']>;
  /** Of its bundle. */
  readonly name: WebviewName;
  readonly title: string;
  /** Why its calls are rejected when it was closed. */
  readonly closed: string;
}

/** Fills a panel with a page, and serves its contract until the panel is closed. */
export function openPage<const C extends Contract>(page: Page<C>): Served<C> {
  const { panel, extensionUri, contract, handlers, name, title, closed } = page;
  const { webview } = panel;
  const served = serve(contract, webviewChannel(webview), handlers);
  panel.onDidDispose(() => served.close(closed));
  panel.title = title;
  panel.iconPath = pageIcon(extensionUri);
  webview.options = webviewOptions(extensionUri);
  webview.html = webviewHtml({ webview, extensionUri, name, title });
  return served;
}
