import type { ChatRequest, Message } from '../../../model/message';

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
