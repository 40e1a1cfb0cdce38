import * as vscode from 'vscode';
import { originWords } from '../../core/project/tapeOrigin';
import { type CaseState, isOutdated, outdatedReason, stateWords, UNCHECKED_WORDS } from '../../core/runs/caseState';
import { failureLine } from '../../core/runs/failureLine';
import { isDescribable, isOfUnknownFormat } from '../../core/tapes/unknownFormat';
import { plural } from '../../core/text/counts';
import { message, t } from '../../core/text/l10n';
import { caseIcon } from '../base/caseIcons';
import { caseFileOf } from '../base/caseUri';
import { tapeThemeIcon } from '../base/tapeIcons';
import type { CaseStates, KnownCase } from '../stores/cases/caseStates';
import type { CaseStore } from '../stores/cases/caseStore';
import { tapeOfCase } from '../stores/cases/tapesOfCase';
import type { OwnState } from '../stores/files/ownState';
import type { TakeStore } from '../stores/takes/takeStore';
import type { TapeEntry, TapeStore } from '../stores/tapes/tapeStore';
import type { TapeTestStore } from '../stores/tapes/tapeTestStore';
import { rowUri } from './caseDecorations';
import { type CaseTreeContent, hasCase } from './caseTreeContent';
import type { CaseNode, FolderNode, TakeNode, TapeNode, TestNode, TreeNode } from './caseTreeNodes';

export interface CaseTreeStores {
  readonly cases: CaseStore;
  readonly tapes: TapeStore;
  /** Absent if no engine lists them. */
  readonly takes?: TakeStore | undefined;
  readonly tapeTests: TapeTestStore;
  readonly states: CaseStates;
  readonly own: Pick<OwnState, 'owns'>;
}

/** The folders as they are drawn. */
interface DrawnContent {
  of(): CaseTreeContent;
  isFiltered(): boolean;
}

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
      case 'take':
        return this.#take(node);
      case 'test':
        return testItem(node);
      case 'run':
        return runItem(await this.stores.states.get(node.owner.resource), node.owner);
      case 'review':
        return reviewItem(await this.stores.states.get(node.owner.resource), node.owner);
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
    const { tapes, tapeTests, takes } = this.stores;
    const tape = tapes.get(node.resource);
    const tests = tape === undefined ? [] : await tapeTests.testsOf(node.resource);
    const orphan = tape && (await tapeTests.orphanReason(tape));
    const name = node.owner === undefined ? this.content.of().nameOf(node) : fileName(node.resource);
    const item = tapeItem(node, { name, tape, isUnread: tapes.isUnread(node.resource), orphan });
    if (tests.length > 0) item.contextValue = 'tape.tested';
    else if (orphan !== undefined) item.contextValue = 'tape.orphan';
    if (tests.length > 0 || (await takes?.has(node.resource)))
      item.collapsibleState = vscode.TreeItemCollapsibleState.Collapsed;
    return item;
  }

  #take(node: TakeNode): vscode.TreeItem {
    const item = this.stores.takes?.item(node) ?? new vscode.TreeItem('');
    item.id = `take:${node.tape.owner?.resource.toString() ?? ''}:${node.resource.toString()}`;
    return item;
  }

  async #case({ resource: uri }: CaseNode): Promise<vscode.TreeItem> {
    const entry = this.stores.cases.get(uri);
    const item = new vscode.TreeItem(entry?.name ?? '', vscode.TreeItemCollapsibleState.Collapsed);
    const { state, run } = await this.stores.states.get(uri);
    item.id = uri.toString();
    item.resourceUri = rowUri(uri);
    item.iconPath = caseIcon(state);
    // The name of the file is shown only if it differs from that of the case.
    const isFileNamed = fileName(uri).replace(/\.\w+$/, '') === entry?.name;
    const reason = run?.status === 'failed' ? failureLine(run.failures) : '';
    item.description =
      [noteOf(state), reason || undefined].filter(Boolean).join(' · ') || (isFileNamed ? '' : fileName(uri));
    const remark = state.pending > 0 ? '.review' : state.checkedNothing ? '.unchecked' : '';
    const isTaped = entry !== undefined && tapeOfCase(entry, this.stores.tapes) !== undefined;
    item.contextValue = `case${remark}${isTaped ? '.taped' : ''}`;
    item.tooltip = tooltip(
      entry?.relativePath,
      entry?.kind.label,
      stateWords(state),
      reason,
      run?.compared,
      outdatedReason(state),
      entry?.problems[0]?.message ?? entry?.listed?.lacks,
    );
    item.accessibilityInformation = {
      label: [t('case {0}, {1}', entry?.name ?? '', stateWords(state)), reason].filter(Boolean).join(', '),
    };
    const line = entry?.headLine ?? 0;
    const selection = new vscode.Range(line, 0, line, 0);
    item.command = { title: t('Open Case'), command: 'vscode.open', arguments: [caseFileOf(uri), { selection }] };
    return item;
  }
}

