import * as vscode from 'vscode';
import { t } from '../../../core/text/l10n';
import { TRIAL_CHANGED, type TrialHost, trialGuards } from '../../../protocol/pages/trialPage';
import { isShape, isText } from '../../../protocol/rpc/guards';
import { type Api, RpcPeer } from '../../../protocol/rpc/rpc';
import { DisposableStore } from '../../base/disposable';
import { pageIcon, webviewChannel, webviewHtml, webviewOptions } from '../../base/webview';
import type { TrialSession } from './trialSession';

/** What the page can do with the trial that it shows. */
export type TrialActions = {
  readonly [M in Exclude<keyof TrialHost, 'open' | 'cancel'>]: (
    session: TrialSession,
    params: Parameters<TrialHost[M]>[0],
  ) => Promise<void>;
};

export function createTrialPanel(): vscode.WebviewPanel {
  const options = { enableFindWidget: true };
  return vscode.window.createWebviewPanel('tapedeck.trial', t('Trial'), vscode.ViewColumn.Active, options);
}

const isKept = isShape<{ readonly folder: string }>({ folder: isText });

/** The project of a trial, as its page stores it. */
export function keptFolder(kept: unknown): vscode.Uri | undefined {
  return isKept(kept) ? vscode.Uri.parse(kept.folder) : undefined;
}

/** The page of a trial, which follows its recording. */
export class TrialPanel {
  readonly #owned = new DisposableStore();
  readonly #peer: RpcPeer<TrialHost, Api>;
  #following: vscode.Disposable | undefined;

  constructor(
    private readonly panel: vscode.WebviewPanel,
    private session: TrialSession,
    private readonly actions: TrialActions,
    { extensionUri, onDidDispose }: { readonly extensionUri: vscode.Uri; onDidDispose(): void },
  ) {
    const { webview } = panel;
    this.#peer = new RpcPeer<TrialHost, Api>(webviewChannel(webview), trialGuards, this.#api());
    this.#owned.add({ dispose: () => this.#peer.close(t('the trial was closed')) });
    this.#owned.add({ dispose: () => this.#following?.dispose() });
    this.#owned.add(vscode.workspace.onDidGrantWorkspaceTrust(() => this.session.load()));
    panel.onDidDispose(() => {
      this.#owned.dispose();
      onDidDispose();
    });
    panel.iconPath = pageIcon(extensionUri);
    webview.options = webviewOptions(extensionUri);
    webview.html = webviewHtml({ webview, extensionUri, name: 'trial', title: t('Trial') });
    this.#follow();
  }

  show(session: TrialSession): void {
    this.session = session;
    this.#follow();
    this.panel.reveal();
  }

  #follow(): void {
    this.#following?.dispose();
    this.#following = this.session.onDidChange(() => this.#send());
    this.#send();
  }

  #send(): void {
    this.#peer.emit(TRIAL_CHANGED, this.session.state);
  }

  #api(): TrialHost {
    const { openCase, compare, openTape, adopt, goOn } = this.actions;
    return {
      open: async () => this.session.state,
      openCase: (params) => openCase(this.session, params),
      compare: (params) => compare(this.session, params),
      openTape: (params) => openTape(this.session, params),
      adopt: (params) => adopt(this.session, params),
      goOn: () => goOn(this.session, undefined),
      cancel: async () => this.session.cancel(),
    };
  }
}
