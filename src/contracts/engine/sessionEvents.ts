import { count, list, object, shape, text, trusted, type Value } from '../../core/schema/schema';
import type { HeldRequest } from '../holds';

/** A session has got a request. */
export const sessionEvent = shape({ session: text(), requests: count(), recorded: count() });
export type SessionEvent = Value<typeof sessionEvent>;

/** All that a session holds, whenever that changes. */
export const heldEvent = shape({ session: text(), held: trusted<readonly HeldRequest[]>(list(object())) });
export type HeldEvent = Value<typeof heldEvent>;
