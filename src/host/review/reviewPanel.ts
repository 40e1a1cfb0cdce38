import * as vscode from 'vscode';
import { type Served, serve } from '../../contracts/contract';
import { type Direction, type ReviewState, reviewPage } from '../../contracts/pages/reviewPanel';
import { t } from '../../core/text/l10n';
import type { CommandId } from '../base/commands';
import { DisposableStore } from '../base/disposable';
import { fileName } from '../base/fileName';
import { pageIcon, webviewChannel, webviewOptions } from '../base/webview';
import { type ReviewAddress, writeReviewAddress } from '../stores/reviews/reviewAddress';
import type { ReviewStore } from '../stores/reviews/reviewStore';
import { reviewHtml } from './reviewPage';
import type { ReviewWorkflow } from './reviewWorkflow';

export interface PanelParts {
  readonly extensionUri: vscode.Uri;
  readonly store: ReviewStore;
  readonly workflow: ReviewWorkflow;
  /** Called with the review that the panel turns to. */
  onShow(address: ReviewAddress): void;
}

/** The content of the panel: the page, and its connection with the workflow. It goes from one review to the next. */
export class ReviewPanel implements vscode.Disposable {
  readonly #owned = new DisposableStore();
  readonly #page: Served<typeof reviewPage>;
  #address: ReviewAddress;
  #sent: Promise<void> = Promise.resolve();

  constructor(
    private readonly panel: vscode.WebviewPanel,
    address: ReviewAddress,
    private readonly parts: PanelParts,
  ) {
    const { webview } = panel;
    const { workflow, store, extensionUri } = parts;
    this.#address = address;
    this.#page = serve(reviewPage, webviewChannel(webview), {
      texts: ({ id }) => workflow.texts(this.#address, id),
      decide: (decision) => this.#decide(() => workflow.decide(this.#address, decision)),
      sameChanges: ({ id }) => workflow.findSame(this.#address, id),
      decideSame: (decision) => this.#decide(() => workflow.decideSame(decision)),
      undo: () => this.#undo(),
      stage: () => workflow.stage(this.#address),
      stageAll: async () =>
        (await vscode.commands.executeCommand('tapedeck.stageAccepted' satisfies CommandId)) === true,
      openSourceControl: async () => void vscode.commands.executeCommand('workbench.view.scm'),
      openDiff: ({ id }) => workflow.openDiff(this.#address, id),
      openTranscript: ({ interaction }) => this.#openTranscript(interaction),
      go: ({ to }) => this.#go(to),
    });
    this.#owned.add({ dispose: () => this.#page.close(t('the review was closed')) });
    this.#owned.add(store.onDidChange((changed) => this.#isAbout(changed) && this.#send()));
    this.#owned.add(workflow.queue.onDidChange(() => this.#send()));
    this.#owned.add(vscode.workspace.onDidGrantWorkspaceTrust(() => this.#send()));
    this.#owned.add(workflow.queue.follow());
    webview.options = webviewOptions(extensionUri);
    webview.html = reviewHtml(webview, extensionUri);
    panel.title = titleOf(address, fileName(address.uri));
    panel.iconPath = pageIcon(extensionUri);
    void this.#send();
  }

  /** Shows another review. */
  show(address: ReviewAddress): Promise<void> {
    this.#turn(address);
    return this.#send();
  }

  /** The review that is shown. */
  get address(): ReviewAddress {
    return this.#address;
  }

  /** Opens the help of the page. */
  showHelp(): void {
    this.panel.reveal();
    this.#page.emit('help', undefined);
  }

  reveal(): void {
    this.panel.reveal();
  }

  dispose(): void {
    this.#owned.dispose();
  }

  async #openTranscript(interaction: number): Promise<void> {
    if (this.#address.about === 'run') throw new Error(t('This is the review of a run, which has no interactions.'));
    await vscode.commands.executeCommand('tapedeck.openTranscript' satisfies CommandId, this.#address.uri, interaction);
  }

  #turn(address: ReviewAddress): void {
    this.#address = address;
    this.parts.onShow(address);
  }

  #isAbout(caseUri: vscode.Uri): boolean {
    return this.#address.about === 'run' && this.#address.uri.toString() === caseUri.toString();
  }

  async #state(): Promise<ReviewState> {
    const { workflow } = this.parts;
    for (;;) {
      const address = this.#address;
      const own = await workflow.state(address);
      // The panel may show another review by now.
      if (address !== this.#address) continue;
      if (!this.#owned.isDisposed) this.panel.title = titleOf(address, own.caseName);
      return {
        ...own,
        caseUri: writeReviewAddress(address),
        ...workflow.situation(address),
        canDecide: workflow.canDecide && address.about !== 'comparison',
      };
    }
  }

  /** One after the other, so that the last state to arrive is the latest. */
  #send(): Promise<void> {
    this.#sent = this.#sent.then(async () => {
      const state = await this.#state().catch((error: unknown) => this.#unreadable(error));
      this.#page.patch({ review: state });
    });
    return this.#sent;
  }

  #unreadable(error: unknown): ReviewState {
    const name = fileName(this.#address.uri);
    return {
      caseUri: writeReviewAddress(this.#address),
      caseName: name,
      kind: this.#address.about === 'run' ? 'run' : 'tape',
      against: 'commit',
      stamp: '',
      ranAt: 0,
      mode: '',
      hasBaseline: true,
      changes: [],
      hidden: [],
      notices: [],
      measures: [],
      ...this.parts.workflow.situation(this.#address),
      canDecide: false,
      notice: error instanceof Error ? error.message : String(error),
    };
  }

  /** Settles after the page has been sent the outcome. */
  async #decide<T>(decide: () => Promise<T>): Promise<T> {
    try {
      return await decide();
    } finally {
      await this.#send();
    }
  }

  async #undo(): Promise<void> {
    try {
      this.#turn(await this.parts.workflow.undo(this.#address));
    } finally {
      await this.#send();
    }
  }

  async #go(to: Direction): Promise<boolean> {
    const next = await this.parts.workflow.neighbour(this.#address, to);
    if (next === undefined) return false;
    await this.show(next);
    return true;
  }
}

function titleOf({ about }: ReviewAddress, name: string): string {
  return about === 'comparison' ? t('Compare: {0}', name) : t('Review: {0}', name);
}
