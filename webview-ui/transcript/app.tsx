import type { VNode } from 'preact';
import { useMemo, useReducer, useState } from 'preact/hooks';
import { ActionsContext } from './actions';
import { createActions, failure, type Notice } from './createActions';
import { DriftsContext, useDriftEvents } from './drift/drifts';
import { EarlierContext, useEarlierEvents } from './earlier/earlier';
import { EditingProvider } from './edit/editingProvider';
import { PlayingContext, usePlayingEvents } from './live/playing';
import { NoticeLine } from './noticeLine';
import { SpeedContext } from './speeds';
import { StillPage } from './stillPage';
import { TranscriptPage } from './transcriptPage';
import { useArrival } from './useArrival';
import { BodiesContext } from './useBody';
import { rememberedView } from './usePersistence';
import { type TranscriptPeer, useTranscript } from './useTranscript';
import { updateViewState } from './viewState';

/** The whole webview: a transcript, or why there is none. */
export function App({ peer }: { readonly peer: TranscriptPeer }): VNode {
  const [notice, setNotice] = useState<Notice>();
  const { state, bodies } = useTranscript(peer, (error) => setNotice(failure(error)));
  const arrival = useArrival(peer);
  const playing = usePlayingEvents(peer);
  const drifts = useDriftEvents(peer);
  const earlier = useEarlierEvents(peer, state.type === 'transcript' ? state.transcript.version : undefined);
  const [view, change] = useReducer(updateViewState, undefined, rememberedView);
  const actions = useMemo(() => createActions(peer, change, setNotice), [peer]);
  return (
    <ActionsContext.Provider value={actions}>
      {state.type === 'transcript' && (
        <BodiesContext.Provider value={bodies}>
          <PlayingContext.Provider value={playing}>
            <DriftsContext.Provider value={drifts}>
              <EditingProvider
                peer={peer}
                formatLabel={state.transcript.formatLabel}
                version={state.transcript.version}
                notify={setNotice}
              >
                <SpeedContext.Provider value={view.speed ?? '1'}>
                  <EarlierContext.Provider value={earlier}>
                    <TranscriptPage transcript={state.transcript} view={view} arrival={arrival} />
                  </EarlierContext.Provider>
                </SpeedContext.Provider>
              </EditingProvider>
            </DriftsContext.Provider>
          </PlayingContext.Provider>
        </BodiesContext.Provider>
      )}
      {state.type === 'unreadable' && <StillPage title="This file cannot be shown as a tape" text={state.message} />}
      {state.type === 'failed' && <StillPage title="The tape could not be opened" text={state.message} />}
      <NoticeLine notice={notice} onDismiss={() => setNotice(undefined)} />
    </ActionsContext.Provider>
  );
}
