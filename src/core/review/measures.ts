/** What is counted or measured of a recording: `cost` in US dollars, `latency` in milliseconds. */
export type MeasureName = 'interactions' | 'tool calls' | 'tokens in' | 'tokens out' | 'cost' | 'latency';

/** A number of both recordings; absent on a side that does not tell. */
export interface Measure {
  readonly name: MeasureName;
  readonly before?: number;
  readonly after?: number;
}

export type Counted = Partial<Record<MeasureName, number>>;

const NAMES: readonly MeasureName[] = ['interactions', 'tool calls', 'tokens in', 'tokens out', 'cost', 'latency'];

/** The numbers of two recordings, in the order in which they are shown; what neither tells is left out. */
export function sideBySide(before: Counted = {}, after: Counted = {}): readonly Measure[] {
  return NAMES.flatMap((name) => {
    const [old, now] = [before[name], after[name]];
    if (old === undefined && now === undefined) return [];
    return [{ name, ...(old !== undefined && { before: old }), ...(now !== undefined && { after: now }) }];
  });
}
