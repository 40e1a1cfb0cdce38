import type { VNode } from 'preact';
import { useMemo, useReducer, useState } from 'preact/hooks';
import { ActionsContext } from './actions';
import { createActions, type Notice } from './createActions';
import { NoticeLine } from './noticeLine';
import { StillPage } from './stillPage';
import { TranscriptPage } from './transcriptPage';
import { useArrival } from './useArrival';
import { rememberedView } from './usePersistence';
import { type TranscriptPeer, useTranscript } from './useTranscript';
import { updateViewState } from './viewState';

/** The whole webview: a transcript, or why there is none. */
export function App({ peer }: { readonly peer: TranscriptPeer }): VNode {
  const state = useTranscript(peer);
  const arrival = useArrival(peer);
  const [view, change] = useReducer(updateViewState, undefined, rememberedView);
  const [notice, setNotice] = useState<Notice>();
  const actions = useMemo(() => createActions(peer, change, setNotice), [peer]);
  return (
    <ActionsContext.Provider value={actions}>
      {state.type === 'transcript' && <TranscriptPage transcript={state.transcript} view={view} arrival={arrival} />}
      {state.type === 'unreadable' && <StillPage title="This file cannot be shown as a tape" text={state.message} />}
      {state.type === 'failed' && <StillPage title="The tape could not be opened" text={state.message} />}
      <NoticeLine notice={notice} onDismiss={() => setNotice(undefined)} />
    </ActionsContext.Provider>
  );
}
