import type { Artifact } from '../model/artifact';
import { message } from '../text/l10n';

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
  message('interactions'),
  message('tool calls'),
  message('tokens in'),
  message('tokens out'),
  message('cost'),
  message('latency'),
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

/**
 * The measures of two runs. Tokens and cost are measures of their tapes. The latency of a replay is that of the machine, so
 * only runs that reached a model have one, and both have to.
 */
export function runMeasures(before: Artifact | undefined, after: Artifact | undefined): readonly Measure[] {
  const isTimed = [before, after].every((run) => run === undefined || reachedModel(run));
  return pairMeasures(before && measureRun(before, isTimed), after && measureRun(after, isTimed));
}

function reachedModel({ tapedeck }: Artifact): boolean {
  return tapedeck?.mode === 'record' || tapedeck?.mode === 'live';
}

function measureRun({ tool_calls, duration_ms }: Artifact, isTimed: boolean): MeasureValues {
  return { 'tool calls': tool_calls.length, ...(isTimed && { latency: duration_ms }) };
}
