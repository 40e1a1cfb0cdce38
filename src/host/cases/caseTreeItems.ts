import * as vscode from 'vscode';
import { caseFileOf } from '../base/caseUri';
import type { CaseStore } from '../stores/caseStore';
import type { PytestStore } from '../stores/pytestStore';
import { pendingChanges, type Review, type ReviewStore } from '../stores/reviewStore';
import type { RunState, RunStore } from '../stores/runStore';
import type { TapeStore } from '../stores/tapeStore';
import { rowUri } from './caseDecorations';
import type { CaseTreeContent } from './caseTreeContent';
import type { CaseNode, FolderNode, TapeNode, TreeNode } from './caseTreeNodes';
import { folderItem, plural, tapeItem, testItem } from './treeFileItems';

export interface CaseTreeStores {
  readonly cases: CaseStore;
  readonly tapes: TapeStore;
  readonly pytests: PytestStore;
  readonly runs: RunStore;
  readonly reviews: ReviewStore;
}

/** The folders as they are drawn. */
export interface DrawnContent {
  of(): CaseTreeContent;
  isFiltered(): boolean;
}

type State = 'invalid' | 'running' | 'passed' | 'failed' | 'cancelled' | 'review' | 'idle';

const ICONS: Record<State, vscode.ThemeIcon> = {
  invalid: new vscode.ThemeIcon('error', new vscode.ThemeColor('list.errorForeground')),
  running: new vscode.ThemeIcon('loading~spin'),
  passed: new vscode.ThemeIcon('pass', new vscode.ThemeColor('testing.iconPassed')),
  failed: new vscode.ThemeIcon('error', new vscode.ThemeColor('testing.iconFailed')),
  cancelled: new vscode.ThemeIcon('circle-slash', new vscode.ThemeColor('testing.iconSkipped')),
  review: new vscode.ThemeIcon('git-compare', new vscode.ThemeColor('gitDecoration.modifiedResourceForeground')),
  idle: new vscode.ThemeIcon('circle-outline', new vscode.ThemeColor('testing.iconUnset')),
};

const STATE_WORDS: Record<State, string> = {
  invalid: 'the case cannot be read',
  running: 'running',
  passed: 'passed',
  failed: 'failed',
  cancelled: 'cancelled',
  review: 'to be reviewed',
  idle: 'not run yet',
};

/** The items of the tree's nodes. They read files, so they are created only for visible nodes. */
export class CaseTreeItems {
  constructor(
    private readonly stores: CaseTreeStores,
    private readonly content: DrawnContent,
  ) {}

  async of(node: TreeNode): Promise<vscode.TreeItem> {
    switch (node.type) {
      case 'folder':
        return this.#folder(node);
      case 'case':
        return this.#case(node);
      case 'tape':
        return this.#tape(node);
      case 'test':
        return testItem(node);
      case 'run':
        return runItem(
          this.stores.runs.get(node.owner.resource),
          await this.stores.reviews.get(node.owner.resource),
          node.owner,
        );
      case 'review':
        return reviewItem(await this.stores.reviews.get(node.owner.resource), node.owner);
    }
  }