function tooltip(...lines: readonly (string | undefined)[]): string {
  return lines.filter((line) => line !== undefined && line !== '').join('\n');
}

/** What is remarkable about a state that its icon does not show. */
function noteOf(state: CaseState): string | undefined {
  // How many is the badge of the row, which a narrow list does not cut off.
  if (state.pending > 0) return t('to review');
  if (isOutdated(state)) return t('outdated');
  return state.checkedNothing ? t(UNCHECKED_WORDS) : undefined;
}

function fileName(uri: vscode.Uri): string {
  return uri.path.slice(uri.path.lastIndexOf('/') + 1);
}

const STATUS_WORDS = { passed: message('passed'), failed: message('failed') } as const;
const MODE_WORDS = {
  replay: message('replay'),
  record: message('recording'),
  live: message('live'),
  scripted: message('scripted'),
} as const;

function runItem({ state, run }: KnownCase, owner: CaseNode): vscode.TreeItem {
  const item = new vscode.TreeItem(t('Last run'));
  item.id = `run:${owner.resource.toString()}`;
  item.iconPath = new vscode.ThemeIcon('history');
  item.contextValue = 'run';
  item.command = { title: t('Show Last Run'), command: 'tapedeck.openArtifact', arguments: [owner.resource] };
  if (state.type === 'running') item.description = t('running');
  else if (run !== undefined) {
    const { mode, status, durationMs, compared, finishedAtMs } = run;
    const outdated = isOutdated(state) ? [t('outdated')] : [];
    item.description = [t(STATUS_WORDS[status]), t(MODE_WORDS[mode]), ...outdated, t('{0} ms', durationMs)].join(' · ');
    item.tooltip = tooltip(compared, outdatedReason(state), new Date(finishedAtMs).toLocaleString());
  }
  return item;
}

function reviewItem({ state }: KnownCase, owner: CaseNode): vscode.TreeItem {
  const item = new vscode.TreeItem(t('Review'));
  item.id = `review:${owner.resource.toString()}`;
  item.iconPath = new vscode.ThemeIcon(
    'git-compare',
    new vscode.ThemeColor('gitDecoration.modifiedResourceForeground'),
  );
  item.description = plural(state.pending, 'change');
  item.contextValue = 'review';
  item.command = { title: t('Review'), command: 'tapedeck.reviewCase', arguments: [owner.resource] };
  return item;
}

/** The items of folders, of tapes, and of the tests that use them. */

function folderItem({ resource: uri, folder, root }: FolderNode, isOpen: boolean): vscode.TreeItem {
  const label = root ?? (folder.prefix === '' ? folder.label : `${folder.label}…`);
  const { Expanded, Collapsed } = vscode.TreeItemCollapsibleState;
  const item = new vscode.TreeItem(label, isOpen ? Expanded : Collapsed);
  item.id = `folder:${uri.toString()}#${folder.prefix}`;
  item.resourceUri = rowUri(folder.prefix === '' ? uri : vscode.Uri.joinPath(uri, folder.prefix));
  item.iconPath = folder.prefix === '' ? vscode.ThemeIcon.Folder : new vscode.ThemeIcon('files');
  item.contextValue = hasCase(folder) ? 'folder.cases' : 'folder';
  item.tooltip = `${vscode.workspace.asRelativePath(uri)}\n${countOf(folder.count)}`;
  if (!isOpen) item.description = folder.count.toLocaleString('en');
  item.accessibilityInformation = { label: t('folder {0}, {1}', label, countOf(folder.count)) };
  return item;
}

