import { readFile } from 'node:fs/promises';
import { reviewChanges } from '../../core/review/changes';
import { type Artifact, readArtifact } from '../../core/runs/artifact';
import { type Comparison, compareArtifacts, REVIEW_FIELDS } from '../../core/runs/compareArtifacts';
import type { Failure } from '../../core/runs/run';
import { isSystemError, systemReason } from '../project/userError';
import type { BaselineState } from './describeComparison';
import { caseFailure, problemFailures } from './failures';

/** What is on disk where an artifact belongs: it, nothing, or a file that is none. */
export type StoredArtifact =
  | { readonly type: 'artifact'; readonly artifact: Artifact }
  | { readonly type: 'none' }
  | { readonly type: 'unreadable'; readonly failures: readonly Failure[] };

/** Reads an artifact or baseline; `name` is what messages call it. */
export async function readStoredArtifact(path: string, name: string): Promise<StoredArtifact> {
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (error) {
    if (!isSystemError(error)) throw error;
    if (error.code === 'ENOENT') return { type: 'none' };
    return { type: 'unreadable', failures: [caseFailure(`${name}: ${systemReason(error)}`, 'Make it readable.')] };
  }
  const { value, problems } = readArtifact(text);
  if (value !== undefined) return { type: 'artifact', artifact: value };
  return { type: 'unreadable', failures: problemFailures(name, text, problems) };
}

export interface BaselineVerdict {
  readonly state: BaselineState;
  readonly failures: readonly Failure[];
  readonly comparison?: Comparison;
}

/** Compares a run with its baseline. With `replace`, a run that does not match it is to be written in its place. */
export function compareWithBaseline(stored: StoredArtifact, artifact: Artifact, replace: boolean): BaselineVerdict {
  const comparison =
    stored.type === 'artifact' ? compareArtifacts(stored.artifact, artifact, REVIEW_FIELDS) : undefined;
  if (replace && comparison?.matches !== true) return { state: 'written', failures: [] };
  if (stored.type === 'none') return { state: 'none', failures: [] };
  if (stored.type === 'unreadable') return { state: 'unreadable', failures: stored.failures };
  const failures = differenceFailures(stored.artifact, artifact);
  return { state: 'compared', failures, ...(comparison && { comparison }) };
}

/** One failure for each field in which a run differs from its baseline. */
function differenceFailures(baseline: Artifact, artifact: Artifact): readonly Failure[] {
  return reviewChanges(baseline, artifact).map(({ title, before, after }) => ({
    kind: 'difference',
    message: `${title} differs from the baseline`,
    fix: 'Accept the change if it is wanted; otherwise mend the agent or re-record.',
    expected: before,
    actual: after,
  }));
}
