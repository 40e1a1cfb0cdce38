import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import { message, t } from '../../../src/core/text/l10n';
import type { ReleaseHeldParams } from '../../../src/protocol/holds';
import { type ApiCalls, remoteApi } from '../../../src/protocol/rpc/rpc';
import { type TapeQueries, tapeQueriesGuards } from '../../../src/protocol/transcript/transcript';
import type { FixDriftParams } from '../../../src/protocol/transcript/transcriptEvents';
import { announce } from '../../base/announcements';
import { speedName } from './playbackSpeed';
import type { TranscriptPeer } from './useTranscript';
import type { Mode, ViewAction } from './viewState';

/** Everything that the parts of the page can do. The page shows failures, so that only `queries` can reject. */
export interface Actions {
  change(action: ViewAction): void;
  openLink(url: string): void;
  revealSource(interaction: number): void;
  revealLine(line: number): void;
  openAsText(): void;
  fixDrift(params: FixDriftParams): void;
  toggleBreakpoint(interaction: number): void;
  releaseHeld(params: ReleaseHeldParams): void;
  readonly queries: ApiCalls<TapeQueries>;
}

export const ActionsContext = createContext<Actions | undefined>(undefined);

export function useActions(): Actions {
  const actions = useContext(ActionsContext);
  if (actions === undefined) throw new Error('there is no ActionsContext above this component');
  return actions;
}

/** A short message: an action is done, or has failed. */
export interface Notice {
  readonly tone: 'done' | 'failed';
  readonly text: string;
}

export function failureNotice(error: unknown): Notice {
  return { tone: 'failed', text: error instanceof Error ? error.message : String(error) };
}

/** What a screen reader says when the view changes. */
const MODE_WORDS: Readonly<Record<Mode, string>> = {
  summary: message('Summary: instructions and tool details are hidden'),
  normal: message('Normal: long texts are folded'),
  verbose: message('Verbose: everything is expanded'),
};

/** The actions of a page, carried out by `change` and by the host. */
export function createActions(
  peer: TranscriptPeer,
  change: (action: ViewAction) => void,
  notify: (notice: Notice) => void,
): Actions {
  const report = (done: Promise<unknown>): void => {
    done.catch((error: unknown) => notify(failureNotice(error)));
  };
  return {
    change: (action) => {
      change(action);
      if (action.type === 'mode') announce(t(MODE_WORDS[action.mode]));
      if (action.type === 'mode') report(peer.call('remember', { mode: action.mode }));
      if (action.type !== 'speed') return;
      report(peer.call('remember', { speed: action.speed }));
      notify({ tone: 'done', text: t('Playback speed: {0}', speedName(action.speed)) });
    },
    openLink: (url) => report(peer.call('openLink', { url })),
    revealSource: (interaction) => report(peer.call('revealSource', { interaction })),
    revealLine: (line) => report(peer.call('revealLine', { line })),
    fixDrift: (params) => report(peer.call('fixDrift', params)),
    toggleBreakpoint: (interaction) => report(peer.call('toggleBreakpoint', { interaction })),
    releaseHeld: (params) => report(peer.call('releaseHeld', params)),
    openAsText: () => report(peer.call('openAsText', undefined)),
    queries: remoteApi(tapeQueriesGuards, peer),
  };
}
