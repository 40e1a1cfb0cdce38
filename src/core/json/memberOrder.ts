import { isRecord } from './json';
import type { JsonPath } from './jsonPath';

/** An object whose members are in another order, with their names in either one. */
interface DifferingOrder {
  readonly path: JsonPath;
  readonly before: readonly string[];
  readonly after: readonly string[];
}

/**
 * The first object of two equal values whose members are in another order. They mean the same as JSON, but a model reads other tokens:
 * it fills in a schema in the order of its properties, and a cache does not know the text again.
 */
export function differingOrder(left: unknown, right: unknown, path: JsonPath = []): DifferingOrder | undefined {
  if (Object.is(left, right)) return undefined;
  if (Array.isArray(left) && Array.isArray(right)) {
    for (const [index, item] of left.entries()) {
      const found = differingOrder(item, right[index], [...path, index]);
      if (found !== undefined) return found;
    }
    return undefined;
  }
  if (!isRecord(left) || !isRecord(right)) return undefined;
  const [before, after] = [Object.keys(left), Object.keys(right)];
  if (before.some((key, at) => key !== after[at])) return { path, before, after };
  for (const key of before) {
    const found = differingOrder(left[key], right[key], [...path, key]);
    if (found !== undefined) return found;
  }
  return undefined;
}
