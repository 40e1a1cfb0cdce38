import { digest53 } from '../../hash/digest53';
import { compactJson, type Json, type JsonRecord, jsonEqual } from '../../json/json';
import { formatJsonPath, valueAt } from '../../json/jsonPath';
import { LIST_FIELDS, type ListField } from './artifactFields';
import { sizeOfValue } from './comparisonScope';
import { type Difference, differenceOf } from './difference';
import { differingPlaces, excerptOf } from './excerpts';

/** A larger value of a run that is not compared in detail is shown where it differs. Sizes are those of `sizeOfValue`. */
const MAX_SHOWN_SIZE = 100_000;

/** The lists of two runs that are too large to align, each as one difference where it is not equal. */
export function largeLists(before: JsonRecord, after: JsonRecord): readonly Difference[] {
  return LIST_FIELDS.map((field) => largeList(field, before, after));
}

function largeList(field: ListField, before: JsonRecord, after: JsonRecord): Difference {
  const [old, now] = [before, after].map((side) => valueAt(side, field.path) ?? undefined);
  const isEqual = jsonEqual(comparedItems(field, old), comparedItems(field, now));
  const name = formatJsonPath(field.path);
  return differenceOf('details', field.path, old, now, { name, ...(isEqual && { rules: ['run'] }) });
}

/** The items without what differs in every run. */
function comparedItems({ compared }: ListField, list: Json | undefined): Json {
  if (!Array.isArray(list)) return list ?? null;
  return list.map((item) => (isItem(item) ? compared(item) : item));
}

function isItem(item: Json | undefined): item is JsonRecord {
  return typeof item === 'object' && item !== null && !Array.isArray(item);
}

/** Whether a difference is shown by its first places only. */
export function isShownInPart({ before, after }: Difference): boolean {
  return sizeOfValue(before) + sizeOfValue(after) > MAX_SHOWN_SIZE;
}

/** A difference with the first places that differ in the place of its values. Only the rules of its field ignore it. */
export function shownInPart({ subject, path, name, rules = [], before, after }: Difference): Difference {
  const isEdited = before !== undefined && after !== undefined;
  const places = isEdited ? differingPlaces(before, after) : { before: excerptOf(before), after: excerptOf(after) };
  return {
    ...differenceOf(subject, path, places.before, places.after, { ...(name !== undefined && { name }), rules }),
    identity: [valueDigest(before), valueDigest(after)],
  };
}

function valueDigest(value: Json | undefined): string {
  if (value === undefined) return '';
  const text = typeof value === 'string' ? value : compactJson(value);
  return `${text.length}:${digest53(text).toString(36)}`;
}
