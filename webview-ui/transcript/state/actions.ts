import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { PlaybackStep } from '../../../src/core/transcript/playback';
import type { TranscriptMatches } from '../../../src/core/transcript/searchTranscript';
import type { TextPlace, TranscriptQuery } from '../../../src/protocol/transcript';
import type { FixDriftParams } from '../../../src/protocol/transcriptEvents';
import { speedName } from './playbackSpeed';
import type { TranscriptPeer } from './useTranscript';
import type { ViewAction } from './viewState';

/** What the parts of the page can ask for. Failures are shown by the page, so nothing here throws or rejects. */
export interface Actions {
  change(action: ViewAction): void;
  openLink(url: string): void;
  revealSource(interaction: number): void;
  revealLine(line: number): void;
  openAsText(): void;
  fixDrift(params: FixDriftParams): void;
  /** The source of an interaction. Unlike the others, these reject. */
  raw(interaction: number): Promise<string>;
  more(place: TextPlace): Promise<string>;
  search(query: TranscriptQuery): Promise<TranscriptMatches>;
  playback(interaction: number): Promise<readonly PlaybackStep[]>;
}

export const ActionsContext = createContext<Actions | undefined>(undefined);

export function useActions(): Actions {
  const actions = useContext(ActionsContext);
  if (actions === undefined) throw new Error('there are no actions above this component');
  return actions;
}

/** What the page says once, in passing: something was done, or could not be. */
export interface Notice {
  readonly tone: 'done' | 'failed';
  readonly text: string;
}

export function failureNotice(error: unknown): Notice {
  return { tone: 'failed', text: error instanceof Error ? error.message : String(error) };
}

/** Wires the page's actions to the host; what happens to them ends up in `notify`. */
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
      if (action.type === 'mode') report(peer.call('remember', { mode: action.mode }));
      if (action.type !== 'speed') return;
      report(peer.call('remember', { speed: action.speed }));
      notify({ tone: 'done', text: `Answers are played ${speedName(action.speed)}` });
    },
    openLink: (url) => report(peer.call('openLink', { url })),
    revealSource: (interaction) => report(peer.call('revealSource', { interaction })),
    revealLine: (line) => report(peer.call('revealLine', { line })),
    fixDrift: (params) => report(peer.call('fixDrift', params)),
    openAsText: () => report(peer.call('openAsText', undefined)),
    raw: (interaction) => peer.call('raw', { interaction }),
    more: (place) => peer.call('more', place),
    search: (query) => peer.call('search', query),
    playback: (interaction) => peer.call('playback', { interaction }),
  };
}
