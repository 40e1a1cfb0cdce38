import type { MenuCommand, TranscriptCommand } from './commands';
import type { Editing } from './edit/editing';
import { isMenuCommand, runOnInteraction } from './edit/interactionCommands';
import type { Find } from './find/useFind';
import type { Row } from './rows/rows';
import { currentEntry, entryOf } from './rows/scrolling';
import type { VirtualRows } from './rows/useVirtualRows';
import type { Actions } from './state/actions';
import { nextSpeed } from './state/playbackSpeed';
import { isEntryOpen } from './state/readingMode';
import type { ViewState } from './state/viewState';
import { focusTimeline } from './toolbar/timeline';

/** What the keyboard works on. */
export interface CommandContext {
  readonly feed: HTMLElement;
  readonly rows: readonly Row[];
  readonly virtual: VirtualRows;
  readonly view: ViewState;
  readonly find: Find;
  readonly actions: Actions;
  readonly editing: Editing;
  openHelp(): void;
  showFilter(): void;
}

/** Does something. False when there was nothing to do, and the browser may have the key. */
type Run = (reading: CommandContext) => boolean;

const move =
  (to: 'next' | 'previous' | 'first' | 'last'): Run =>
  (reading) =>
    goTo(reading, reading.rows[targetOf(to, reading)]);
const moveByInteraction =
  (to: 'next' | 'previous'): Run =>
  (reading) =>
    goTo(reading, neighbouringInteraction(to, reading));
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
/** About one message: the focused one, or else the one at the top. */
const onCurrentRow =
  (run: (row: Row, reading: CommandContext) => void): Run =>
  (reading) => {
    const row = reading.rows[currentRow(reading).index];
    if (row !== undefined) run(row, reading);
    return row !== undefined;
  };

const RUN_COMMAND: Readonly<Record<Exclude<TranscriptCommand, MenuCommand>, Run>> = {
  next: move('next'),
  previous: move('previous'),
  first: move('first'),
  last: move('last'),
  nextInteraction: moveByInteraction('next'),
  previousInteraction: moveByInteraction('previous'),
  timeline: (reading) => focusTimeline(reading.rows[currentRow(reading).index]?.view.interaction ?? 0),
  outline: ({ actions, view }) => {
    actions.change({ type: 'outline', open: view.outline !== true });
    return true;
  },
  back: goBack,
  toggle: onCurrentRow(({ view: { key, summary } }, { actions, view }) => {
    const open = !isEntryOpen(view.mode, summary, view.opened[key]);
    actions.change({ type: 'open', key, whats: ['entry'], open });
  }),
  raw: onCurrentRow(({ view: { interaction: index }, raw }, { actions }) =>
    actions.change({ type: 'raw', index, raw: !raw }),
  ),
  play: onCurrentRow(({ view }, { feed }) => {
    feed.querySelector<HTMLElement>(`[data-interaction="${view.interaction}"] .play`)?.click();
  }),
  slower: speed(-1),
  faster: speed(1),
  source: onCurrentRow(({ view }, { actions }) => actions.revealSource(view.interaction)),
  menu: onCurrentRow(({ view }, { editing }) => editing.showMenu(view.interaction)),
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

/** Does what a key asks for. False when there was nothing to do, and the browser may have the key. */
export function runTranscriptCommand(command: TranscriptCommand, reading: CommandContext): boolean {
  if (!isMenuCommand(command)) return RUN_COMMAND[command](reading);
  return onCurrentRow(({ view }, { editing }) => runOnInteraction(command, editing, view.interaction))(reading);
}

/** One step at a time: out of a search, to the message, then out of its source, the filter, the outline. */
function goBack({ feed, rows, view, find, actions }: CommandContext): boolean {
  const entry = currentEntry(feed);
  if (find.isOpen) {
    find.close();
    ((find.match && entryOf(feed, find.match.key)) ?? entry)?.focus({ preventScroll: true });
    return true;
  }
  if (entry !== undefined && document.activeElement !== entry) {
    if (document.activeElement?.closest('.outline') != null) actions.change({ type: 'outline', open: false });
    entry.focus({ preventScroll: true });
    return true;
  }
  const row = rows.find(({ view: { key } }) => key === entry?.dataset.key);
  if (row?.raw) actions.change({ type: 'raw', index: row.view.interaction, raw: false });
  else if (view.filter !== undefined) actions.change({ type: 'filter', text: undefined });
  else if (view.outline) actions.change({ type: 'outline', open: false });
  else return false;
  return true;
}

function goTo({ virtual }: CommandContext, row: Row | undefined): boolean {
  if (row === undefined) return false;
  virtual.go({ key: row.view.key, arrived: (entry) => entry.focus({ preventScroll: true }) });
  return true;
}

function targetOf(to: 'next' | 'previous' | 'first' | 'last', reading: CommandContext): number {
  const end = reading.rows.length - 1;
  if (to === 'first') return 0;
  if (to === 'last') return end;
  const { index, focused } = currentRow(reading);
  if (!focused) return index;
  return Math.max(0, Math.min(end, index + (to === 'next' ? 1 : -1)));
}

/** The first message of the interaction before or after the one the reader is at. */
function neighbouringInteraction(to: 'next' | 'previous', reading: CommandContext): Row | undefined {
  const { rows } = reading;
  const { index, focused } = currentRow(reading);
  if (to === 'next') return rows.slice(index + (focused ? 1 : 0)).find(({ head }) => head !== undefined);
  return rows.slice(0, index).findLast(({ head }) => head !== undefined);
}

/** Where the reader is: at the focused message, or else at the first one in sight. */
function currentRow({ feed, rows }: CommandContext): { readonly index: number; readonly focused: boolean } {
  const entry = currentEntry(feed);
  const index = rows.findIndex((row) => row.view.key === entry?.dataset.key);
  return { index: Math.max(0, index), focused: entry?.contains(document.activeElement) ?? false };
}