  /** While a filter is set, folders show what it has found, and afterwards they are as they were. */
  #folder(node: FolderNode): vscode.TreeItem {
    const isFiltered = this.content.isFiltered();
    const item = folderItem(node, this.content.of().isOpen(node));
    if (isFiltered) item.id = `found:${item.id}`;
    return item;
  }

  async #tape(node: TapeNode): Promise<vscode.TreeItem> {
    const { tapes, pytests } = this.stores;
    const tape = tapes.get(node.resource);
    const tests = tape === undefined ? [] : await pytests.testsOf(node.resource);
    const orphan = tape && (await pytests.orphanReason(tape));
    const name = node.owner === undefined ? this.content.of().nameOf(node) : fileName(node.resource);
    const item = tapeItem(node, { name, tape, isUnread: tapes.isUnread(node.resource), orphan });
    if (tests.length > 0) item.collapsibleState = vscode.TreeItemCollapsibleState.Collapsed;
    return item;
  }

  async #case({ resource: uri }: CaseNode): Promise<vscode.TreeItem> {
    const entry = this.stores.cases.get(uri);
    const item = new vscode.TreeItem(entry?.name ?? '', vscode.TreeItemCollapsibleState.Collapsed);
    const review = await this.stores.reviews.get(uri);
    const state = entry === undefined || entry.isBroken ? 'invalid' : stateOf(this.stores.runs.get(uri), review);
    const pending = pendingChanges(review);
    item.id = uri.toString();
    item.resourceUri = rowUri(uri);
    item.iconPath = ICONS[state];
    // The name of the file is shown only if it differs from that of the case.
    const isFileNamed = fileName(uri).replace(/\.\w+$/, '') === entry?.name;
    item.description = pending > 0 ? `${pending} to review` : isFileNamed ? '' : fileName(uri);
    item.contextValue = pending > 0 ? 'case.review' : 'case';
    item.tooltip = tooltip(
      entry?.relativePath,
      entry?.kind.label,
      STATE_WORDS[state],
      entry?.problems[0]?.message ?? entry?.listed?.lacks,
    );
    item.accessibilityInformation = {
      label: `case ${entry?.name}, ${STATE_WORDS[state]}${pending > 0 ? `, ${pending} to review` : ''}`,
    };
    const line = entry?.headLine ?? 0;
    const selection = new vscode.Range(line, 0, line, 0);
    item.command = { title: 'Open Case', command: 'vscode.open', arguments: [caseFileOf(uri), { selection }] };
    return item;
  }
}

function tooltip(...lines: readonly (string | undefined)[]): string {
  return lines.filter((line) => line !== undefined && line !== '').join('\n');
}

/** The state of the run in this window; after a reload, that of the last artifact. */
function stateOf(run: RunState | undefined, review: Review | undefined): State {
  if (run?.type === 'running') return 'running';
  if (run?.result.status === 'cancelled') return 'cancelled';
  const differs = review?.baseline !== undefined && review.changes.length > 0;
  const status = run?.result.status ?? (differs ? 'failed' : review?.artifact?.status);
  const onlyDiffers = run?.result.failures.every(({ kind }) => kind === 'difference') ?? true;
  return pendingChanges(review) > 0 && onlyDiffers ? 'review' : (status ?? 'idle');
}

function fileName(uri: vscode.Uri): string {
  return uri.path.slice(uri.path.lastIndexOf('/') + 1);
}

function runItem(run: RunState | undefined, review: Review | undefined, owner: CaseNode): vscode.TreeItem {
  const item = new vscode.TreeItem('Last run');
  item.id = `run:${owner.resource.toString()}`;
  item.iconPath = new vscode.ThemeIcon('history');
  item.contextValue = 'run';
  item.command = { title: 'Show Last Run', command: 'tapedeck.openArtifact', arguments: [owner.resource] };
  if (run?.type === 'running') item.description = 'running';
  else if (run?.type === 'finished') {
    const { mode, status, durationMs, compared } = run.result;
    item.description = `${mode} · ${status} · ${durationMs} ms`;
    item.tooltip = compared;
  } else if (review?.artifact) {
    const { status, duration_ms, started_at_ms, tapedeck } = review.artifact;
    item.description = `${tapedeck?.mode ?? 'run'} · ${status} · ${duration_ms} ms`;
    item.tooltip = new Date(started_at_ms).toLocaleString();
  }
  return item;
}

function reviewItem(review: Review | undefined, owner: CaseNode): vscode.TreeItem {
  const item = new vscode.TreeItem('Review');
  item.id = `review:${owner.resource.toString()}`;
  item.iconPath = ICONS.review;
  item.description = plural(pendingChanges(review), 'change');
  item.contextValue = 'review';
  item.command = { title: 'Review', command: 'tapedeck.reviewCase', arguments: [owner.resource] };
  return item;
}
