import * as vscode from 'vscode';
import { isShape, isText } from '../../protocol/guards';
import { registerCommand } from '../base/commands';
import { DisposableStore } from '../base/disposable';
import { HumanError } from '../base/humanError';
import type { Log } from '../base/log';
import { webviewOptions } from '../base/webview';
import { type ReviewAddress, readReviewAddress } from '../stores/reviewAddress';
import { CHANGE_SCHEME, changeAddressOf } from './changeDiff';
import { registerQueueCommands } from './queueCommands';
import { registerQueueView } from './queueTree';
import { ReviewDocuments } from './reviewDocuments';
import { type PanelParts, ReviewPanel } from './reviewPanel';
import { type ReviewServices, ReviewWorkflow } from './reviewWorkflow';

export const REVIEW_VIEW_TYPE = 'tapedeck.review';

export interface ReviewParts extends ReviewServices {
  readonly extensionUri: vscode.Uri;
  readonly log: Log;
}

export interface ReviewFeature extends vscode.Disposable {
  /** Shows a review in the panel, which there is one of. */
  open(address: ReviewAddress): void;
}

export function registerReview(parts: ReviewParts): ReviewFeature {
  const { extensionUri, store, queue, log } = parts;
  const owned = new DisposableStore();
  const workflow = new ReviewWorkflow(parts);
  const turned = owned.add(new vscode.EventEmitter<ReviewAddress>());
  const onTurn = (address: ReviewAddress): void => turned.fire(address);
  const panels = owned.add(new ReviewPanels({ extensionUri, store, workflow, onShow: onTurn }));
  const open = (address: ReviewAddress): void => panels.open(address);
  owned.add(new ChangeDocuments(workflow, [store.onDidChange, queue.onDidChange]));
  owned.add(
    registerReading(panels, owned.add(new ReviewDocuments(workflow, [store.onDidChange, queue.onDidChange])), log),
  );
  owned.add(vscode.window.registerWebviewPanelSerializer(REVIEW_VIEW_TYPE, panels));
  // What a run has made new may be in a folder that its watcher does not know yet.
  owned.add(store.onDidChange(() => queue.touch()));
  owned.add(registerQueueView(queue, turned.event));
  owned.add(registerQueueCommands(workflow, open, log));
  return { open, dispose: () => owned.dispose() };
}

/** Registers what makes the panel readable without its page: its help, and the review as text. */
function registerReading(panels: ReviewPanels, documents: ReviewDocuments, log: Log): vscode.Disposable {
  return vscode.Disposable.from(
    registerCommand('tapedeck.openReviewAsText', log, () => documents.open(panels.require().address)),
    registerCommand('tapedeck.showReviewHelp', log, () => panels.require().showHelp()),
  );
}

const isPageState = isShape<{ readonly caseUri: string }>({ caseUri: isText });

/** There is only one panel, because reviews are decided one after the other. */
class ReviewPanels implements vscode.WebviewPanelSerializer, vscode.Disposable {
  #panel: { readonly shell: vscode.WebviewPanel; readonly content: ReviewPanel } | undefined;

  constructor(private readonly parts: PanelParts) {}

  open(address: ReviewAddress): void {
    if (this.#panel !== undefined) {
      this.#panel.shell.reveal();
      void this.#panel.content.show(address);
      return;
    }
    const options = webviewOptions(this.parts.extensionUri);
    this.#put(vscode.window.createWebviewPanel(REVIEW_VIEW_TYPE, 'Review', vscode.ViewColumn.Active, options), address);
  }

  /** The panel. Throws where there is none. */
  require(): ReviewPanel {
    if (this.#panel === undefined) throw new HumanError('No review is open. Open one in the Review view.');
    return this.#panel.content;
  }

  /** Restores a panel after a reload, with the state of its page. */
  async deserializeWebviewPanel(panel: vscode.WebviewPanel, state: unknown): Promise<void> {
    const address = isPageState(state) ? readReviewAddress(state.caseUri) : undefined;
    if (address === undefined || this.#panel !== undefined) panel.dispose();
    else this.#put(panel, address);
  }

  dispose(): void {
    this.#panel?.shell.dispose();
  }

  #put(shell: vscode.WebviewPanel, address: ReviewAddress): void {
    const content = new ReviewPanel(shell, address, this.parts);
    this.#panel = { shell, content };
    shell.onDidDispose(() => {
      this.#panel = undefined;
      content.dispose();
    });
  }
}

/** The two sides of a change as read-only documents, for VS Code's own diff editor. They follow the review. */
export class ChangeDocuments implements vscode.TextDocumentContentProvider, vscode.Disposable {
  readonly #changed = new vscode.EventEmitter<vscode.Uri>();
  readonly #subscriptions: readonly vscode.Disposable[];
  readonly onDidChange = this.#changed.event;

  constructor(
    private readonly workflow: ReviewWorkflow,
    changes: readonly vscode.Event<unknown>[],
  ) {
    this.#subscriptions = [
      this.#changed,
      vscode.workspace.registerTextDocumentContentProvider(CHANGE_SCHEME, this),
      ...changes.map((onDidChange) => onDidChange(() => this.#update())),
    ];
  }

  async provideTextDocumentContent(uri: vscode.Uri): Promise<string> {
    const address = changeAddressOf(uri);
    const review = address && readReviewAddress(address.review);
    if (address === undefined || review === undefined) throw new Error(`${uri} is not a valid link to a change.`);
    const { before, after } = await this.workflow.texts(review, address.id);
    return address.side === 'before' ? before : after;
  }

  dispose(): void {
    for (const subscription of this.#subscriptions) subscription.dispose();
  }

  #update(): void {
    for (const { uri } of vscode.workspace.textDocuments) if (uri.scheme === CHANGE_SCHEME) this.#changed.fire(uri);
  }
}
