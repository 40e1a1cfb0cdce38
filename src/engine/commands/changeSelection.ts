import { formatJsonPath } from '../../core/json/jsonPath';
import type { Change } from '../../core/model/change';
import { UserError } from '../errors/userError';

/** What is to be decided, of all that changed. Nothing named is everything. */
export interface ChangeSelection {
  readonly ids: readonly string[];
  readonly fields: readonly string[];
}

export function isSelective({ ids, fields }: ChangeSelection): boolean {
  return ids.length + fields.length > 0;
}

export function selectChanges(changes: readonly Change[], wanted: ChangeSelection): readonly Change[] {
  if (!isSelective(wanted)) return changes;
  const { ids, fields } = wanted;
  return changes.filter((change) => ids.includes(change.id) || fields.some((field) => isInField(field, change)));
}

/** Throws a `UserError` for an id or a field that is of none of the changes, before anything is decided. */
export function requireKnown(changes: readonly Change[], { ids, fields }: ChangeSelection): void {
  const id = ids.find((one) => !changes.some((change) => change.id === one));
  if (id !== undefined)
    throw new UserError(`there is no change ${id}`, 'Its ids are in: tapedeck check --reporter json');
  const field = fields.find((one) => !changes.some((change) => isInField(one, change)));
  if (field === undefined) return;
  const places = [...new Set(changes.map(({ place }) => formatJsonPath(place.path)).filter((place) => place !== ''))];
  const known = places.slice(0, 10).join(', ');
  throw new UserError(
    `nothing has changed in the field ${field}`,
    known === '' ? 'Leave --field away.' : `Changes are in: ${known}`,
  );
}

function isInField(field: string, { place }: Change): boolean {
  const path = formatJsonPath(place.path);
  return path === field || path.startsWith(`${field}.`) || path.startsWith(`${field}[`);
}
