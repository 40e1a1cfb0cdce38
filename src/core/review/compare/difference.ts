import type { Json } from '../../json/json';
import type { JsonPath } from '../../json/jsonPath';
import type { ChangeKind, ChangeSubject } from '../../model/change';

/** A difference inside one interaction or artifact, as it was found: values, not yet texts. */
export interface Difference {
  readonly kind: ChangeKind;
  readonly subject: ChangeSubject;
  readonly path: JsonPath;
  /** The same in the earlier one, where the way there is another. */
  readonly origin?: JsonPath;
  /** Absent on a side where there is nothing. */
  readonly before?: Json;
  readonly after?: Json;
  /** Whose it is, such as the name of a tool. */
  readonly name?: string;
  /** The rules by which it is no difference, where that does not show in the values. */
  readonly rules?: readonly string[];
}

/** A value that changed, appeared or went away; nothing when both sides are the same by `same`. */
export function differenceOf(
  subject: ChangeSubject,
  path: JsonPath,
  before: Json | undefined,
  after: Json | undefined,
  more: Pick<Difference, 'name' | 'rules'> = {},
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

/** The same difference, with the place that its list item has in the earlier value. `depth`: where in the path that is. */
export function withOrigin(difference: Difference, depth: number, index: number | undefined): Difference {
  const { path, origin = path } = difference;
  if (index === undefined || origin[depth] === index) return difference;
  return { ...difference, origin: origin.map((key, at) => (at === depth ? index : key)) };
}
