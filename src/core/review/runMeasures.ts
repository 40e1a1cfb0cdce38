import type { Artifact } from '../runs/artifact';
import { type Counted, type Measure, sideBySide } from './measures';

/** What two runs come to. Their tokens and cost are on their tapes. */
export function runMeasures(before: Artifact | undefined, after: Artifact | undefined): readonly Measure[] {
  return sideBySide(before && countRun(before), after && countRun(after));
}

function countRun({ tool_calls, duration_ms }: Artifact): Counted {
  return { 'tool calls': tool_calls.length, latency: duration_ms };
}
