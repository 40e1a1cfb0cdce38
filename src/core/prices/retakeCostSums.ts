import type { RetakeCost } from '../model/run';

/** The cost of several recordings together, and which part of it is unknown. */
export function sumCosts(costs: readonly RetakeCost[]): RetakeCost {
  const known = costs.flatMap(({ dollars }) => dollars ?? []);
  const unpriced = new Set(costs.flatMap((cost) => cost.unpriced ?? []));
  const uncounted = costs.reduce((sum, cost) => sum + (cost.uncounted ?? 0), 0);
  return {
    calls: costs.reduce((sum, { calls }) => sum + calls, 0),
    ...(known.length > 0 && { dollars: known.reduce((sum, dollars) => sum + dollars, 0) }),
    ...(unpriced.size > 0 && { unpriced: [...unpriced] }),
    ...(uncounted > 0 && { uncounted }),
  };
}

/** The cost of a recording that is made several times. */
export function repeatedCost({ calls, dollars, unpriced, uncounted }: RetakeCost, times: number): RetakeCost {
  return {
    calls: calls * times,
    ...(dollars !== undefined && { dollars: dollars * times }),
    ...(unpriced && { unpriced }),
    ...(uncounted !== undefined && { uncounted: uncounted * times }),
  };
}
