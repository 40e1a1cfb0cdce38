import type { TrialSample } from '../model/trial';

/**
 * The samples to adopt for a case that is judged by `count` of them: the first that were recorded, whether they passed or not.
 * Undefined if there are fewer, or fewer than `needed` of them passed.
 */
export function chooseSamples(
  samples: readonly TrialSample[],
  count: number,
  needed: number,
): readonly TrialSample[] | undefined {
  if (count === 1) {
    const one = chooseSample(samples);
    return one && [one];
  }
  const chosen = samples
    .filter(({ verdict, tapePath }) => verdict !== 'error' && tapePath !== undefined)
    .slice(0, count);
  const passed = chosen.filter(({ verdict }) => verdict === 'passed').length;
  return chosen.length === count && passed / count >= needed ? chosen : undefined;
}

/** The sample to adopt: of those that passed, the first with the median number of changes. Undefined if none passed. */
export function chooseSample(samples: readonly TrialSample[]): TrialSample | undefined {
  const passed = samples.filter(({ verdict, tapePath }) => verdict === 'passed' && tapePath !== undefined);
  const counts = passed.map(({ changes = 0 }) => changes).sort((left, right) => left - right);
  const median = counts[Math.floor((counts.length - 1) / 2)];
  return passed.find(({ changes = 0 }) => changes === median);
}
