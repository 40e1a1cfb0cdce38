import type { RefObject, VNode } from 'preact';
import { useEffect, useMemo, useReducer, useRef, useState } from 'preact/hooks';
import type { TranscriptOverview } from '../../src/contracts/transcript/transcript';
import { t } from '../../src/core/text/l10n';
import { Announcements, announce } from '../base/announcements';
import { formatCount } from '../base/numbers';
import { useShown } from '../base/useShown';
import { AgentSection } from './agents/agentSection';
import { DriftStrip, DriftsContext, indexedDrifts } from './drift/drifts';
import { useEditing } from './edit/editing';
import { EditingProvider } from './edit/editingProvider';
import { Feed } from './feed/feed';
import { restoreView, usePlaces } from './feed/places';
import { type FocusRequest, useFocusRequest } from './feed/useFocusRequest';
import { useRequestCount } from './feed/useRequestCount';
import { FindBar } from './find/findBar';
import { TranscriptFilterBar } from './find/transcriptFilterBar';
import { type Find, useFind } from './find/useFind';
import { HoldBar } from './hold/holdBar';
import { HoldsContext, useHolds, useShownHolds } from './hold/holds';
import { useKeyboard } from './keyboard';
import { RunProgressContext } from './live/runProgress';
import { rowOf } from './rows/rows';
import { currentEntry, readEntry } from './rows/scrolling';
import { type TranscriptView, useTranscriptView } from './rows/useTranscriptView';
import { runTranscriptCommand } from './runTranscriptCommand';
import { ActionsContext, createActions, failureNotice, type Notice, useActions } from './state/actions';
import { BodiesContext } from './state/bodyStore';
import { SpeedContext } from './state/playbackSpeed';
import { PreviousTotalsContext, previousTotalsOf } from './state/previousTotals';
import { type TranscriptPeer, useTranscript } from './state/useTranscript';
import { updateViewState, type ViewState } from './state/viewState';
import { MessagePage, NoticeLine } from './toolbar/notices';
import { Outline } from './toolbar/outline';
import { ProblemStrip } from './toolbar/problemStrip';
import { TapeFacts } from './toolbar/tapeFacts';
import { Timeline } from './toolbar/timeline';
import { TopBar } from './toolbar/topBar';
import { TranscriptKeyHelp } from './toolbar/transcriptKeyHelp';

/** The whole webview: a transcript, or why there is none. */
export function App({ host }: { readonly host: TranscriptPeer }): VNode {
  const [notice, setNotice] = useState<Notice>();
  const shown = useShown(host.state);
  const { state, bodies } = useTranscript(host, (error) => setNotice(failureNotice(error)));
  const { family, version } = state.type === 'transcript' ? state.transcript : {};
  const focusRequest = useFocusRequest(host);
  const helpRequest = useRequestCount(host, 'help');
  const textRequest = useRequestCount(host, 'text');
  const forkRequest = useRequestCount(host, 'fork');
  const drifts = useMemo(() => indexedDrifts(shown.drifts), [shown.drifts]);
  const holds = useShownHolds(shown.holds, family);
  const [view, change] = useReducer(updateViewState, undefined, restoreView);
  const actions = useMemo(() => createActions(host, change, setNotice), [host]);
  return (
    <ActionsContext.Provider value={actions}>
      {state.type === 'transcript' && (
        <BodiesContext.Provider value={bodies}>
          <RunProgressContext.Provider value={shown.playing ?? undefined}>
            <DriftsContext.Provider value={drifts}>
              <HoldsContext.Provider value={holds}>
                <EditingProvider
                  host={host}
                  formatLabel={state.transcript.formatLabel}
                  version={state.transcript.version}
                  notify={setNotice}
                >
                  <SpeedContext.Provider value={view.speed ?? '1'}>
                    <PreviousTotalsContext.Provider value={previousTotalsOf(shown.previousTotals, version)}>
                      <TranscriptPage
                        transcript={state.transcript}
                        view={view}
                        focusRequest={focusRequest}
                        helpRequest={helpRequest}
                        textRequest={textRequest}
                        forkRequest={forkRequest}
                      />
                    </PreviousTotalsContext.Provider>
                  </SpeedContext.Provider>
                </EditingProvider>
              </HoldsContext.Provider>
            </DriftsContext.Provider>
          </RunProgressContext.Provider>
        </BodiesContext.Provider>
      )}
      {state.type === 'unreadable' && (
        <MessagePage
          title={t('This file cannot be shown as a tape')}
          text={state.message}
          canDescribe={state.canDescribe === true}
        />
      )}
      {state.type === 'failed' && <MessagePage title={t('The tape could not be opened')} text={state.message} />}
      <Announcements />
      <NoticeLine notice={notice} onDismiss={() => setNotice(undefined)} />
    </ActionsContext.Provider>
  );
}

