import type { McpAside } from '../../../src/core/transcript/mcpDetails';
import type { InteractionView } from '../state/viewModel';
import type { ViewAction, ViewState } from '../state/viewState';

/** Interactions in a row that are no steps of the conversation, as those that set up connections with MCP servers. They are folded to one line. */
export interface AsideRun {
  /** At least one. */
  readonly interactions: readonly InteractionView[];
  /** Whether each of them is shown below the line. */
  readonly isOpen: boolean;
}

/** The part of a view's state by which a run is open: because it was opened, or something in it. */
type RunState = Pick<ViewState, 'opened' | 'sources'>;

/** The runs, by the index of each of their interactions. */
export function asideRuns(interactions: readonly InteractionView[], state: RunState): ReadonlyMap<number, AsideRun> {
  const runs = new Map<number, AsideRun>();
  let run: InteractionView[] = [];
  const end = (): void => {
    const aside = { interactions: run, isOpen: run.some((view) => isOpened(view, state)) };
    for (const { index } of run) runs.set(index, aside);
    run = [];
  };
  for (const view of interactions) {
    if (isAside(view)) run.push(view);
    else if (run.length > 0) end();
  }
  end();
  return runs;
}

/** How many of the last interactions may be the beginning of a run. */
export function asidesAtEnd(interactions: readonly InteractionView[]): number {
  return interactions.length - 1 - interactions.findLastIndex((view) => !isAside(view));
}

/** The keys of messages in runs in which something is open: a value to compare. */
export function openAsides(interactions: readonly InteractionView[], opened: ViewState['opened']): string {
  const open = interactions.filter((view) => isAside(view) && isOpened(view, { opened, sources: [] }));
  return open.flatMap(entryKeys).join(' ');
}

/** Opens a run that is folded, and folds one that is open, with all that is open in it. */
export function foldRun({ interactions, isOpen }: AsideRun): ViewAction {
  return { type: 'fold', keys: interactions.flatMap(entryKeys), part: 'aside', open: !isOpen };
}

export function entryKeys({ entries }: InteractionView): readonly string[] {
  return entries.map(({ key }) => key);
}

/** What the messages of a run were: `orders: initialize, initialized, tools/list`. */
export function describeRun({ interactions }: AsideRun): string {
  const servers = new Map<string, string[]>();
  for (const { server, text } of interactions.flatMap(asidesOf))
    servers.set(server, [...(servers.get(server) ?? []), text]);
  return [...servers].map(([server, texts]) => `${server}: ${[...new Set(texts)].join(', ')}`).join(' · ');
}

function asidesOf({ entries }: InteractionView): readonly McpAside[] {
  return entries.flatMap(({ summary }) => summary.aside ?? []);
}

function isAside({ entries }: InteractionView): boolean {
  return entries.length > 0 && entries.every(({ summary }) => summary.aside !== undefined);
}

function isOpened({ index, entries }: InteractionView, { opened, sources }: RunState): boolean {
  return sources.includes(index) || entries.some(({ key }) => Object.values(opened[key] ?? {}).includes(true));
}
