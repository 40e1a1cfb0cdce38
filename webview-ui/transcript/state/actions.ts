import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { Caller } from '../../../src/contracts/contract';
import type { ReleaseHeldParams } from '../../../src/contracts/holds';
import type { tapeQueries } from '../../../src/contracts/transcript/transcript';
import type { FixDriftParams } from '../../../src/contracts/transcript/transcriptEvents';
import { message, t } from '../../../src/core/text/l10n';
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
  readonly queries: Caller<typeof tapeQueries>;
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
  host: TranscriptPeer,
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
      if (action.type === 'mode') report(host.calls.remember({ mode: action.mode }));
      if (action.type !== 'speed') return;
      report(host.calls.remember({ speed: action.speed }));
      notify({ tone: 'done', text: t('Playback speed: {0}', speedName(action.speed)) });
    },
    openLink: (url) => report(host.calls.openLink({ url })),
    revealSource: (interaction) => report(host.calls.revealSource({ interaction })),
    revealLine: (line) => report(host.calls.revealLine({ line })),
    fixDrift: (params) => report(host.calls.fixDrift(params)),
    toggleBreakpoint: (interaction) => report(host.calls.toggleBreakpoint({ interaction })),
    releaseHeld: (params) => report(host.calls.releaseHeld(params)),
    openAsText: () => report(host.calls.openAsText(undefined)),
    queries: host.calls,
  };
}
