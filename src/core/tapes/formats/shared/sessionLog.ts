import type { ChatRequest, Message } from '../../../model/message';
import type { Span } from '../../../text/source';
import type { InteractionContent } from '../../lazyTape';
import type { UnheardRecord } from '../../notRead';

/** What the log of a session says. */
export interface Session {
  readonly name: string | undefined;
  readonly version: string | undefined;
  readonly calls: readonly LoggedCall[];
  /** The records that may hold what was said, and of which no message was read. */
  unread(): readonly UnheardRecord[];
}

/** A call of a model, and its place in the log. */
export interface LoggedCall {
  readonly source: Span;
  /** The places of the records that its response is in. */
  readonly answers: readonly Span[];
  read(): InteractionContent;
}

/**
 * A request of a log that stores every message once: its messages are collected on demand. A session
 * of thousands of turns would otherwise hold millions of references to its messages.
 */
export function lazyRequest(rest: Omit<ChatRequest, 'messages'>, messages: () => readonly Message[]): ChatRequest {
  return {
    ...rest,
    get messages() {
      return messages();
    },
  };
}

/** The milliseconds between two times as logs write them; undefined if either is invalid. */
export function millisecondsBetween(from: string | undefined, to: string | undefined): number | undefined {
  const between = Date.parse(to ?? '') - Date.parse(from ?? '');
  return between >= 0 ? between : undefined;
}
