import type { VNode } from 'preact';
import { useCallback, useMemo, useRef, useState } from 'preact/hooks';
import type { TranscriptOverview } from '../../src/protocol/transcript';
import { formatCount } from '../base/numbers';
import { DriftStrip } from './drift/drifts';
import { useEditing } from './edit/editing';
import { useScrollToEditor } from './edit/responseForm';
import { Feed } from './feed/feed';
import { type FocusRequest, useGoToRequest } from './feed/useFocusRequest';
import { useKeptFocus } from './feed/useKeptFocus';
import { usePersistence } from './feed/usePersistence';
import { useSteadyPlace } from './feed/useScrollMemory';
import { FindBar } from './find/findBar';
import type { Match } from './find/matches';
import { TranscriptFilterBar } from './find/transcriptFilterBar';
import { useFind } from './find/useFind';
import { useKeyboard } from './keyboard';
import { parseFilter, type TranscriptFilter } from './rows/filter';
import { useRows } from './rows/rows';
import { useVirtualRows } from './rows/useVirtualRows';
import { runTranscriptCommand } from './runTranscriptCommand';
import { useActions } from './state/actions';
import type { InteractionView } from './state/viewModel';
import { useInteractions } from './state/viewModel';
import type { ViewState } from './state/viewState';
import { Outline } from './toolbar/outline';
import { ProblemStrip } from './toolbar/problemStrip';
import { TapeFacts } from './toolbar/tapeFacts';
import { Timeline } from './toolbar/timeline';
import { TopBar } from './toolbar/topBar';
import { TranscriptKeyHelp } from './toolbar/transcriptKeyHelp';

interface TranscriptPageProps {
  readonly transcript: TranscriptOverview;
  readonly view: ViewState;
  readonly arrival: FocusRequest | undefined;
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
  const find = useFind(interactions, transcript.version, usePassesFilter(interactions, filter), feed, virtual.go);
  usePersistence(feed, rows, virtual.go, view);
  useSteadyPlace(feed, virtual.go, view.mode);
  useGoToRequest(rows, virtual.go, arrival);
  useKeptFocus(feed, rows);
  useScrollToEditor(virtual.go);
  useKeyboard((command) => {
    const root = feed.current;
    const reading = { rows, virtual, view, find, actions, editing, openHelp, showFilter };
    return root !== null && runTranscriptCommand(command, { feed: root, ...reading });
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
          <TranscriptFilterBar input={filterInput} text={view.filter} interactions={interactions} rows={rows} />
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
        {interactions.length < transcript.length && (
          <LoadingProgress read={interactions.length} of={transcript.length} />
        )}
      </main>
      {helpOpen && <TranscriptKeyHelp onClose={() => setHelpOpen(false)} />}
    </>
  );
}

/** Does a match belong to what the filter lets through? */
function usePassesFilter(
  interactions: readonly InteractionView[],
  filter: TranscriptFilter | undefined,
): (match: Match) => boolean {
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

function LoadingProgress({ read, of }: { readonly read: number; readonly of: number }): VNode {
  return (
    <p class="reading-on quiet">
      Reading on: {formatCount(read)} of {formatCount(of)} interactions
    </p>
  );
}
