import type { Lane } from '../laneTracker';
import type { InteractionSummary } from '../summary';
import { type TimeRange, timeScale } from './timeScale';

/** An agent, a conversation, or a call in one of them. */
export interface AgentNode {
  readonly key: string;
  readonly kind: 'agent' | 'conversation' | 'call';
  /** Empty if the tape does not name it. */
  readonly name: string;
  /** The first interaction in it, from 0. */
  readonly interaction: number;
  readonly calls: number;
  readonly failed: number;
  readonly start: number;
  readonly end: number;
  readonly children: readonly AgentNode[];
}

/** The tree of a tape: what ran inside of what, and when. */
export interface AgentTree {
  readonly nodes: readonly AgentNode[];
  /** Whether the times are known; otherwise `start` and `end` count interactions. */
  readonly isTimed: boolean;
  /** Where a time is drawn, from 0 to 1. */
  readonly place: (time: number) => number;
}

/** How many agents or conversations have interactions of their own. */
export function countLanes(summaries: readonly InteractionSummary[]): number {
  return new Set(summaries.flatMap((summary) => laneKey(summary) ?? [])).size;
}

function laneKey({ lane, conversation }: InteractionSummary): string | undefined {
  if (lane !== undefined) return `a${lane}`;
  return conversation === undefined ? undefined : `c${conversation}`;
}

interface AgentTreeOptions {
  /** Session logs record when a response arrived, other formats when the request was sent. */
  readonly recordsEnd?: boolean;
}

/**
 * The tree of a tape: the steps that its calls belong to, or else its conversations. Steps that contain nothing but one other
 * step are left out.
 */
export function agentTree(summaries: readonly InteractionSummary[], options: AgentTreeOptions = {}): AgentTree {
  const times = timesOf(summaries, options);
  const place = times && timeScale(times);
  const ranges = times === undefined || place === undefined ? orderOf(summaries) : times;
  const roots = new TreeBuilder(summaries, ranges).build();
  const count = Math.max(1, summaries.length);
  return { nodes: withoutWrappers(roots), isTimed: place !== undefined, place: place ?? ((at) => at / count) };
}

function orderOf(summaries: readonly InteractionSummary[]): readonly TimeRange[] {
  return summaries.map((_, index) => ({ start: index, end: index + 1 }));
}

/** Undefined if fewer than half of the interactions have a time. One without a time is drawn at the end of the one before it. */
function timesOf(
  summaries: readonly InteractionSummary[],
  { recordsEnd = false }: AgentTreeOptions,
): readonly TimeRange[] | undefined {
  let known = 0;
  let last: number | undefined;
  const found = summaries.map(({ numbers: { recordedAt, durationMs = 0 } }): TimeRange | undefined => {
    const at = recordedAt === undefined ? Number.NaN : Date.parse(recordedAt);
    if (Number.isNaN(at)) return last === undefined ? undefined : { start: last, end: last };
    known += 1;
    const start = recordsEnd ? at - durationMs : at;
    last = start + durationMs;
    return { start, end: last };
  });
  if (known * 2 < summaries.length || known === 0) return undefined;
  const first = found.find((range) => range !== undefined)?.start ?? 0;
  return found.map((range) => range ?? { start: first, end: first });
}

interface Group {
  readonly key: string;
  readonly kind: 'agent' | 'conversation';
  readonly name: string;
  readonly children: (Group | AgentNode)[];
  /** The group that its children are in, where the tree would become too deep. */
  readonly flatIn?: Group;
  readonly depth: number;
}

/** Deeper than agents nest in practice. */
const MAX_DEPTH = 32;

/** Puts each interaction into its lane, and each lane into its parent, in the order of the tape. */
class TreeBuilder {
  readonly #root: Group = { key: '', kind: 'agent', name: '', children: [], depth: 0 };
  readonly #groups = new Map<string, Group>();

  constructor(
    private readonly summaries: readonly InteractionSummary[],
    private readonly ranges: readonly TimeRange[],
  ) {}

  build(): readonly AgentNode[] {
    const loose = this.summaries.filter(({ lane }) => lane === undefined);
    const hasConversations = countLanes(loose) > 1;
    let latest = this.#root;
    for (const [index, summary] of this.summaries.entries()) {
      for (const lane of summary.opens ?? []) this.#open(lane);
      const key = laneKey(summary);
      if (summary.lane !== undefined) latest = this.#groups.get(key ?? '') ?? this.#root;
      else if (key !== undefined) latest = hasConversations ? this.#conversation(key, summary) : this.#root;
      latest.children.push(callNode(summary, this.ranges[index] ?? { start: 0, end: 0 }));
    }
    return this.#root.children.flatMap(finished);
  }

  #open({ id, parent, name }: Lane): void {
    const around = parent === undefined ? this.#root : (this.#groups.get(`a${parent}`) ?? this.#root);
    this.#add({ key: `a${id}`, kind: 'agent', name }, around);
  }

  #conversation(key: string, { title }: InteractionSummary): Group {
    const known = this.#groups.get(key);
    return known ?? this.#add({ key, kind: 'conversation', name: title }, this.#root);
  }

  #add(names: Pick<Group, 'key' | 'kind' | 'name'>, parent: Group): Group {
    const around = parent.flatIn ?? parent;
    const depth = around.depth + 1;
    const group = { ...names, children: [], depth, ...(depth === MAX_DEPTH && { flatIn: around }) };
    this.#groups.set(group.key, group);
    around.children.push(group);
    return group;
  }
}

function callNode({ index, title, entries, failed }: InteractionSummary, { start, end }: TimeRange): AgentNode {
  const tools = entries.flatMap(({ origin, tools: called }) => (origin === 'response' ? (called ?? []) : []));
  const name = tools.length > 0 ? [...new Set(tools)].join(', ') : title;
  const key = `i${index}`;
  return { key, kind: 'call', name, interaction: index, calls: 1, failed: failed ? 1 : 0, start, end, children: [] };
}

/** A group with the sums of its children; undefined for a lane without interactions. */
function finished(node: Group | AgentNode): AgentNode[] {
  if ('calls' in node) return [node];
  const children = node.children.flatMap(finished);
  const [first] = children;
  if (first === undefined) return [];
  const sum = (of: (child: AgentNode) => number): number => children.reduce((total, child) => total + of(child), 0);
  return [
    {
      key: node.key,
      kind: node.kind,
      name: node.name,
      children,
      interaction: first.interaction,
      calls: sum(({ calls }) => calls),
      failed: sum(({ failed }) => failed),
      start: children.reduce((least, { start }) => Math.min(least, start), first.start),
      end: children.reduce((most, { end }) => Math.max(most, end), first.end),
    },
  ];
}

function withoutWrappers(nodes: readonly AgentNode[]): readonly AgentNode[] {
  const [only] = nodes;
  const isWrapper = nodes.length === 1 && only?.kind === 'agent' && only.children.every(({ kind }) => kind !== 'call');
  return isWrapper ? withoutWrappers(only.children) : nodes;
}
