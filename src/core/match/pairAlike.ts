/** What it costs to leave an item without a partner: two of these are dearer than any pair. */
const ALONE = 0.55;

/**
 * Pairs the items of two lists so that the pairs stay in order and the sum of their distances (0 to 1; infinite for what
 * must not be paired) is least. Takes time proportional to the product of the lengths.
 */
export function pairAlike<T>(
  left: readonly T[],
  right: readonly T[],
  distance: (left: T, right: T) => number,
): (readonly [T, T])[] {
  const width = right.length + 1;
  const cost = new Float64Array((left.length + 1) * width);
  const between = new Float64Array(left.length * right.length);
  for (let i = left.length; i >= 0; i -= 1)
    for (let j = right.length; j >= 0; j -= 1) {
      if (i === left.length || j === right.length) {
        cost[i * width + j] = (left.length - i + right.length - j) * ALONE;
        continue;
      }
      const pair = distance(left[i] as T, right[j] as T);
      between[i * right.length + j] = pair;
      const alone = ALONE + Math.min(at(cost, (i + 1) * width + j), at(cost, i * width + j + 1));
      cost[i * width + j] = Math.min(pair + at(cost, (i + 1) * width + j + 1), alone);
    }
  const pairs: (readonly [T, T])[] = [];
  for (let i = 0, j = 0; i < left.length && j < right.length; ) {
    const here = at(cost, i * width + j);
    if (here === at(between, i * right.length + j) + at(cost, (i + 1) * width + j + 1)) {
      pairs.push([left[i] as T, right[j] as T]);
      i += 1;
      j += 1;
    } else if (here === ALONE + at(cost, (i + 1) * width + j)) i += 1;
    else j += 1;
  }
  return pairs;
}

function at(list: Float64Array, index: number): number {
  return list[index] ?? 0;
}
