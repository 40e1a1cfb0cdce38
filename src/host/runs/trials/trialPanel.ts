import * as vscode from 'vscode';
import type { Handlers, Params, Served } from '../../../contracts/contract';
import { trialPage } from '../../../contracts/pages/trialPage';
import { accepts } from '../../../core/schema/accepts';
import { shape, text } from '../../../core/schema/schema';
import { t } from '../../../core/text/l10n';
import { DisposableStore } from '../../base/disposable';
import { openPage } from '../../base/page';
import type { TrialSession } from './trialSession';

/** What the page can do with the trial that it shows. */
export type TrialActions = {
  readonly [M in Exclude<keyof typeof trialPage.calls, 'cancel'>]: (
    session: TrialSession,
    params: Params<(typeof trialPage.calls)[M]>,
  ) => Promise<void>;
};

export function createTrialPanel(): vscode.WebviewPanel {
  const options = { enableFindWidget: true };
  return vscode.window.createWebviewPanel('tapedeck.trial', t('Trial'), vscode.ViewColumn.Active, options);
}

const KEPT = shape({ folder: text() });

/** The project of a trial, as its page stores it. */
export function keptFolder(kept: unknown): vscode.Uri | undefined {
  return accepts(KEPT, kept) ? vscode.Uri.parse(kept.folder) : undefined;
}

/** The page of a trial, which follows its recording. */
export class TrialPanel {
  readonly #owned = new DisposableStore();
  readonly #page: Served<typeof trialPage>;
  #following: vscode.Disposable | undefined;

  constructor(
    private readonly panel: vscode.WebviewPanel,
    private session: TrialSession,
    private readonly actions: TrialActions,
    { extensionUri, onDidDispose }: { readonly extensionUri: vscode.Uri; onDidDispose(): void },
  ) {
    this.#page = openPage({
      panel,
      extensionUri,
      contract: trialPage,
      handlers: this.#handlers(),
      name: 'trial',
      title: t('Trial'),
      closed: t('the trial was closed'),
    });
    this.#owned.add({ dispose: () => this.#following?.dispose() });
    this.#owned.add(vscode.workspace.onDidGrantWorkspaceTrust(() => this.session.load()));
    panel.onDidDispose(() => {
      this.#owned.dispose();
      onDidDispose();
    });
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
    this.#page.patch({ shown: this.session.state });
  }

  #handlers(): Handlers<typeof trialPage.calls> {
    const { openCase, compare, openTape, adopt, goOn } = this.actions;
    return {
      openCase: (params) => openCase(this.session, params),
      compare: (params) => compare(this.session, params),
      openTape: (params) => openTape(this.session, params),
      adopt: (params) => adopt(this.session, params),
      goOn: () => goOn(this.session, undefined),
      cancel: async () => this.session.cancel(),
    };
  }
}
