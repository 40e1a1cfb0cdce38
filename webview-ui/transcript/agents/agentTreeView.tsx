import type { VNode } from 'preact';
import { useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { counted } from '../../../src/core/text/counts';
import { t } from '../../../src/core/text/l10n';
import { type AgentNode, agentTree } from '../../../src/core/transcript/agents/agentTree';
import type { InteractionSummary } from '../../../src/core/transcript/summary';
import { Icon } from '../../base/icon';
import { formatDuration } from '../../base/numbers';

export interface AgentTreeProps {
  readonly summaries: readonly InteractionSummary[];
  readonly recordsEnd: boolean;
  /** Whether the user has just opened it. */
  readonly takesFocus: boolean;
  onGo(interaction: number): void;
}

/** The height of a line, in pixels; agents.css repeats it. */
const LINE_HEIGHT = 24;
/** Lines rendered above and below what is in view. */
const MARGIN = 10;
/** The most lines in view, as agents.css has it. */
const IN_VIEW = 14;

/** A line of the tree, as it is opened. */
interface AgentRow {
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
type OpenNodes = Readonly<Record<string, boolean>>;

/** The tree of agents as a waterfall: a line for each agent and call, of which only those in view are on the page. */
export function AgentTree({ summaries, recordsEnd, takesFocus, onGo }: AgentTreeProps): VNode {
  const list = useRef<HTMLDivElement>(null);
  const [opened, setOpened] = useState<OpenNodes>({});
  const [top, setTop] = useState(0);
  const tree = useMemo(() => agentTree(summaries, { recordsEnd }), [summaries, recordsEnd]);
  const rows = useMemo(() => agentRows(tree.nodes, opened), [tree, opened]);
  const focus = useFocusedLine(list, rows, takesFocus);
  const start = Math.max(0, Math.floor(top / LINE_HEIGHT) - MARGIN);
  const end = Math.min(rows.length, start + IN_VIEW + 2 * MARGIN);
  const toggle = ({ node: { key }, isOpen }: AgentRow): void => setOpened({ ...opened, [key]: !isOpen });
  const onKeyDown = (event: KeyboardEvent): void => {
    const row = rows[focus.line];
    const target = lineAfterKey(rows, focus.line, event.key);
    if (row === undefined || event.ctrlKey || event.altKey || event.metaKey) return;
    const opens = row.isOpen === (event.key === 'ArrowLeft') && /^Arrow(?:Left|Right)$/.test(event.key);
    if (opens || (event.key === ' ' && row.isOpen !== undefined)) toggle(row);
    else if (event.key === 'Enter') onGo(row.node.interaction);
    else if (target !== undefined) focus.go(target);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <>
      <div
        ref={list}
        class="agent-tree"
        role="tree"
        aria-label={t('Agents')}
        onScroll={({ currentTarget }) => setTop(currentTarget.scrollTop)}
      >
        <div role="presentation" style={{ height: `${start * LINE_HEIGHT}px` }} />
        {rows.slice(start, end).map((row, index) => (
          <AgentLine
            key={row.node.key}
            row={row}
            line={start + index}
            isTabStop={start + index === focus.line}
            place={tree.place}
            isTimed={tree.isTimed}
            onFocus={() => focus.set(start + index)}
            onKeyDown={onKeyDown}
            onGo={() => onGo(row.node.interaction)}
            onToggle={() => toggle(row)}
          />
        ))}
        <div role="presentation" style={{ height: `${(rows.length - end) * LINE_HEIGHT}px` }} />
      </div>
      <p class="quiet agents-note">
        {tree.isTimed
          ? t('By time, with pauses shortened. Enter goes to the messages.')
          : t('By order: this tape has no times. Enter goes to the messages.')}
      </p>
    </>
  );
}

interface FocusedLine {
  /** The line in the tab order. */
  readonly line: number;
  set(line: number): void;
  /** Moves the focus, also to a line that is not on the page yet. */
  go(line: number): void;
}

function useFocusedLine(
  list: { readonly current: HTMLElement | null },
  rows: readonly AgentRow[],
  takesFocus: boolean,
): FocusedLine {
  const [wanted, set] = useState(0);
  const isPending = useRef(takesFocus);
  const line = Math.min(wanted, rows.length - 1);
  // On every render: the line may have been added to the page by this one.
  useLayoutEffect(() => {
    const { current } = list;
    if (!isPending.current || current === null) return;
    const element = current.querySelector<HTMLElement>(`[data-line="${line}"]`);
    if (element === null) current.scrollTop = Math.max(0, line * LINE_HEIGHT - current.clientHeight / 2);
    else isPending.current = false;
    element?.focus();
  });
  const go = (target: number): void => {
    isPending.current = true;
    set(target);
  };
  return { line, set, go };
}

interface AgentLineProps {
  readonly row: AgentRow;
  readonly line: number;
  readonly isTabStop: boolean;
  readonly isTimed: boolean;
  readonly place: (time: number) => number;
  onFocus(): void;
  onKeyDown(event: KeyboardEvent): void;
  onGo(): void;
  onToggle(): void;
}

function AgentLine({ row, line, isTabStop, isTimed, place, onFocus, onKeyDown, ...on }: AgentLineProps): VNode {
  const { node, level, position, siblings, isOpen } = row;
  const name = nameOf(node);
  const label = [node.kind === 'call' ? `#${node.interaction + 1} ${name}` : name, ...factsOf(node, isTimed)].join(
    ', ',
  );
  const onClick = ({ target }: MouseEvent): void => {
    const isChevron = target instanceof Element && target.closest('.agent-chevron') !== null;
    if (isChevron && isOpen !== undefined) on.onToggle();
    else on.onGo();
  };
  return (
    <div
      class={`agent-line agent-${node.kind}`}
      role="treeitem"
      data-line={line}
      tabIndex={isTabStop ? 0 : -1}
      aria-level={level}
      aria-posinset={position}
      aria-setsize={siblings}
      aria-expanded={isOpen}
      aria-label={label}
      title={label}
      onFocus={onFocus}
      onClick={onClick}
      onKeyDown={onKeyDown}
    >
      <span class="agent-name" style={{ paddingLeft: `${Math.min(level - 1, 8) * 14}px` }}>
        <span class="agent-chevron">
          {isOpen !== undefined && <Icon name={isOpen ? 'chevron-down' : 'chevron-right'} />}
        </span>
        {node.kind === 'call' && <span class="quiet">{`#${node.interaction + 1} `}</span>}
        <span class="agent-title" dir="auto">
          {name}
        </span>
        {node.failed > 0 && <Icon name="error" />}
      </span>
      <span class="agent-bars" aria-hidden="true">
        <span class="agent-range" style={spanOf(place(node.start), place(node.end))} />
        {barsOf(node, place).map(({ from, to, failed }) => (
          <span class={failed ? 'agent-bar agent-bar-failed' : 'agent-bar'} style={spanOf(from, to)} />
        ))}
      </span>
    </div>
  );
}

function nameOf({ name, kind }: AgentNode): string {
  const text = name.replaceAll(/[`*]/g, '');
  return text === '' ? (kind === 'agent' ? t('Agent') : t('Message')) : text;
}

function factsOf({ kind, calls, failed, start, end }: AgentNode, isTimed: boolean): readonly string[] {
  return [
    ...(kind === 'call' ? [] : [counted(calls, '{0} interaction', '{0} interactions')]),
    ...(isTimed && end > start ? [formatDuration(end - start)] : []),
    ...(failed > 0 ? [kind === 'call' ? t('failed') : t('{0} failed', failed)] : []),
  ];
}

function spanOf(from: number, to: number): { readonly left: string; readonly width: string } {
  return { left: `${from * 100}%`, width: `max(2px, ${(to - from) * 100}%)` };
}

/** The visible lines, from top to bottom. Nodes that contain agents are open at first, nodes that contain only calls are not. */
function agentRows(nodes: readonly AgentNode[], opened: OpenNodes): readonly AgentRow[] {
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
function lineAfterKey(rows: readonly AgentRow[], line: number, key: string): number | undefined {
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
function barsOf({ children, ...node }: AgentNode, place: (time: number) => number): readonly Bar[] {
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
