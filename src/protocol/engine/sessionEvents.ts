import type { HeldRequest } from '../holds';
import { isListOf, isNumber, isShape, isText } from '../rpc/guards';
import type { Guard } from '../rpc/rpc';

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

/** All that a session holds, whenever that changes: the params of a `held` event. */
export interface HeldEvent {
  readonly session: string;
  readonly held: readonly HeldRequest[];
}

export const HELD_EVENT = 'held';

/** The engine is our own child: what it says of a request is trusted. */
export const isHeldEvent: Guard<HeldEvent> = (value): value is HeldEvent =>
  isShape<{ session: string; held: readonly object[] }>({ session: isText, held: isListOf(isShape({})) })(value);
