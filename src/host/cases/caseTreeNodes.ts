import type * as vscode from 'vscode';
import type { CaseEntry } from '../stores/caseEntry';
import type { PytestTest } from '../stores/pytestStore';

/** A node of the tree: folders contain cases, and cases their tapes, last run and review. */
export type TreeNode = FolderNode | CaseNode | TapeNode | TestNode | RunNode | ReviewNode;

export interface FolderNode {
  readonly type: 'folder';
  readonly uri: vscode.Uri;
}
export interface CaseNode {
  readonly type: 'case';
  readonly uri: vscode.Uri;
}
export interface TapeNode {
  readonly type: 'tape';
  readonly uri: vscode.Uri;
  /** The case that is the parent; absent for a tape that no case uses. */
  readonly owner?: CaseNode;
}
export interface TestNode {
  readonly type: 'test';
  /** A pytest test that uses the parent tape. */
  readonly test: PytestTest;
  readonly tape: TapeNode;
}
export interface RunNode {
  readonly type: 'run';
  readonly owner: CaseNode;
}
export interface ReviewNode {
  readonly type: 'review';
  readonly owner: CaseNode;
}

/** The case that a command on a node applies to; undefined for folders, loose tapes and tests. */
export function caseUriOf(node: TreeNode): vscode.Uri | undefined {
  if (node.type === 'case') return node.uri;
  return node.type === 'folder' || node.type === 'test' ? undefined : node.owner?.uri;
}

/** Whether all words of the filter occur in the name, path, tools, tapes or model of a case. */
export function matchesFilter(entry: CaseEntry, filter: string): boolean {
  const { name, relativePath, kind, listed } = entry;
  const { tapes = [], words = [], tags = [] } = listed ?? {};
  const text = [name, relativePath, kind.label, ...tapes, ...words, ...tags].join('\n').toLowerCase();
  return filter
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
}
