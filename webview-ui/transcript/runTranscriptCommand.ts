import { t } from '../../src/core/text/l10n';
import { announce } from '../base/announcements';
import type { MenuCommand, TranscriptCommand } from './commands';
import type { EditingSession } from './edit/editingSession';
import { isMenuCommand, runOnInteraction } from './edit/interactionCommands';
import type { Find } from './find/useFind';
import { foldRun } from './rows/asideRuns';
import type { Row } from './rows/rows';
import { currentEntry, entryOf, focusEntry } from './rows/scrolling';
import type { VirtualRows } from './rows/useVirtualRows';
import type { Actions } from './state/actions';
import { nextSpeed } from './state/playbackSpeed';
import { isEntryOpen } from './state/readingMode';
import type { ViewState } from './state/viewState';
import { focusTimeline } from './toolbar/timeline';

/** The page as the commands find it. */
interface CommandContext {
  readonly feed: HTMLElement;
  readonly rows: readonly Row[];
  readonly virtual: VirtualRows;
  readonly view: ViewState;
  readonly find: Find;
  readonly actions: Actions;
  readonly session: EditingSession;
  /** Absent if no session could stop at one. */
  readonly toggleBreakpoint?: Actions['toggleBreakpoint'] | undefined;
  openHelp(): void;
  showFilter(): void;
}

/** Carries out a command. Returns false if there was nothing to do, and the browser may have the key. */
type Run = (context: CommandContext) => boolean;

type Target = 'next' | 'previous' | 'first' | 'last';

const move =
  (to: Target): Run =>
  (context) =>
    goTo(context, context.rows[targetOf(to, context)]);
const moveByInteraction =
  (to: 'next' | 'previous'): Run =>
  (context) =>
    goTo(context, neighbouringInteraction(to, context));
const step =
  (by: 1 | -1): Run =>
  ({ find }) => {
    find.step(by);
    return find.isOpen;
  };
const mode =
  (wanted: ViewState['mode']): Run =>
  ({ actions }) => {
    actions.change({ type: 'mode', mode: wanted });
    return true;
  };
const speed =
  (by: 1 | -1): Run =>
  ({ actions, view }) => {
    actions.change({ type: 'speed', speed: nextSpeed(view.speed ?? '1', by) });
    return true;
  };
/** Runs for the focused message, or else for the one at the top. */
const onCurrentRow =
  (run: (row: Row, context: CommandContext) => void): Run =>
  (context) => {
    const row = context.rows[currentRow(context).index];
    if (row !== undefined) run(row, context);
    return row !== undefined;
  };

const RUN_COMMAND: Readonly<Record<Exclude<TranscriptCommand, MenuCommand>, Run>> = {
  next: move('next'),
  previous: move('previous'),
  first: move('first'),
  last: move('last'),
  nextInteraction: moveByInteraction('next'),
  previousInteraction: moveByInteraction('previous'),
  timeline: (context) => focusTimeline(context.rows[currentRow(context).index]?.view.interaction ?? 0),
  outline: ({ actions, view }) => {
    actions.change({ type: 'outline', open: view.outline !== true });
    return true;
  },
  agents: ({ actions, view }) => {
    if (document.querySelector('.agents') === null) announce(t('This tape has only one agent.'));
    else actions.change({ type: 'agents', open: view.agents !== true });
    return true;
  },
  back: goBack,
  toggle: onCurrentRow(({ view: { key, summary }, aside }, { actions, view }) => {
    if (aside?.isOpen === false) return actions.change(foldRun(aside));
    const open = !isEntryOpen(view.mode, summary, view.opened[key]);
    actions.change({ type: 'open', key, parts: ['entry'], open });
  }),
  source: onCurrentRow(({ view: { interaction: index }, isSource }, { actions }) =>
    actions.change({ type: 'source', index, shown: !isSource }),
  ),
  play: onCurrentRow(({ view }, { feed }) => {
    feed.querySelector<HTMLElement>(`[data-interaction="${view.interaction}"] .play`)?.click();
  }),
  slower: speed(-1),
  faster: speed(1),
  openSource: onCurrentRow(({ view }, { actions }) => actions.revealSource({ interaction: view.interaction })),
  menu: onCurrentRow(({ view }, { session }) => session.showMenu(view.interaction)),
  breakpoint: onCurrentRow(({ view }, { toggleBreakpoint }) => toggleBreakpoint?.({ interaction: view.interaction })),
  summary: mode('summary'),
  normal: mode('normal'),
  verbose: mode('verbose'),
  help: ({ openHelp }) => {
    openHelp();
    return true;
  },
  find: ({ find }) => {
    find.show();
    return true;
  },
  nextMatch: step(1),
  previousMatch: step(-1),
  filter: ({ showFilter }) => {
    showFilter();
    return true;
  },
};

/** Carries out a command. Returns false if there was nothing to do, and the browser may have the key. */
export function runTranscriptCommand(command: TranscriptCommand, context: CommandContext): boolean {
  if (!isMenuCommand(command)) return RUN_COMMAND[command](context);
  return onCurrentRow(({ view }, { session }) => runOnInteraction(command, session, view.interaction))(context);
}

/** Closes one thing at a time: the search, then whatever has the focus in the message, its source, the filter, the outline. */
function goBack({ feed, rows, view, find, actions }: CommandContext): boolean {
  const entry = currentEntry(feed);
  if (find.isOpen) {
    find.close();
    const target = (find.match && entryOf(feed, find.match.key)) ?? entry;
    if (target !== undefined) focusEntry(target);
    return true;
  }
  if (entry !== undefined && document.activeElement !== entry) {
    if (document.activeElement?.closest('.outline') != null) actions.change({ type: 'outline', open: false });
    focusEntry(entry);
    return true;
  }
  const row = rows.find(({ view: { key } }) => key === entry?.dataset.key);
  if (row?.isSource) actions.change({ type: 'source', index: row.view.interaction, shown: false });
  else if (view.filter !== undefined) actions.change({ type: 'filter', text: undefined });
  else if (view.outline) actions.change({ type: 'outline', open: false });
  else return false;
  return true;
}

function goTo({ virtual }: CommandContext, row: Row | undefined): boolean {
  if (row === undefined) return false;
  virtual.go({ key: row.view.key, onArrival: focusEntry });
  return true;
}

function targetOf(to: Target, context: CommandContext): number {
  const end = context.rows.length - 1;
  if (to === 'first') return 0;
  if (to === 'last') return end;
  const { index, focused } = currentRow(context);
  if (!focused) return index;
  return Math.max(0, Math.min(end, index + (to === 'next' ? 1 : -1)));
}

/** The first message of the interaction before or after the reader's place. */
function neighbouringInteraction(to: 'next' | 'previous', context: CommandContext): Row | undefined {
  const { rows } = context;
  const { index, focused } = currentRow(context);
  if (to === 'next') return rows.slice(index + (focused ? 1 : 0)).find(({ head }) => head !== undefined);
  return rows.slice(0, index).findLast(({ head }) => head !== undefined);
}

/** The reader's place: the focused message, or else the first one in view. */
function currentRow({ feed, rows }: CommandContext): { readonly index: number; readonly focused: boolean } {
  const entry = currentEntry(feed);
  const index = rows.findIndex((row) => row.view.key === entry?.dataset.key);
  return { index: Math.max(0, index), focused: entry?.contains(document.activeElement) ?? false };
}
