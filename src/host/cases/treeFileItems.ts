import * as vscode from 'vscode';
import { originWords } from '../../core/project/tapeOrigin';
import { isDescribable, isOfUnknownFormat } from '../../core/tapes/unknownFormat';
import { plural } from '../../core/text/counts';
import { t } from '../../core/text/l10n';
import { tapeThemeIcon } from '../base/tapeIcons';
import type { TapeEntry } from '../stores/tapes/tapeStore';
import { rowUri } from './caseDecorations';
import { hasCase } from './caseTreeContent';
import type { FolderNode, TapeNode, TestNode } from './caseTreeNodes';

/** The items of folders, of tapes, and of the tests that use them. */

export function folderItem({ resource: uri, folder, root }: FolderNode, isOpen: boolean): vscode.TreeItem {
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

export function tapeItem({ resource: uri, owner }: TapeNode, facts: TapeFacts): vscode.TreeItem {
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

export function testItem({ test: { file, test } }: TestNode): vscode.TreeItem {
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
