import type { VNode } from 'preact';
import { useCallback, useMemo, useRef, useState } from 'preact/hooks';
import type { TranscriptOverview } from '../../src/protocol/transcript';
import { useActions } from './actions';
import { DriftStrip } from './drift/driftStrip';
import { useEditing } from './edit/editing';
import { useShowEditor } from './edit/useShowEditor';
import { formatCount } from './facts';
import { Feed } from './feed';
import { type Filter, parseFilter } from './filter';
import { FilterBar } from './filterBar';
import type { Match } from './find';
import { FindBar } from './findBar';
import { KeyHelp } from './keyHelp';
import { Outline } from './outline';
import { ProblemStrip } from './problemStrip';
import { runCommand } from './runCommand';
import { TapeFacts } from './tapeFacts';
import { Timeline } from './timeline';
import { TopBar } from './topBar';
import { type Arrival, useGoTo } from './useArrival';
import { useCommands } from './useCommands';
import { useFind } from './useFind';
import { useInteractions } from './useInteractions';
import { useKeptFocus } from './useKeptFocus';
import { usePersistence } from './usePersistence';
import { useRows } from './useRows';
import { useSteadyPlace } from './useScrollMemory';
import { useVirtualRows } from './useVirtualRows';
import type { InteractionView } from './viewModel';
import type { ViewState } from './viewState';

interface TranscriptPageProps {
  readonly transcript: TranscriptOverview;
  readonly view: ViewState;
  readonly arrival: Arrival | undefined;
}

/** A tape as a page: the bar, the numbers, the problems, and the conversation. */
export function TranscriptPage({ transcript, view, arrival }: TranscriptPageProps): VNode {
  const actions = useActions();
  const { change } = actions;
  const feed = useRef<HTMLDivElement>(null);
  const [helpOpen, setHelpOpen] = useState(false);
  const openHelp = (): void => setHelpOpen(true);
  const filterInput = useRef<HTMLInputElement>(null);
  const showFilter = (): void => {
    change({ type: 'filter', text: view.filter ?? '' });
    filterInput.current?.focus();
  };
  const editing = useEditing();
  const interactions = useInteractions(transcript.interactions);
  const filter = useMemo(() => parseFilter(view.filter ?? ''), [view.filter]);
  const rows = useRows(interactions, view, filter);
  const virtual = useVirtualRows(feed, rows, view);
  const find = useFind(interactions, transcript.version, useAccepted(interactions, filter), feed, virtual.go);
  usePersistence(feed, rows, virtual.go, view);
  useSteadyPlace(feed, virtual.go, view.mode);
  useGoTo(rows, virtual.go, arrival);
  useKeptFocus(feed, rows);
  useShowEditor(virtual.go);
  useCommands((command) => {
    const root = feed.current;
    const reading = { rows, virtual, view, find, actions, editing, openHelp, showFilter };
    return root !== null && runCommand(command, { feed: root, ...reading });
  });
  return (
    <>
      <TopBar
        name={transcript.name}
        mode={view.mode}
        onMode={(mode) => change({ type: 'mode', mode })}
        onFind={find.show}
        onFilter={showFilter}
        onOutline={() => change({ type: 'outline', open: view.outline !== true })}
        onHelp={openHelp}
      />
      {find.isOpen && <FindBar find={find} />}
      {view.outline && (
        <Outline
          rows={rows}
          current={view.current}
          onGo={(key) => virtual.go({ key, offset: 12, arrived: (entry) => entry.focus({ preventScroll: true }) })}
        />
      )}
      <main class="column">
        {view.filter !== undefined && (
          <FilterBar input={filterInput} text={view.filter} interactions={interactions} rows={rows} />
        )}
        <TapeFacts transcript={transcript} />
        <Timeline rows={rows} go={virtual.go} />
        <DriftStrip rows={rows} go={virtual.go} />
        <ProblemStrip problems={transcript.problems} />
        {rows.length === 0 && (
          <p class="empty quiet">
            {interactions.length === 0 ? 'There is nothing on this tape yet.' : 'No message passes the filter.'}
          </p>
        )}
        <Feed
          feed={feed}
          rows={rows}
          virtual={virtual}
          view={view}
          onCurrent={(key) => change({ type: 'current', key })}
        />
        {interactions.length < transcript.length && <ReadingOn read={interactions.length} of={transcript.length} />}
      </main>
      {helpOpen && <KeyHelp onClose={() => setHelpOpen(false)} />}
    </>
  );
}

/** Does a match belong to what the filter lets through? */
function useAccepted(interactions: readonly InteractionView[], filter: Filter | undefined): (match: Match) => boolean {
  return useCallback(
    ({ interaction, key }) => {
      const head = interactions[interaction];
      const entry = head?.entries.find((candidate) => candidate.key === key);
      if (filter === undefined || head === undefined || entry === undefined) return true;
      return filter.interaction(head) && filter.entry(entry);
    },
    [interactions, filter],
  );
}

function ReadingOn({ read, of }: { readonly read: number; readonly of: number }): VNode {
  return (
    <p class="reading-on quiet">
      Reading on: {formatCount(read)} of {formatCount(of)} interactions
    </p>
  );
}
