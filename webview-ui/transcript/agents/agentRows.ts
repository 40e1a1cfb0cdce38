import type { AgentNode } from '../../../src/core/transcript/agents/agentTree';

/** A line of the tree, as it is opened. */
export interface AgentRow {
  readonly node: AgentNode;
  /** From 1. */
  readonly level: number;
  /** Its place among its siblings, from 1, and how many there are. */
  readonly position: number;
  readonly siblings: number;
  /** Undefined for a call. */
  readonly isOpen: boolean | undefined;
  /** The line of its parent; -1 at the top. */
  readonly parent: number;
}

/** What the user opened or closed, by the keys of nodes. */
export type OpenNodes = Readonly<Record<string, boolean>>;

/** The visible lines, from top to bottom. Nodes that contain agents are open at first, nodes that contain only calls are not. */
export function agentRows(nodes: readonly AgentNode[], opened: OpenNodes): readonly AgentRow[] {
  const rows: AgentRow[] = [];
  const add = (siblings: readonly AgentNode[], level: number, parent: number): void => {
    for (const [index, node] of siblings.entries()) {
      const hasAgents = node.children.some(({ kind }) => kind !== 'call');
      const isOpen = node.kind === 'call' ? undefined : (opened[node.key] ?? hasAgents);
      rows.push({ node, level, position: index + 1, siblings: siblings.length, isOpen, parent });
      if (isOpen) add(node.children, level + 1, rows.length - 1);
    }
  };
  add(nodes, 1, -1);
  return rows;
}

/** The line that a key of the keyboard leads to from another one; undefined for other keys. */
export function lineAfterKey(rows: readonly AgentRow[], line: number, key: string): number | undefined {
  const row = rows[line];
  switch (key) {
    case 'ArrowDown':
      return Math.min(rows.length - 1, line + 1);
    case 'ArrowUp':
      return Math.max(0, line - 1);
    case 'Home':
      return 0;
    case 'End':
      return rows.length - 1;
    case 'ArrowRight':
      return row?.isOpen ? Math.min(rows.length - 1, line + 1) : line;
    case 'ArrowLeft':
      return row?.isOpen || row === undefined || row.parent < 0 ? line : row.parent;
    default:
      return undefined;
  }
}

/** A part of the width, from 0 to 1. */
interface Bar {
  readonly from: number;
  readonly to: number;
  readonly failed: boolean;
}

/** More cannot be distinguished. */
const MAX_BARS = 60;

/** The calls of a node as bars; if there are many, adjacent ones are merged. */
export function barsOf({ children, ...node }: AgentNode, place: (time: number) => number): readonly Bar[] {
  const calls = node.kind === 'call' ? [{ ...node, children }] : children.filter(({ kind }) => kind === 'call');
  const share = Math.ceil(calls.length / MAX_BARS);
  return Array.from({ length: Math.ceil(calls.length / Math.max(1, share)) }, (_, index) => {
    const some = calls.slice(index * share, (index + 1) * share);
    return {
      from: Math.min(...some.map(({ start }) => place(start))),
      to: Math.max(...some.map(({ end }) => place(end))),
      failed: some.some(({ failed }) => failed > 0),
    };
  });
}
