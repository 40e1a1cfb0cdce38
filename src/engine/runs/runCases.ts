import type { RunResult } from '../../core/model/run';

/**
 * Runs `run` for each item, at most `jobs` at a time, and gives the results in the order of the items. After an
 * abort the rest still gets its turn: a cancelled run ends at once, and says so in its result.
 */
export async function runCases<T>(
  items: readonly T[],
  jobs: number,
  run: (item: T, index: number) => Promise<RunResult>,
): Promise<readonly RunResult[]> {
  const results: RunResult[] = [];
  let next = 0;
  const work = async (): Promise<void> => {
    for (let index = next++; index < items.length; index = next++) results[index] = await run(items[index] as T, index);
  };
  await Promise.all(Array.from({ length: Math.min(jobs, items.length) }, work));
  return results;
}
