import { type Json, jsonEqual } from '../json/json';
import type { Artifact } from './artifact';

/** One field in which a run differs from its baseline. */
export interface Difference {
  readonly field: string;
  /** From the baseline. */
  readonly expected: Json;
  readonly actual: Json;
}

export interface Comparison {
  readonly matches: boolean;
  readonly differences: readonly Difference[];
}

/** The comparison file of `test-dsl --comparison-out`. */
export interface ComparisonReport extends Comparison {
  readonly case_name: string;
  readonly baseline_execution_id: string;
  readonly candidate_execution_id: string;
}

type Field = readonly [name: string, value: (artifact: Artifact) => Json];

/** The four fields of MoFA's `compare_to`: of assertions kind and outcome, of tool calls the ordered names. */
export const MOFA_FIELDS: readonly Field[] = [
  ['status', ({ status }) => status],
  ['output_text', ({ output_text }) => output_text],
  ['assertions', ({ assertions }) => assertions.map(({ kind, passed }) => ({ kind, passed }))],
  ['tool_calls', ({ tool_calls }) => tool_calls.map(({ tool_name }) => tool_name)],
];

/** Compares a run with its baseline, field by field, in the order of `fields`. */
export function compareArtifacts(baseline: Artifact, candidate: Artifact, fields: readonly Field[]): Comparison {
  const differences = fields.flatMap(([field, read]) => {
    const expected = read(baseline);
    const actual = read(candidate);
    return jsonEqual(expected, actual) ? [] : [{ field, expected, actual }];
  });
  return { matches: differences.length === 0, differences };
}
