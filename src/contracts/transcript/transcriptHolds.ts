import { count, list, nullable, shape, text, trusted, type Value } from '../../core/schema/schema';
import type { HeldRequest } from '../holds';

/** A request that a session holds, with the name of that session. */
export interface ShownHeld extends HeldRequest {
  readonly session: string;
}

/** Only what is addressed is looked at: the content comes from our own engine. */
const shownHeld = trusted<ShownHeld>(shape({ id: count(), session: text(), interaction: count() }));

export const shownHolds = shape({
  /** The interactions with a breakpoint; null if none can be set. */
  breakpoints: nullable(list(count())),
  held: list(shownHeld),
});
export type ShownHolds = Value<typeof shownHolds>;
