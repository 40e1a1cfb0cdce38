import type { VNode } from 'preact';
import { useMemo, useReducer, useState } from 'preact/hooks';
import { t } from '../../src/core/text/l10n';
import { Announcements } from '../base/announcements';
import { useShown } from '../base/useShown';
import { DriftsContext, indexedDrifts } from './drift/drifts';
import { EditingProvider } from './edit/editingProvider';
import { restoreView } from './feed/places';
import { useFocusRequest } from './feed/useFocusRequest';
import { useRequestCount } from './feed/useRequestCount';
import { HoldsContext, useShownHolds } from './hold/holds';
import { RunProgressContext } from './live/runProgress';
import { ActionsContext, createActions, failureNotice, type Notice } from './state/actions';
import { BodiesContext } from './state/bodyStore';
import { SpeedContext } from './state/playbackSpeed';
import { PreviousTotalsContext, previousTotalsOf } from './state/previousTotals';
import { type TranscriptPeer, useTranscript } from './state/useTranscript';
import { updateViewState } from './state/viewState';
import { MessagePage, NoticeLine } from './toolbar/notices';
import { TranscriptPage } from './transcriptPage';

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
