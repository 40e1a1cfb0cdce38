import type { Trial, TrialSample } from '../../../src/core/model/trial';
import { spreadOf } from '../../../src/core/trials/spread';
import { MEASURES, type MeasureName } from './measures';

/** All samples of a model together. */
export interface ModelTotals {
  readonly model: string;
  readonly passed: number;
  readonly errors: number;
  readonly of: number;
  /** Sums; absent if a sample lacks it, so that no sum is too small. */
  readonly sums: Readonly<Partial<Record<MeasureName, number>>>;
  /** Of the samples that ended without an error. */
  readonly medianMs?: number;
}

export function totalsOf({ models, cells }: Trial): readonly ModelTotals[] {
  return models.map((model) => {
    const own = cells.filter((cell) => cell.model === model);
    const samples = own.flatMap((cell) => cell.samples);
    const judged = samples.filter(({ verdict }) => verdict !== 'error');
    const medianMs = spreadOf(judged.map(({ durationMs }) => durationMs))?.median;
    return {
      model,
      passed: samples.filter(({ verdict }) => verdict === 'passed').length,
      errors: samples.length - judged.length,
      of: samples.length,
      sums: Object.fromEntries(MEASURES.flatMap(({ name, of }) => sumOf(name, samples, of))),
      ...(medianMs !== undefined && { medianMs }),
    };
  });
}

function sumOf(
  name: MeasureName,
  samples: readonly TrialSample[],
  of: (sample: TrialSample) => number | undefined,
): readonly (readonly [MeasureName, number])[] {
  // A sample that ended in an error may have no tokens, and then cost nothing.
  const values = samples.map((sample) => of(sample) ?? (sample.verdict === 'error' ? 0 : undefined));
  if (values.length === 0 || values.includes(undefined)) return [];
  return [[name, values.reduce<number>((sum, value = 0) => sum + value, 0)]];
}
