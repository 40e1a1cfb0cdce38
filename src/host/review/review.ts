import * as vscode from 'vscode';
import { accepts } from '../../core/schema/accepts';
import { shape, text } from '../../core/schema/schema';
import { plural } from '../../core/text/counts';
import { message, t } from '../../core/text/l10n';
import type { ResourceNode } from '../base/commandArguments';
import { registerCommand } from '../base/commands';
import { ComputedDocuments } from '../base/computedDocuments';
import { ContextKey } from '../base/contextKey';
import { DisposableStore } from '../base/disposable';
import { fileName } from '../base/fileName';
import { HumanError } from '../base/humanError';
import type { Log } from '../base/log';
import { revealRow } from '../base/revealRow';
import { webviewOptions } from '../base/webview';
import { type ReviewAddress, readReviewAddress, writeReviewAddress } from '../stores/reviews/reviewAddress';
import type { QueuedReview, ReviewQueue } from '../stores/reviews/reviewQueue';
import { CHANGE_SCHEME } from './changeDiff';
import { registerQueueCommands } from './queueCommands';
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

const VIEW = 'tapedeck.reviews';

type Section = 'open' | 'decided' | 'noise';

type QueueNode =
  | { readonly type: 'section'; readonly section: Section }
  | (ResourceNode & { readonly type: 'review'; readonly review: QueuedReview });

function reviewNode(review: QueuedReview): QueueNode {
  const { about, uri } = review.address;
  return { type: 'review', review, resource: uri, about };
}

const SECTIONS: readonly Section[] = ['open', 'decided', 'noise'];

const TITLES: Record<Section, string> = {
  open: message('Pending'),
  decided: message('Decided'),
  noise: message('Ignored Differences'),
};

/** The list of everything that changed. It is loaded only while it is visible. */
function registerQueueView(queue: ReviewQueue, onDidTurn: vscode.Event<ReviewAddress>): vscode.Disposable {
  const owned = new DisposableStore();
  const tree = owned.add(new QueueTree(queue));
  const view = owned.add(vscode.window.createTreeView(VIEW, { treeDataProvider: tree, canSelectMany: true }));
  const isListed = new ContextKey<boolean>('tapedeck.reviewsListed');
  let following: vscode.Disposable | undefined;
  const follow = (): void => {
    following?.dispose();
    following = view.visible ? queue.follow() : undefined;
  };
  owned.add(view.onDidChangeVisibility(follow));
  owned.add({ dispose: () => following?.dispose() });
  owned.add(queue.onDidChange(() => describe(view, isListed, queue)));
  owned.add(selectShown(view, queue, onDidTurn));
  follow();
  return owned;
}

/** A visible list selects the review that the panel shows. The row of one that was just decided, or undone, is listed anew first. */
function selectShown(
  view: vscode.TreeView<QueueNode>,
  queue: ReviewQueue,
  onDidTurn: vscode.Event<ReviewAddress>,
): vscode.Disposable {
  let shown: ReviewAddress | undefined;
  return onDidTurn(async (address) => {
    shown = address;
    if (!view.visible) return;
    await queue.load();
    const row = (): QueueNode | undefined => {
      const review = shown === address ? queue.find(address) : undefined;
      return review && reviewNode(review);
    };
    await revealRow(view, row);
  });
}

function describe(
  view: vscode.TreeView<QueueNode>,
  isListed: ContextKey<boolean>,
  { entries, state }: ReviewQueue,
): void {
  const open = entries.filter((entry) => sectionOf(entry) === 'open').length;
  const files = plural(open, 'file');
  view.badge = open === 0 ? undefined : { value: open, tooltip: t('{0} pending review', files) };
  view.description = open === 0 ? '' : files;
  // In Restricted Mode, the view's own text says why it is empty, with a button.
  view.message = state.type === 'failed' && vscode.workspace.isTrusted ? state.problem : '';
  isListed.set(state.type === 'listed');
}

function sectionOf({ open, accepted, rejected }: QueuedReview): Section {
  if (open > 0) return 'open';
  return accepted + rejected > 0 ? 'decided' : 'noise';
}

class QueueTree implements vscode.TreeDataProvider<QueueNode>, vscode.Disposable {
  readonly #changed = new vscode.EventEmitter<undefined>();
  readonly #subscription: vscode.Disposable;
  readonly onDidChangeTreeData = this.#changed.event;

  constructor(private readonly queue: ReviewQueue) {
    this.#subscription = queue.onDidChange(() => this.#changed.fire(undefined));
  }

