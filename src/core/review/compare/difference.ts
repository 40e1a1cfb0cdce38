import type { Json } from '../../json/json';
import type { JsonPath } from '../../json/jsonPath';
import type { ChangeKind, ChangeSubject } from '../../model/change';
import type { Normaliser } from './normaliser';

/** A difference within one interaction or artifact, with its values. */
export interface Difference {
  readonly kind: ChangeKind;
  readonly subject: ChangeSubject;
  readonly path: JsonPath;
  /** The path in the earlier version, if it is another one; of what was added, with the item that it follows there. */
  readonly origin?: JsonPath;
  /** Absent on the side without a value. */
  readonly before?: Json;
  readonly after?: Json;
  /** The name of the subject, such as that of a tool. */
  readonly name?: string;
  /** The rules that ignore the difference. */
  readonly rules?: readonly string[];
  /**
   * Whether the value was given to a model or a server: `context` is what a model was prompted with, `request` what a client sent.
   * Values of both may return in what is said later.
   */
  readonly given?: 'context' | 'request';
  /** Whether the value is what a provider or server sent, beyond what a model wrote. */
  readonly isWire?: boolean;
  /** Both sides without noise, if their shape alone does not tell it. */
  readonly identity?: readonly [before: string, after: string];
}

/** The name of the order in which a schema has its members. */
export const ORDER_OF_MEMBERS = 'order of members';

/** The name of the order in which texts and other parts of a message follow each other. */
export const ORDER_OF_PARTS = 'order of parts';

/** A value that was edited, added or removed. */
export function differenceOf(
  subject: ChangeSubject,
  path: JsonPath,
  before: Json | undefined,
  after: Json | undefined,
  more: Pick<Difference, 'name' | 'rules' | 'given' | 'isWire'> = {},
): Difference {
  const kind = before === undefined ? 'added' : after === undefined ? 'removed' : 'edited';
  return {
    kind,
    subject,
    path,
    ...(before !== undefined && { before }),
    ...(after !== undefined && { after }),
    ...more,
  };
}

/** The difference with the place of its list item in the earlier version, at `depth` in the path. */
export function withOrigin(difference: Difference, depth: number, place: string | number): Difference {
  const { path, origin = path } = difference;
  if (origin[depth] === place) return difference;
  return { ...difference, origin: origin.map((key, at) => (at === depth ? place : key)) };
}

/** Texts that are equal for the same difference in another run. */
export function identityOf({ identity, before, after }: Difference, normaliser: Normaliser): readonly [string, string] {
  return identity ?? [normaliser.key(before), normaliser.key(after)];
}
