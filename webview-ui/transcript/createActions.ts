import type { Actions } from './actions';
import { speedName } from './speeds';
import type { TranscriptPeer } from './useTranscript';
import type { ViewAction } from './viewState';

/** What the page says once, in passing: something was done, or could not be. */
export interface Notice {
  readonly tone: 'done' | 'failed';
  readonly text: string;
}

export function failure(error: unknown): Notice {
  return { tone: 'failed', text: error instanceof Error ? error.message : String(error) };
}

/** Wires the page's actions to the host; what happens to them ends up in `notify`. */
export function createActions(
  peer: TranscriptPeer,
  change: (action: ViewAction) => void,
  notify: (notice: Notice) => void,
): Actions {
  const report = (done: Promise<unknown>): void => {
    done.catch((error: unknown) => notify(failure(error)));
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
    mend: (params) => report(peer.call('mend', params)),
    openAsText: () => report(peer.call('openAsText', undefined)),
    raw: (interaction) => peer.call('raw', { interaction }),
    more: (place) => peer.call('more', place),
    search: (query) => peer.call('search', query),
    playback: (interaction) => peer.call('playback', { interaction }),
  };
}
