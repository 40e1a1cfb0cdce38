import { isListOf, isMapOf, isMaybe, isOneOf, isShape, isText, isTrue } from '../rpc/guards';
import type { Guards } from '../rpc/rpc';
import type { RootParams } from './engineReviews';
import type { RecordingTarget } from './recordingTargets';

/** The engine's calls about proxy sessions: the traffic of a command, a terminal, or a debug session goes through a tape. */
export type ProxySessionsApi = {
  /** The hosts that model APIs of a session would be called at, with the keys that are set for them. */
  sessionTargets(params: SessionTargetsParams): Promise<readonly RecordingTarget[]>;
  /** Opens a session; sends a `session` event for each of its requests. */
  openSession(params: OpenSessionParams): Promise<OpenedSession>;
  /** What a session has recorded so far, as a tape. */
  sessionTape(params: SessionParams): Promise<string>;
  /** Ends a session. */
  closeSession(params: CloseSessionParams): Promise<ClosedSession>;
};

export interface SessionTargetsParams extends RootParams {
  /** Names of the variables whose values the editor keeps. */
  readonly storedKeys: readonly string[];
}

export interface OpenSessionParams extends RootParams {
  /** Absolute. */
  readonly tape: string;
  readonly mode: SessionMode;
  /** API keys by environment variable, for variables that are not set. They stay in memory; the program gets stand-ins. */
  readonly keys: Readonly<Record<string, string>>;
  /** What will run, as far as it is known: for advice where it makes no request. */
  readonly command: readonly string[];
  /** In a replay: the last of equal recordings is served again and again, as for a terminal in which an agent runs more than once. */
  readonly repeat?: true | undefined;
}

export type SessionMode = 'record' | 'replay';

export interface OpenedSession {
  readonly session: string;
  /** The environment variables that lead a program to the tape. */
  readonly variables: Readonly<Record<string, string>>;
}

export interface SessionParams {
  readonly session: string;
}

export interface CloseSessionParams extends SessionParams {
  /** Whether to write what was recorded to the tape. */
  readonly outcome: 'save' | 'discard';
}

export interface ClosedSession {
  readonly requests: number;
  /** Such as `3 exact, 1 drifted`. */
  readonly tally: string;
  /** How many interactions the tape has now; absent if none was saved. */
  readonly saved?: number;
  /** How many requests had no recording. */
  readonly misses: number;
  /** Each in one sentence or more: requests that failed, advice, and what else the user should know. */
  readonly notes: readonly string[];
}

export const proxySessionsGuards: Guards<ProxySessionsApi> = {
  sessionTargets: isShape<SessionTargetsParams>({ root: isText, storedKeys: isListOf(isText) }),
  openSession: isShape<OpenSessionParams>({
    root: isText,
    tape: isText,
    mode: isOneOf('record', 'replay'),
    keys: isMapOf(isText),
    command: isListOf(isText),
    repeat: isMaybe(isTrue),
  }),
  sessionTape: isShape<SessionParams>({ session: isText }),
  closeSession: isShape<CloseSessionParams>({ session: isText, outcome: isOneOf('save', 'discard') }),
};
