import type * as vscode from 'vscode';
import type { CaseEntry } from '../stores/caseEntry';
import type { PytestTest } from '../stores/pytestStore';

/** What the tree shows: folders of cases; under a case its tape, its last run and its review. */
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
  /** The case it is a child of; absent for a tape that no case names. */
  readonly owner?: CaseNode;
}
export interface TestNode {
  readonly type: 'test';
  /** A test of pytest that uses the tape which is the parent. */
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

/** The file a command on a node is about; undefined for nodes that stand for many. */
export function caseUriOf(node: TreeNode): vscode.Uri | undefined {
  if (node.type === 'case') return node.uri;
  return node.type === 'folder' || node.type === 'test' ? undefined : node.owner?.uri;
}

/** Does the filter find a case? All words must occur in its name, path, tools, tape or model. */
export function matchesFilter(entry: CaseEntry, filter: string): boolean {
  const { name, relativePath, kind, listed } = entry;
  const { tapes = [], words = [], tags = [] } = listed ?? {};
  const text = [name, relativePath, kind.label, ...tapes, ...words, ...tags].join('\n').toLowerCase();
  return filter
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
}
