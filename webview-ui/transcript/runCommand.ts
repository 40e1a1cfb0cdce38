import type { Actions } from './actions';
import type { Command } from './keys';
import { isEntryOpen } from './modes';
import type { Row } from './rows';
import { entryOf, topEntry } from './scrolling';
import type { Find } from './useFind';
import type { VirtualRows } from './useVirtualRows';
import type { InteractionView } from './viewModel';
import type { ViewState } from './viewState';

/** What the keyboard works on. */
export interface Reading {
  readonly feed: HTMLElement;
  readonly rows: readonly Row[];
  readonly virtual: VirtualRows;
  readonly interactions: readonly InteractionView[];
  readonly view: ViewState;
  readonly find: Find;
  readonly actions: Actions;
  openHelp(): void;
  focusFilter(): void;
}

/** Does what a key asks for. False when there was nothing to do, and the browser may have the key. */
export function runCommand(command: Command, reading: Reading): boolean {
  const { find, actions, openHelp } = reading;
  switch (command.type) {
    case 'find':
      find.show();
      return true;
    case 'closeFind':
      return closeFind(reading);
    case 'step':
      find.step(command.to === 'next' ? 1 : -1);
      return find.isOpen;
    case 'help':
      openHelp();
      return true;
    case 'mode':
      actions.change({ type: 'mode', mode: command.mode });
      return true;
    case 'filter':
      actions.change({ type: 'filter', text: reading.view.filter ?? '' });
      reading.focusFilter();
      return true;
    case 'outline':
      actions.change({ type: 'outline', open: reading.view.outline !== true });
      return true;
    case 'turn':
      return goTo(reading, turnOf(command.to, reading));
    case 'move':
      return goTo(reading, reading.rows[targetOf(command.to, reading)]);
    default:
      return actOn(reading, command.type);
  }
}

type EntryCommand = 'toggle' | 'raw' | 'source' | 'copy';

/** The commands about one message or its interaction: the focused one, or else the one at the top. */
function actOn({ feed, rows, interactions, view, actions }: Reading, command: EntryCommand): boolean {
  const row = rows[hereOf(feed, rows).index];
  if (row === undefined) return false;
  const { key, summary, interaction: index } = row.view;
  const interaction = interactions[index];
  if (command === 'toggle') {
    const open = !isEntryOpen(view.mode, summary, view.opened[key]);
    actions.change({ type: 'open', key, whats: ['entry'], open });
  } else if (command === 'raw') actions.change({ type: 'raw', index, raw: !row.raw });
  else if (command === 'source') actions.revealSource(index);
  else if (command === 'copy' && interaction !== undefined) actions.copy(interaction);
  return true;
}

function closeFind({ feed, find }: Reading): boolean {
  if (!find.isOpen) return false;
  find.close();
  const entry = find.match && entryOf(feed, find.match.key);
  entry?.focus({ preventScroll: true });
  return true;
}

function goTo({ virtual }: Reading, row: Row | undefined): boolean {
  if (row === undefined) return false;
  virtual.go({ key: row.view.key, arrived: (entry) => entry.focus({ preventScroll: true }) });
  return true;
}

function targetOf(to: 'next' | 'previous' | 'first' | 'last', { feed, rows }: Reading): number {
  if (to === 'first') return 0;
  if (to === 'last') return rows.length - 1;
  const { index, focused } = hereOf(feed, rows);
  if (!focused) return index;
  return Math.max(0, Math.min(rows.length - 1, index + (to === 'next' ? 1 : -1)));
}

/** The first message of the interaction before or after the one the reader is at. */
function turnOf(to: 'next' | 'previous', { feed, rows }: Reading): Row | undefined {
  const { index, focused } = hereOf(feed, rows);
  if (to === 'next') return rows.slice(index + (focused ? 1 : 0)).find(({ head }) => head !== undefined);
  return rows.slice(0, index).findLast(({ head }) => head !== undefined);
}

/** Where the reader is: at the focused message, or else at the first one in sight. */
function hereOf(feed: HTMLElement, rows: readonly Row[]): { readonly index: number; readonly focused: boolean } {
  const focused = feed.contains(document.activeElement)
    ? document.activeElement?.closest<HTMLElement>('[data-key]')
    : undefined;
  const key = (focused ?? topEntry(feed))?.dataset.key;
  return {
    index: Math.max(
      0,
      rows.findIndex((row) => row.view.key === key),
    ),
    focused: Boolean(focused),
  };
}
