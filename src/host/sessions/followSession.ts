import type * as vscode from 'vscode';
import { reportError } from '../base/humanError';
import type { SessionParts } from './sessionParts';

export interface FollowedSession {
  /** How many interactions have been recorded. */
  readonly recorded: number;
  /** Waits until all that was recorded is shown, and follows the session no further. */
  end(): Promise<void>;
}

interface FollowOptions {
  readonly session: string;
  readonly tape: vscode.Uri;
  onRecorded?(interactions: number): void;
}

/** Shows the transcript of what a session records, while it does. */
export function followSession(
  { session, tape, onRecorded }: FollowOptions,
  { engine, live, log }: Pick<SessionParts, 'engine' | 'live' | 'log'>,
): FollowedSession {
  let recorded = 0;
  let showing = Promise.resolve();
  const show = async (): Promise<void> => {
    try {
      await (await live()).show(session, tape, await engine.call('sessionTape', { session }));
    } catch (error) {
      void reportError(error, log);
    }
  };
  const subscription = engine.onSessionEvent((event) => {
    if (event.session !== session || event.recorded === recorded) return;
    recorded = event.recorded;
    onRecorded?.(recorded);
    showing = showing.then(show);
  });
  return {
    get recorded() {
      return recorded;
    },
    end: async () => {
      subscription.dispose();
      await showing;
    },
  };
}
