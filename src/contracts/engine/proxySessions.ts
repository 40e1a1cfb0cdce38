import { flag, list, named, optional, shape, text, type Value } from '../../core/schema/schema';
import { type Answers, call, type Params, returns } from '../contract';
import { ROOT } from './project';
import type { RecordingTarget } from './recordingTargets';

const SESSION = { session: text() };
export const sessionMode = text('', { enum: ['record', 'replay'] });
export type SessionMode = Value<typeof sessionMode>;

/** The engine's calls about proxy sessions: the traffic of a command, a terminal, or a debug session goes through a tape. */
export const proxySessionsCalls = {
  /**
   * The hosts that model APIs of a session would be called at, with the keys that are set for them. The editor names the variables whose
   * values it keeps.
   */
  sessionTargets: call(shape({ ...ROOT, storedKeys: list(text()) }), returns<readonly RecordingTarget[]>()),
  /** Opens a session; emits a `session` event for each of its requests. */
  openSession: call(
    shape({
      ...ROOT,
      /** Absolute. */
      tape: text(),
      mode: sessionMode,
      /** API keys by environment variable, for variables that are not set. They stay in memory; the program gets stand-ins. */
      keys: named('', text()),
      /** What will run, as far as it is known: for advice where it makes no request. */
      command: list(text()),
      /** In a replay: the last of equal recordings is served again and again, as for a terminal in which an agent runs more than once. */
      repeat: optional(flag()),
    }),
    returns<OpenedSession>(),
  ),
  /** What a session has recorded so far, as a tape. */
  sessionTape: call(shape(SESSION), returns<string>()),
  /** Ends a session, and writes what was recorded to the tape, or does not. */
  closeSession: call(shape({ ...SESSION, outcome: text('', { enum: ['save', 'discard'] }) }), returns<ClosedSession>()),
};
export type ProxySessionsApi = Answers<typeof proxySessionsCalls>;
export type SessionTargetsParams = Params<typeof proxySessionsCalls.sessionTargets>;
export type OpenSessionParams = Params<typeof proxySessionsCalls.openSession>;

export interface OpenedSession {
  readonly session: string;
  /** The environment variables that lead a program to the tape. */
  readonly variables: Readonly<Record<string, string>>;
}

export interface ClosedSession {
  readonly requests: number;
  /** Such as `3 exact, 1 drifted`. */
  readonly tally: string;
  /** How many interactions the tape has now; absent if none was saved. */
  readonly saved?: number;
  /** How many requests had no recording. */
  readonly misses: number;
  /** Which MCP servers are not on the tape, as far as that is known; also in the notes. */
  readonly untaped?: string;
  /** Each in one sentence or more: requests that failed, advice, and what else the user should know. */
  readonly notes: readonly string[];
}
