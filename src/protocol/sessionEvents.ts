import { isNumber, isShape, isText } from './guards';
import type { Guard } from './rpc';

/** The params of a `session` event. */
export interface SessionEvent {
  readonly session: string;
  readonly requests: number;
  readonly recorded: number;
}

export const SESSION_EVENT = 'session';

export const isSessionEvent: Guard<SessionEvent> = isShape<SessionEvent>({
  session: isText,
  requests: isNumber,
  recorded: isNumber,
});
