import * as vscode from 'vscode';
import { compareNames, fileTree, type TreeFile, type TreeFolder } from '../../core/project/fileTree';
import { caseFileOf } from '../base/caseUri';
import type { FolderNode, LeafNode, TreeNode } from './caseTreeNodes';

/** So many rows at most are opened at once: more would push the first out of sight. */
const FEW = 60;

/** The folders of the tree with what is in them, made anew when cases or tapes come or go. */
export class CaseTreeContent {
  /** The folders of the workspace where there are several, else what is in the only one. */
  readonly roots: readonly TreeNode[];
  readonly #nodes = new Map<TreeFolder<LeafNode>, FolderNode>();
  /** The folder of each case and loose tape, by its URI. */
  readonly #folders = new Map<string, TreeFolder<LeafNode>>();
  readonly #count: number;
  readonly #cases: number;

  constructor(cases: readonly LeafNode[], tapes: readonly LeafNode[]) {
    this.#count = cases.length + tapes.length;
    this.#cases = cases.length;
    const isCompact = vscode.workspace.getConfiguration('explorer').get<boolean>('compactFolders', true);
    const byName = [...tapes].sort((left, right) => compareNames(left.resource.path, right.resource.path));
    const trees = byFolder([...cases, ...byName]).map(([folder, leaves]) => {
      const files = leaves.map((leaf) => fileOf(leaf, folder.uri));
      return this.#adopt(fileTree(files, isCompact), folder);
    });
    const isOnly = (vscode.workspace.workspaceFolders ?? []).length <= 1;
    this.roots = isOnly ? trees.flatMap((node) => this.children(node)) : trees;
    if (isOnly) for (const { folder } of trees) this.#nodes.delete(folder);
  }

  children({ folder }: FolderNode): readonly TreeNode[] {
    return [...folder.folders.flatMap((one) => this.#nodes.get(one) ?? []), ...folder.files.map(({ item }) => item)];
  }

  /** The folder that a node stands in; undefined at the top. */
  parentOf(node: FolderNode | LeafNode): FolderNode | undefined {
    const folder = node.type === 'folder' ? node.folder.parent : this.#folders.get(node.resource.toString());
    return folder && this.#nodes.get(folder);
  }

  has(uri: vscode.Uri): boolean {
    return this.#folders.has(uri.toString());
  }

  /** The name of a loose tape, without what the names beside it begin with as well. */
  nameOf({ resource }: LeafNode): string {
    const { prefix = '' } = this.#folders.get(resource.toString()) ?? {};
    return resource.path.slice(resource.path.lastIndexOf('/') + 1 + prefix.length);
  }

  /** Whether a folder is open at first: where that leaves an overview. */
  isOpen({ folder, root }: FolderNode): boolean {
    const isSmall = this.#count <= FEW || root !== undefined;
    return isSmall || (this.#cases <= FEW && folder.files.length <= FEW && hasCase(folder));
  }

  #adopt(root: TreeFolder<LeafNode>, { uri, name }: vscode.WorkspaceFolder): FolderNode {
    const visit = (folder: TreeFolder<LeafNode>): FolderNode => {
      const node = new FolderRow(folder, uri, folder === root ? name : undefined);
      this.#nodes.set(folder, node);
      for (const { item } of folder.files) this.#folders.set(item.resource.toString(), folder);
      for (const below of folder.folders) visit(below);
      return node;
    };
    return visit(root);
  }
}

/** Its URI is made when it is drawn: most rows of a large tree never are. */
class FolderRow implements FolderNode {
  readonly type = 'folder';
  #resource: vscode.Uri | undefined;

  constructor(
    readonly folder: TreeFolder<LeafNode>,
    private readonly base: vscode.Uri,
    readonly root: string | undefined,
  ) {}

  get resource(): vscode.Uri {
    const { base, folder } = this;
    this.#resource ??= folder.path === '' ? base : vscode.Uri.joinPath(base, folder.path);
    return this.#resource;
  }
}

/** What is outside of the workspace has no folder, and is only shown below the cases that use it. */
function byFolder(leaves: readonly LeafNode[]): readonly (readonly [vscode.WorkspaceFolder, readonly LeafNode[]])[] {
  const found = (vscode.workspace.workspaceFolders ?? []).map((folder) => [folder, [] as LeafNode[]] as const);
  for (const leaf of leaves) found[vscode.workspace.getWorkspaceFolder(leaf.resource)?.index ?? -1]?.[1].push(leaf);
  return found.filter(([, inFolder]) => inFolder.length > 0);
}

function fileOf(item: LeafNode, root: vscode.Uri): TreeFile<LeafNode> {
  const path = caseFileOf(item.resource).path.slice(root.path.replace(/\/$/, '').length + 1);
  return { path, item, isShortened: item.type === 'tape' };
}

/** Whether there is a case in a folder or below it. */
export function hasCase(folder: TreeFolder<LeafNode>): boolean {
  return folder.files.some(({ item }) => item.type === 'case') || folder.folders.some(hasCase);
}
