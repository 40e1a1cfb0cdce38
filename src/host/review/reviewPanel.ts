import * as vscode from 'vscode';
import { isShape, isText } from '../../protocol/guards';
import { REVIEW_CHANGED, type ReviewHost, type ReviewIds, type ReviewState, reviewGuards } from '../../protocol/review';
import { type Api, RpcPeer } from '../../protocol/rpc';
import { DisposableStore } from '../base/disposable';
import { webviewChannel } from '../base/webviewChannel';
import { webviewOptions } from '../base/webviewHtml';
import type { Review, ReviewStore } from '../stores/reviewStore';
import { ChangeDocuments, openChangeDiff } from './changeDocuments';
import { reviewHtml } from './reviewHtml';

export const REVIEW_VIEW_TYPE = 'tapedeck.review';

/** Carries decisions out. A decision about other files than those that were looked at must fail. */
export interface Decider {
  readonly canDecide: boolean;
  accept(caseUri: vscode.Uri, decision: ReviewIds): Promise<void>;
  reject(caseUri: vscode.Uri, decision: ReviewIds): Promise<void>;
  /** Takes back the last decision about a case. */
  undo(caseUri: vscode.Uri): Promise<void>;
  /** Puts the baseline of a case into git's index. */
  stage(caseUri: vscode.Uri): Promise<void>;
}

export interface ReviewParts {
  readonly extensionUri: vscode.Uri;
  readonly store: ReviewStore;
  readonly decider: Decider;
}

export interface ReviewFeature extends vscode.Disposable {
  /** Shows the review of a case; each case has one panel. */
  open(caseUri: vscode.Uri): Promise<void>;
}

export function registerReview(parts: ReviewParts): ReviewFeature {
  const owned = new DisposableStore();
  const panels = owned.add(new ReviewPanels(parts));
  owned.add(new ChangeDocuments(parts.store));
  owned.add(vscode.window.registerWebviewPanelSerializer(REVIEW_VIEW_TYPE, panels));
  return { open: (caseUri) => panels.open(caseUri), dispose: () => owned.dispose() };
}

const isRemembered = isShape<{ readonly caseUri: string }>({ caseUri: isText });

class ReviewPanels implements vscode.WebviewPanelSerializer, vscode.Disposable {
  readonly #panels = new Map<string, vscode.WebviewPanel>();

  constructor(private readonly parts: ReviewParts) {}

  async open(caseUri: vscode.Uri): Promise<void> {
    const known = this.#panels.get(caseUri.toString());
    if (known) return known.reveal();
    const options = webviewOptions(this.parts.extensionUri);
    this.#show(
      vscode.window.createWebviewPanel(REVIEW_VIEW_TYPE, 'Review', vscode.ViewColumn.Active, options),
      caseUri,
    );
  }

  /** A panel that VS Code brings back after a reload, with what its page had remembered. */
  async deserializeWebviewPanel(panel: vscode.WebviewPanel, remembered: unknown): Promise<void> {
    if (isRemembered(remembered)) this.#show(panel, vscode.Uri.parse(remembered.caseUri, true));
    else panel.dispose();
  }

  dispose(): void {
    for (const panel of [...this.#panels.values()]) panel.dispose();
  }

  #show(panel: vscode.WebviewPanel, caseUri: vscode.Uri): void {
    const key = caseUri.toString();
    const content = new ReviewPanel(panel, caseUri, this.parts);
    this.#panels.set(key, panel);
    panel.onDidDispose(() => {
      this.#panels.delete(key);
      content.dispose();
    });
  }
}

/** What is in one panel: the page, and its connection with the store and the decider. */
class ReviewPanel implements vscode.Disposable {
  readonly #owned = new DisposableStore();
  readonly #peer: RpcPeer<ReviewHost, Api>;
  #sent: Promise<void> = Promise.resolve();

  constructor(
    private readonly panel: vscode.WebviewPanel,
    private readonly caseUri: vscode.Uri,
    private readonly parts: ReviewParts,
  ) {
    const { webview } = panel;
    this.#peer = new RpcPeer<ReviewHost, Api>(webviewChannel(webview), reviewGuards, {
      open: () => this.#state(),
      accept: (decision) => this.#decide('accept', decision),
      reject: (decision) => this.#decide('reject', decision),
      undo: () => this.#undo(),
      stage: () => parts.decider.stage(caseUri),
      openDiff: ({ id }) => this.#openDiff(id),
    });
    this.#owned.add({ dispose: () => this.#peer.close('the review was closed') });
    this.#owned.add(parts.store.onDidChange((changed) => changed.toString() === caseUri.toString() && this.#send()));
    this.#owned.add(vscode.workspace.onDidGrantWorkspaceTrust(() => this.#send()));
    webview.options = webviewOptions(parts.extensionUri);
    webview.html = reviewHtml(webview, parts.extensionUri);
    panel.title = `Review: ${fileName(caseUri)}`;
  }

  dispose(): void {
    this.#owned.dispose();
  }

  async #state(): Promise<ReviewState> {
    const state = reviewState(this.caseUri, await this.parts.store.get(this.caseUri), this.parts.decider.canDecide);
    if (!this.#owned.isDisposed) this.panel.title = `Review: ${state.caseName}`;
    return state;
  }

  /** One after the other, so that the last state to arrive is the latest. */
  #send(): Promise<void> {
    this.#sent = this.#sent.then(async () => this.#peer.emit(REVIEW_CHANGED, await this.#state()));
    return this.#sent;
  }

  /** Settles after the page has been sent the outcome. */
  async #decide(verdict: 'accept' | 'reject', decision: ReviewIds): Promise<void> {
    try {
      await this.parts.decider[verdict](this.caseUri, decision);
    } finally {
      this.parts.store.refresh(this.caseUri);
      await this.#sent;
    }
  }

  async #undo(): Promise<void> {
    try {
      await this.parts.decider.undo(this.caseUri);
    } finally {
      this.parts.store.refresh(this.caseUri);
      await this.#sent;
    }
  }

  async #openDiff(id: string): Promise<void> {
    const review = await this.parts.store.get(this.caseUri);
    const change = review?.changes.find((candidate) => candidate.id === id);
    if (!review || !change) throw new Error('This change is gone: the case has run again, or it was accepted.');
    await openChangeDiff(review, change);
  }
}

function reviewState(caseUri: vscode.Uri, review: Review | undefined, canDecide: boolean): ReviewState {
  const { artifact, baseline, changes = [], hidden = [], stamp = '', problem } = review ?? {};
  const caseName = artifact?.case_name ?? fileName(caseUri);
  const notice =
    review === undefined ? `${caseName} has not run yet. Replay it, and what changed shows up here.` : problem;
  return {
    caseUri: caseUri.toString(),
    caseName,
    stamp,
    ranAt: artifact?.started_at_ms ?? 0,
    mode: artifact?.tapedeck?.mode ?? 'run',
    hasBaseline: baseline !== undefined,
    changes,
    hidden,
    canDecide,
    ...(notice !== undefined && { notice }),
  };
}

function fileName({ path }: vscode.Uri): string {
  return path.slice(path.lastIndexOf('/') + 1);
}
