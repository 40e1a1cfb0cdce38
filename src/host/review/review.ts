import * as vscode from 'vscode';
import { accepts } from '../../core/schema/accepts';
import { shape, text } from '../../core/schema/schema';
import { t } from '../../core/text/l10n';
import { registerCommand } from '../base/commands';
import { ComputedDocuments } from '../base/computedDocuments';
import { DisposableStore } from '../base/disposable';
import { HumanError } from '../base/humanError';
import type { Log } from '../base/log';
import { webviewOptions } from '../base/webview';
import { type ReviewAddress, readReviewAddress, writeReviewAddress } from '../stores/reviews/reviewAddress';
import { CHANGE_SCHEME } from './changeDiff';
import { registerQueueCommands } from './queueCommands';
import { registerQueueView } from './queueTree';
import { type PanelParts, ReviewPanel } from './reviewPanel';
import { type ReviewServices, ReviewWorkflow } from './reviewWorkflow';

const REVIEW_VIEW_TYPE = 'tapedeck.review';

/** The scheme of reviews as text, which screen readers can read line by line. */
const REVIEW_SCHEME = 'tapedeck-review';

interface ReviewParts extends ReviewServices {
  readonly extensionUri: vscode.Uri;
  readonly log: Log;
}

interface ReviewFeature extends vscode.Disposable {
  /** Shows a review in the panel, which there is one of. */
  open(address: ReviewAddress): void;
  /** Shows the review of a case's last run. */
  openRun(uri: vscode.Uri): void;
}

export function registerReview(parts: ReviewParts): ReviewFeature {
  const { extensionUri, store, queue, log } = parts;
  const owned = new DisposableStore();
  const workflow = new ReviewWorkflow(parts);
  const turned = owned.add(new vscode.EventEmitter<ReviewAddress>());
  const onTurn = (address: ReviewAddress): void => turned.fire(address);
  const panels = new ReviewPanels({ extensionUri, store, workflow, onShow: onTurn });
  const open = (address: ReviewAddress): void => panels.open(address);
  const openShown = async (address: ReviewAddress): Promise<void> => open(await workflow.shown(address));
  const changes = [store.onDidChange, queue.onDidChange];
  owned.add(registerDocuments(workflow, panels, changes, log));
  owned.add(registerCommand('tapedeck.showReviewHelp', log, () => panels.require().showHelp()));
  owned.add(vscode.window.registerWebviewPanelSerializer(REVIEW_VIEW_TYPE, panels));
  // What a run has made new may be in a folder that its watcher does not know yet.
  owned.add(store.onDidChange(() => queue.touch()));
  owned.add(registerQueueView(queue, turned.event));
  owned.add(registerQueueCommands(workflow, openShown, log));
  return { open, openRun: (uri) => void openShown({ about: 'run', uri }), dispose: () => owned.dispose() };
}

/** Registers the read-only documents: the sides of a change, and a review as text. They follow the review. */
function registerDocuments(
  workflow: ReviewWorkflow,
  panels: ReviewPanels,
  changes: readonly vscode.Event<unknown>[],
  log: Log,
): vscode.Disposable {
  const texts = () => import('./reviewDocuments');
  const sides = new ComputedDocuments(CHANGE_SCHEME, async (uri) => (await texts()).changeSide(uri, workflow), changes);
  const documents = new ComputedDocuments(
    REVIEW_SCHEME,
    async (uri) => (await texts()).reviewDocument(workflow, uri),
    changes,
  );
  const command = registerCommand('tapedeck.openReviewAsText', log, async () => {
    const { address } = panels.require();
    const { caseName } = await workflow.state(address);
    const query = writeReviewAddress(address);
    await documents.open(
      vscode.Uri.from({ scheme: REVIEW_SCHEME, path: `/${t('Review of {0}', caseName)}.txt`, query }),
    );
  });
  return vscode.Disposable.from(sides, documents, command);
}

const PAGE_STATE = shape({ caseUri: text() });

/** There is only one panel, because reviews are decided one after the other. */
class ReviewPanels implements vscode.WebviewPanelSerializer {
  #panel: { readonly shell: vscode.WebviewPanel; readonly content: ReviewPanel } | undefined;

  constructor(private readonly parts: PanelParts) {}

  open(address: ReviewAddress): void {
    if (this.#panel !== undefined) {
      this.#panel.shell.reveal();
      void this.#panel.content.show(address);
      return;
    }
    const options = webviewOptions(this.parts.extensionUri);
    this.#put(
      vscode.window.createWebviewPanel(REVIEW_VIEW_TYPE, t('Review'), vscode.ViewColumn.Active, options),
      address,
    );
  }

  /** The panel. Throws where there is none. */
  require(): ReviewPanel {
    if (this.#panel === undefined) throw new HumanError(t('No review is open. Open one in the Review view.'));
    return this.#panel.content;
  }

  /** Restores a panel after a reload, with the state of its page. VS Code keeps it for that: a panel that is disposed when the window ends is gone. */
  async deserializeWebviewPanel(panel: vscode.WebviewPanel, state: unknown): Promise<void> {
    const address = accepts(PAGE_STATE, state) ? readReviewAddress(state.caseUri) : undefined;
    if (address === undefined || this.#panel !== undefined) panel.dispose();
    else this.#put(panel, address);
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
