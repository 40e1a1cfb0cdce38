import type { VNode } from 'preact';
import { useMemo, useRef, useState } from 'preact/hooks';
import type { TranscriptOverview } from '../../src/protocol/transcript';
import { useActions } from './actions';
import { useEditKeys } from './edit/useEditKeys';
import { formatCount } from './facts';
import { Feed } from './feed';
import { FindBar } from './findBar';
import { KeyHelp } from './keyHelp';
import { ProblemStrip } from './problemStrip';
import { visibleRows } from './rows';
import { runCommand } from './runCommand';
import { TapeFacts } from './tapeFacts';
import { TopBar } from './topBar';
import { type Arrival, useGoTo } from './useArrival';
import { useCommands } from './useCommands';
import { useFind } from './useFind';
import { useInteractions } from './useInteractions';
import { usePersistence } from './usePersistence';
import { useSteadyPlace } from './useScrollMemory';
import { useVirtualRows } from './useVirtualRows';
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
  const interactions = useInteractions(transcript.interactions);
  const rows = useMemo(() => visibleRows(interactions, view), [interactions, view.mode, view.opened, view.raw]);
  const virtual = useVirtualRows(feed, rows, view);
  const find = useFind(interactions, transcript.version, acceptAll, feed, virtual.go);
  usePersistence(feed, rows, virtual.go, view);
  useSteadyPlace(feed, virtual.go, view.mode);
  useGoTo(rows, virtual.go, arrival);
  useEditKeys(feed);
  useCommands((command) => {
    const root = feed.current;
    const reading = { rows, virtual, interactions, view, find, actions, openHelp };
    return root !== null && runCommand(command, { feed: root, ...reading });
  });
  return (
    <>
      <TopBar
        name={transcript.name}
        mode={view.mode}
        onMode={(mode) => change({ type: 'mode', mode })}
        onFind={find.show}
        onHelp={openHelp}
      />
      {find.isOpen && <FindBar find={find} />}
      <main class="column">
        <TapeFacts transcript={transcript} />
        <ProblemStrip problems={transcript.problems} />
        {rows.length === 0 && <p class="empty quiet">There is nothing on this tape yet.</p>}
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

const acceptAll = (): boolean => true;

function ReadingOn({ read, of }: { readonly read: number; readonly of: number }): VNode {
  return (
    <p class="reading-on quiet">
      Reading on: {formatCount(read)} of {formatCount(of)} interactions
    </p>
  );
}