function countOf(count: number): string {
  return count === 1 ? t('1 case or tape') : t('{0} cases and tapes', count.toLocaleString('en'));
}

/** What is known of a tape. */
interface TapeFacts {
  /** Its name, as far as it is shown. */
  readonly name: string;
  readonly tape: TapeEntry | undefined;
  /** Whether it is there, and has not been read yet. */
  readonly isUnread: boolean;
  /** Why no test uses it; absent if one does. */
  readonly orphan: string | undefined;
}

function tapeItem({ resource: uri, owner }: TapeNode, facts: TapeFacts): vscode.TreeItem {
  const { name, tape, isUnread, orphan } = facts;
  const item = new vscode.TreeItem(name);
  item.id = `tape:${owner?.resource.toString() ?? ''}:${uri.toString()}`;
  item.resourceUri = uri;
  item.iconPath = iconOf(facts);
  item.contextValue = contextOf(facts);
  item.description = summaryOf(facts);
  const details = tape === undefined ? [item.description] : detailsOf(facts);
  const lines = [vscode.workspace.asRelativePath(uri), details.join(' · ')];
  item.tooltip = [...lines, orphan && t('Orphaned: {0}', orphan), tape?.problems[0]?.message]
    .filter(Boolean)
    .join('\n');
  item.accessibilityInformation = { label: t('tape {0}', [name, ...details].filter(Boolean).join(', ')) };
  if (tape !== undefined || isUnread)
    item.command = { title: t('Open Tape'), command: 'tapedeck.openTranscript', arguments: [uri] };
  return item;
}

function contextOf({ tape, isUnread }: TapeFacts): string {
  if (tape === undefined) return isUnread ? 'tape' : 'tape.none';
  if (!isOfUnknownFormat(tape)) return 'tape';
  return isDescribable(tape) ? 'tape.unknown.describable' : 'tape.unknown';
}

function iconOf({ tape, isUnread }: TapeFacts): vscode.ThemeIcon {
  if (tape !== undefined) return tapeThemeIcon(tape.family, isBroken(tape));
  return new vscode.ThemeIcon(isUnread ? 'comment-discussion' : 'circle-dashed');
}

/** The facts of an intact tape: the number of interactions, the model, and the age, which a narrow list cuts off first. */
function summaryOf({ tape, isUnread, orphan }: TapeFacts): string {
  if (tape === undefined) return isUnread ? '' : t('not recorded yet');
  if (isBroken(tape)) return plural(tape.problems.length, 'problem');
  if (isOfUnknownFormat(tape)) return t('unknown format');
  if (orphan !== undefined) return t('orphaned');
  return [tape.interactions.toLocaleString('en'), ...originWords(tape, Date.now())].join(' · ');
}

function detailsOf({ tape, orphan }: TapeFacts): readonly string[] {
  if (tape === undefined) return [];
  const { problems, interactions, formatLabel, recordedAt } = tape;
  if (isOfUnknownFormat(tape)) return [formatLabel];
  const day = recordedAt === undefined ? [] : [t('recorded {0}', new Date(recordedAt).toLocaleDateString())];
  const model = tape.model === undefined ? [] : [tape.model];
  const broken = isBroken(tape) ? [plural(problems.length, 'problem')] : [];
  const state = [...broken, ...(orphan === undefined ? [] : [t('orphaned')])];
  return [...state, plural(interactions, 'interaction'), ...model, ...day, formatLabel];
}

function testItem({ test: { file, test } }: TestNode): vscode.TreeItem {
  const item = new vscode.TreeItem(test.name);
  item.iconPath = new vscode.ThemeIcon('beaker');
  item.description = vscode.workspace.asRelativePath(file);
  item.tooltip = t('A test that uses this tape');
  item.contextValue = 'test';
  item.command = {
    title: t('Open Test'),
    command: 'tapedeck.openTestOfTape',
    arguments: [{ test: test.name, file }],
  };
  return item;
}

function isBroken({ problems }: TapeEntry): boolean {
  return problems.some(({ severity }) => severity === 'error');
}