  async getChildren(node?: QueueNode): Promise<QueueNode[]> {
    if (node?.type === 'review') return [];
    const entries = await this.queue.load();
    const inSection = (section: Section) => entries.filter((entry) => sectionOf(entry) === section);
    if (node !== undefined) return inSection(node.section).map(reviewNode);
    const sections = SECTIONS.filter((section) => inSection(section).length > 0);
    return sections.map((section) => ({ type: 'section', section }));
  }

  getParent(node: QueueNode): QueueNode | undefined {
    return node.type === 'review' ? { type: 'section', section: sectionOf(node.review) } : undefined;
  }

  getTreeItem(node: QueueNode): vscode.TreeItem {
    return node.type === 'review' ? reviewItem(node.review) : this.#sectionItem(node.section);
  }

  dispose(): void {
    this.#subscription.dispose();
    this.#changed.dispose();
  }

  #sectionItem(section: Section): vscode.TreeItem {
    const { Expanded, Collapsed } = vscode.TreeItemCollapsibleState;
    const item = new vscode.TreeItem(t(TITLES[section]), section === 'noise' ? Collapsed : Expanded);
    item.id = section;
    item.contextValue = `section.${section}`;
    item.description = String(this.queue.entries.filter((entry) => sectionOf(entry) === section).length);
    return item;
  }
}

const ICONS: Record<Section, vscode.ThemeIcon> = {
  open: new vscode.ThemeIcon('circle-filled', new vscode.ThemeColor('gitDecoration.modifiedResourceForeground')),
  decided: new vscode.ThemeIcon('pass-filled', new vscode.ThemeColor('testing.iconPassed')),
  noise: new vscode.ThemeIcon('dash', new vscode.ThemeColor('descriptionForeground')),
};

const REJECTED = new vscode.ThemeIcon('circle-slash', new vscode.ThemeColor('descriptionForeground'));

function reviewItem(review: QueuedReview): vscode.TreeItem {
  const { kind, address } = review;
  const section = sectionOf(review);
  const name = nameOf(review);
  const item = new vscode.TreeItem(name);
  item.id = writeReviewAddress(address);
  const isRestored = section === 'decided' && review.accepted === 0;
  item.iconPath = isRestored ? REJECTED : ICONS[section];
  item.description = summaryOf(review);
  item.tooltip = tooltipOf(review);
  item.contextValue = `review.${isRestored ? 'rejected' : section}.${kind}`;
  item.accessibilityInformation = {
    label: `${name}, ${t(review.results.length > 0 ? RECORDING_NAME : KIND_NAMES[kind])}, ${summaryOf(review)}`,
  };
  item.command = { title: t('Review'), command: 'tapedeck.openReview', arguments: [reviewNode(review)] };
  return item;
}

/** A tape that is decided with the result of its case is called as the case. */
function nameOf({ path, results }: QueuedReview): string {
  const [result] = results;
  if (result !== undefined) return fileName(result.uri).replace(/(?:\.toml|\.baseline\.json)$/, '');
  return fileName(vscode.Uri.file(path)).replace(/\.toml$/, '');
}

const KIND_NAMES = { run: message('last run'), tape: message('tape'), baseline: message('baseline') } as const;

function summaryOf({ summary, from, open, accepted, rejected, hidden }: QueuedReview): string {
  if (open + accepted + rejected === 0) return from === undefined ? t('{0} ignored', hidden) : renamedText(from);
  if (open > 0) return summary;
  return [
    ...(accepted > 0 ? [t('{0} accepted', accepted)] : []),
    ...(rejected > 0 ? [t('{0} rejected', rejected)] : []),
  ].join(', ');
}

function renamedText(from: string): string {
  return t('renamed from {0}', from);
}

const RECORDING_NAME = message('tape and result');

const KIND_TOOLTIPS = {
  run: message('The last run of the case'),
  tape: message('The tape'),
  baseline: message('The baseline'),
} as const;

function tooltipOf({ path, from, kind, results, summary, open, accepted, rejected, hidden }: QueuedReview): string {
  const counts = [
    [open, message('{0} pending')],
    [accepted, message('{0} accepted')],
    [rejected, message('{0} rejected')],
    [hidden, message('{0} ignored')],
  ] as const;
  const shown = counts.filter(([count]) => count > 0).map(([count, what]) => t(what, count));
  const facts = [...(from === undefined ? [] : [renamedText(from)]), ...(summary === '' ? [] : [summary])];
  const what = results.length > 0 ? t('The tape, and the result of its case') : t(KIND_TOOLTIPS[kind]);
  return [path, what, ...facts, shown.join(' · ')].join('\n');
}
