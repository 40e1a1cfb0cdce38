import type { Artifact } from '../model/artifact';

/** A count or measurement of a recording: `cost` in US dollars, `latency` in milliseconds. */
export type MeasureName = 'interactions' | 'tool calls' | 'tokens in' | 'tokens out' | 'cost' | 'latency';

/** A measure of both recordings; absent on a side without a value. */
export interface Measure {
  readonly name: MeasureName;
  readonly before?: number;
  readonly after?: number;
}

export type MeasureValues = Partial<Record<MeasureName, number>>;

const MEASURE_NAMES: readonly MeasureName[] = [
  'interactions',
  'tool calls',
  'tokens in',
  'tokens out',
  'cost',
  'latency',
];

/** The measures of two recordings, in the order in which they are shown, without those that neither has. */
export function pairMeasures(before: MeasureValues = {}, after: MeasureValues = {}): readonly Measure[] {
  return MEASURE_NAMES.flatMap((name) => {
    const old = before[name];
    const now = after[name];
    if (old === undefined && now === undefined) return [];
    return [{ name, ...(old !== undefined && { before: old }), ...(now !== undefined && { after: now }) }];
  });
}

/** The measures of two runs. Tokens and cost are measures of their tapes. */
export function runMeasures(before: Artifact | undefined, after: Artifact | undefined): readonly Measure[] {
  return pairMeasures(before && measureRun(before), after && measureRun(after));
}

function measureRun({ tool_calls, duration_ms }: Artifact): MeasureValues {
  return { 'tool calls': tool_calls.length, latency: duration_ms };
}
