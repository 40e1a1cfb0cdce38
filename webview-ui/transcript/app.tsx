import type { VNode } from 'preact';
import { useMemo, useReducer, useState } from 'preact/hooks';
import { t } from '../../src/core/text/l10n';
import { TRANSCRIPT_FORK, TRANSCRIPT_HELP, TRANSCRIPT_TEXT } from '../../src/protocol/transcript/transcriptEvents';
import { Announcements } from '../base/announcements';
import { DriftsContext, useDriftEvents } from './drift/drifts';
import { EditingProvider } from './edit/editingProvider';
import { restoreView } from './feed/places';
import { useFocusRequest } from './feed/useFocusRequest';
import { useRequestCount } from './feed/useRequestCount';
import { HoldsContext, useHoldEvents } from './hold/holds';
import { RunProgressContext, useRunProgressEvents } from './live/runProgress';
import { ActionsContext, createActions, failureNotice, type Notice } from './state/actions';
import { BodiesContext } from './state/bodyStore';
import { SpeedContext } from './state/playbackSpeed';
import { PreviousTotalsContext, usePreviousTotalsEvents } from './state/previousTotals';
import { type TranscriptPeer, useTranscript } from './state/useTranscript';
import { updateViewState } from './state/viewState';
import { MessagePage, NoticeLine } from './toolbar/notices';
import { TranscriptPage } from './transcriptPage';

/** The whole webview: a transcript, or why there is none. */
export function App({ peer }: { readonly peer: TranscriptPeer }): VNode {
  const [notice, setNotice] = useState<Notice>();
  const { state, bodies } = useTranscript(peer, (error) => setNotice(failureNotice(error)));
  const focusRequest = useFocusRequest(peer);
  const helpRequest = useRequestCount(peer, TRANSCRIPT_HELP);
  const textRequest = useRequestCount(peer, TRANSCRIPT_TEXT);
  const forkRequest = useRequestCount(peer, TRANSCRIPT_FORK);
  const progress = useRunProgressEvents(peer);
  const drifts = useDriftEvents(peer);
  const holds = useHoldEvents(peer, state.type === 'transcript' ? state.transcript.family : undefined);
  const previousTotals = usePreviousTotalsEvents(
    peer,
    state.type === 'transcript' ? state.transcript.version : undefined,
  );
  const [view, change] = useReducer(updateViewState, undefined, restoreView);
  const actions = useMemo(() => createActions(peer, change, setNotice), [peer]);
  return (
    <ActionsContext.Provider value={actions}>
      {state.type === 'transcript' && (
        <BodiesContext.Provider value={bodies}>
          <RunProgressContext.Provider value={progress}>
            <DriftsContext.Provider value={drifts}>
              <HoldsContext.Provider value={holds}>
                <EditingProvider
                  peer={peer}
                  formatLabel={state.transcript.formatLabel}
                  version={state.transcript.version}
                  notify={setNotice}
                >
                  <SpeedContext.Provider value={view.speed ?? '1'}>
                    <PreviousTotalsContext.Provider value={previousTotals}>
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
        <MessagePage title={t('This file cannot be shown as a tape')} text={state.message} />
      )}
      {state.type === 'failed' && <MessagePage title={t('The tape could not be opened')} text={state.message} />}
      <Announcements />
      <NoticeLine notice={notice} onDismiss={() => setNotice(undefined)} />
    </ActionsContext.Provider>
  );
}