interface TranscriptPageProps {
  readonly transcript: TranscriptOverview;
  readonly view: ViewState;
  readonly focusRequest: FocusRequest | undefined;
  /** Counts the requests of the host for the help. */
  readonly helpRequest: number;
  /** Counts the requests of the host for the transcript as text. */
  readonly textRequest: number;
  /** The same for a fork. */
  readonly forkRequest: number;
}

/** A tape as a page: the bar, the numbers, the problems and the conversation. */
function TranscriptPage({ transcript, view, focusRequest, ...requests }: TranscriptPageProps): VNode {
  const shown = useTranscriptView(transcript.interactions, view);
  const find = useFind(shown, transcript.version);
  const commands = usePageCommands(shown, view, find);
  usePlaces(shown, view, focusRequest);
  useEffect(() => {
    if (requests.helpRequest > 0) commands.openHelp();
  }, [requests.helpRequest]);
  useEffect(() => {
    if (requests.textRequest > 0) commands.openAsText();
  }, [requests.textRequest]);
  useEffect(() => {
    if (requests.forkRequest > 0) commands.fork();
  }, [requests.forkRequest]);
  return (
    <>
      <PageHeader name={transcript.name} view={view} find={find} shown={shown} commands={commands} />
      <PageBody transcript={transcript} view={view} shown={shown} commands={commands} />
      {commands.isHelpOpen && <TranscriptKeyHelp onClose={commands.closeHelp} />}
    </>
  );
}

/** The commands of the page as a whole, and what they open. */
interface PageCommands {
  readonly filterInput: RefObject<HTMLInputElement | null>;
  readonly isHelpOpen: boolean;
  openHelp(): void;
  /** As text, at what is being read. */
  openAsText(): void;
  /** At the same place. */
  fork(): void;
  closeHelp(): void;
  showFilter(): void;
}

/** Runs the commands of the keyboard. */
function usePageCommands({ feed, rows, virtual }: TranscriptView, view: ViewState, find: Find): PageCommands {
  const actions = useActions();
  const { session } = useEditing();
  const { breakpoints } = useHolds();
  const [isHelpOpen, setHelpOpen] = useState(false);
  const filterInput = useRef<HTMLInputElement>(null);
  const openHelp = (): void => setHelpOpen(true);
  const showFilter = (): void => {
    actions.change({ type: 'filter', text: view.filter ?? '' });
    filterInput.current?.focus();
  };
  useKeyboard((command) => {
    if (feed.current === null) return false;
    const toggleBreakpoint = breakpoints === null ? undefined : actions.toggleBreakpoint;
    const page = { feed: feed.current, rows, virtual, view, toggleBreakpoint };
    return runTranscriptCommand(command, { ...page, find, actions, session, openHelp, showFilter });
  });
  const interactionOf = (find: typeof readEntry): number => {
    const entry = feed.current === null ? undefined : find(feed.current);
    return Number(entry?.dataset.interaction ?? 0);
  };
  const openAsText = (): void => void session.openTranscriptAsText(interactionOf(readEntry));
  const fork = (): void => void session.fork(interactionOf(currentEntry));
  return { filterInput, isHelpOpen, openHelp, openAsText, fork, closeHelp: () => setHelpOpen(false), showFilter };
}

