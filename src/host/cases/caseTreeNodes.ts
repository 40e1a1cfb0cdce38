import type { TreeFolder } from '../../core/project/fileTree';
import type { ResourceNode } from '../base/commandArguments';
import type { CaseEntry } from '../stores/cases/caseEntry';
import type { ShownTake } from '../stores/takes/takeItem';
import type { FoundTest } from '../stores/tapes/foundTest';

/** A node of the tree: folders contain cases and loose tapes, and cases their tapes, last run and review; tapes their tests and takes. */
export type TreeNode = FolderNode | CaseNode | TapeNode | TakeNode | TestNode | RunNode | ReviewNode;

/** A file that stands in a folder of the tree. */
export type LeafNode = CaseNode | TapeNode;

export interface FolderNode extends ResourceNode {
  readonly type: 'folder';
  readonly folder: TreeFolder<LeafNode>;
  /** The name of the folder of the workspace, where the node is one of several. */
  readonly root?: string | undefined;
}
export interface CaseNode extends ResourceNode {
  readonly type: 'case';
}
export interface TapeNode extends ResourceNode {
  readonly type: 'tape';
  /** The case that is the parent; absent for a tape that no case uses. */
  readonly owner?: CaseNode;
}
/** A take that the parent tape has replaced. */
export interface TakeNode extends ResourceNode, ShownTake {
  readonly type: 'take';
  readonly tape: TapeNode;
}
export interface TestNode extends ResourceNode {
  readonly type: 'test';
  /** A test that uses the parent tape. */
  readonly test: FoundTest;
  readonly tape: TapeNode;
}
interface RunNode extends ResourceNode {
  readonly type: 'run';
  readonly owner: CaseNode;
}
interface ReviewNode extends ResourceNode {
  readonly type: 'review';
  readonly owner: CaseNode;
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
