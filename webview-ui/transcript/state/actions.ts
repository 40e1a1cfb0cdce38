import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { Caller, Calls, Params } from '../../../src/contracts/contract';
import { type tapeQueries, transcriptCommands } from '../../../src/contracts/transcript/transcript';
import { message, t } from '../../../src/core/text/l10n';
import { announce } from '../../base/announcements';
import { speedName } from './playbackSpeed';
import type { TranscriptPeer } from './useTranscript';
import type { Mode, ViewAction } from './viewState';

/** Everything that the parts of the page can do. The page shows failures, so that only `queries` can reject. */
export interface Actions extends Commands<typeof transcriptCommands> {
  change(action: ViewAction): void;
  readonly queries: Caller<typeof tapeQueries>;
}

/** Calls that are made and forgotten. */
type Commands<C extends Calls> = { readonly [M in keyof C]: (params: Params<C[M]>) => void };

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
  const commands = commandsOf(transcriptCommands, host.calls, report);
  return {
    ...commands,
    change: (action) => {
      change(action);
      if (action.type === 'mode') announce(t(MODE_WORDS[action.mode]));
      if (action.type === 'mode') commands.remember({ mode: action.mode });
      if (action.type !== 'speed') return;
      commands.remember({ speed: action.speed });
      notify({ tone: 'done', text: t('Playback speed: {0}', speedName(action.speed)) });
    },
    queries: host.calls,
  };
}

function commandsOf<C extends Calls>(
  calls: C,
  caller: Caller<C>,
  report: (done: Promise<unknown>) => void,
): Commands<C> {
  const command = (method: keyof C) => (params: never) => report(caller[method](params));
  return Object.fromEntries(Object.keys(calls).map((method) => [method, command(method)])) as unknown as Commands<C>;
}