interface PartProps {
  readonly view: ViewState;
  readonly shown: TranscriptView;
  readonly commands: PageCommands;
}

/** Windows with room for the outline beside the conversation; outline.css repeats it. */
const OUTLINE_BESIDE = '(min-width: 720px)';

/** The parts that stay in view while the conversation scrolls. */
function PageHeader({
  name,
  view,
  find,
  shown: { rows, feed, virtual },
  commands,
}: PartProps & { readonly name: string; readonly find: Find }): VNode {
  const { change } = useActions();
  const goFromOutline = (key: string): void => {
    // Where it lies over the conversation, it would hide what was gone to.
    if (!matchMedia(OUTLINE_BESIDE).matches) change({ type: 'outline', open: false });
    virtual.goAndFocus(key);
  };
  return (
    <>
      <TopBar
        name={name}
        mode={view.mode}
        onMode={(mode) => change({ type: 'mode', mode })}
        onFind={find.show}
        onFilter={commands.showFilter}
        onOutline={() => change({ type: 'outline', open: view.outline !== true })}
        onHelp={commands.openHelp}
      />
      {find.isOpen && <FindBar find={find} />}
      {view.outline && <Outline feed={feed} rows={rows} current={view.current} onGo={goFromOutline} />}
    </>
  );
}

function PageBody({
  transcript,
  view,
  shown: { interactions, rows, feed, virtual },
  commands,
}: PartProps & { readonly transcript: TranscriptOverview }): VNode {
  const { change } = useActions();
  const goToInteraction = (interaction: number): void => {
    const row = rowOf(rows, interaction);
    if (row !== undefined) virtual.goAndFocus(row.view.key);
  };
  return (
    <>
      <HoldBar onGo={goToInteraction} />
      <main class="column">
        {view.filter !== undefined && (
          <TranscriptFilterBar
            input={commands.filterInput}
            text={view.filter}
            interactions={interactions}
            rows={rows}
          />
        )}
        <TapeFacts transcript={transcript} />
        <AgentSection transcript={transcript} isOpen={view.agents === true} onGo={goToInteraction} />
        <Timeline rows={rows} onGo={virtual.goAndFocus} />
        <DriftStrip rows={rows} onGo={virtual.goAndFocus} />
        <ProblemStrip problems={transcript.problems} />
        {rows.length === 0 && <EmptyFeed hasInteractions={interactions.length > 0} />}
        <Feed
          feed={feed}
          rows={rows}
          virtual={virtual}
          view={view}
          onCurrent={(key) => change({ type: 'current', key })}
        />
        {interactions.length < transcript.length && (
          <LoadingProgress loaded={interactions.length} total={transcript.length} />
        )}
      </main>
    </>
  );
}

/** What takes the place of the conversation where there is none, with the way back where a filter hides it. */
function EmptyFeed({ hasInteractions }: { readonly hasInteractions: boolean }): VNode {
  const { change } = useActions();
  if (!hasInteractions) return <p class="empty quiet">{t('No interactions yet')}</p>;
  return (
    <div class="empty">
      <p class="quiet">{t('No messages match')}</p>
      <button type="button" class="button-secondary" onClick={() => change({ type: 'filter', text: undefined })}>
        {t('Remove Filter')}
      </button>
    </div>
  );
}

/** The progress of reading a tape. Only its beginning and its end are announced: it moves many times a second. */
function LoadingProgress({ loaded, total }: { readonly loaded: number; readonly total: number }): VNode {
  useEffect(() => {
    announce(t('Loading {0} interactions', formatCount(total)));
    return () => announce(t('All interactions are loaded'));
  }, []);
  return <p class="loading quiet">{t('Loading {0} of {1} interactions', formatCount(loaded), formatCount(total))}</p>;
}
