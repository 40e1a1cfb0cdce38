import type { VNode } from 'preact';
import { useMemo, useRef, useState } from 'preact/hooks';
import type { Transcript } from '../../src/core/transcript/transcript';
import { useActions } from './actions';
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
import type { ViewState } from './viewState';

interface TranscriptPageProps {
  readonly transcript: Transcript;
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
  const interactions = useInteractions(transcript);
  const rows = useMemo(() => visibleRows(interactions, view), [interactions, view]);
  const find = useFind(interactions, feed, change);
  const anchorKey = usePersistence(feed, view);
  useSteadyPlace(feed, view.mode);
  useGoTo(feed, arrival);
  const arrivalRow = rows.find((row) => row.head?.index === arrival?.interaction);
  const goal = find.match?.key ?? arrivalRow?.view.key ?? anchorKey;
  useCommands((command) => {
    const root = feed.current;
    return root !== null && runCommand(command, { feed: root, rows, interactions, view, find, actions, openHelp });
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
        <Feed feed={feed} rows={rows} view={view} goal={goal} onCurrent={(key) => change({ type: 'current', key })} />
      </main>
      {helpOpen && <KeyHelp onClose={() => setHelpOpen(false)} />}
    </>
  );
}
