import { isRecord, type Json, prettyJson } from '../json/json';
import type { Artifact } from '../runs/artifact';
import { compareArtifacts, REVIEW_FIELDS } from '../runs/compareArtifacts';

/** One difference between a run and its baseline, as two texts that can be shown side by side. */
export interface Change {
  /** The artifact's field; unique within a review. */
  readonly field: string;
  /** The field as people read it, such as "Output". */
  readonly title: string;
  readonly before: string;
  readonly after: string;
  readonly language: 'plaintext' | 'json';
}

const TITLES: Readonly<Record<string, string>> = {
  status: 'Status',
  output_text: 'Output',
  runner_error: 'Error',
  assertions: 'Assertions',
  tool_calls: 'Tool calls',
};

/** What a review has to decide. Without a baseline, everything the run has is new. */
export function reviewChanges(baseline: Artifact | undefined, candidate: Artifact): readonly Change[] {
  if (baseline === undefined) {
    const fields = REVIEW_FIELDS.map(([field, read]) => ({ field, expected: null, actual: read(candidate) }));
    return fields.filter(({ actual }) => !isEmpty(actual)).map(toChange);
  }
  return compareArtifacts(baseline, candidate, REVIEW_FIELDS).differences.map(toChange);
}

function toChange({ field, expected, actual }: { field: string; expected: Json; actual: Json }): Change {
  const structured = [expected, actual].some((value) => Array.isArray(value) || isRecord(value));
  return {
    field,
    title: TITLES[field] ?? field,
    before: asText(expected),
    after: asText(actual),
    language: structured ? 'json' : 'plaintext',
  };
}

function asText(value: Json): string {
  if (value === null) return '';
  return typeof value === 'string' ? value : prettyJson(value);
}

function isEmpty(value: Json): boolean {
  return value === null || (Array.isArray(value) && value.length === 0);
}

/** Decisions about one artifact. They are void when the case has run again since. */
export interface Decision {
  readonly execution_id: string;
  readonly rejected: readonly string[];
}

/** The changes still to be decided. */
export function pendingChanges(
  changes: readonly Change[],
  candidate: Artifact,
  decision?: Decision,
): readonly Change[] {
  if (decision?.execution_id !== candidate.execution_id) return changes;
  return changes.filter(({ field }) => !decision.rejected.includes(field));
}

/**
 * The baseline after accepting `fields` of a run. When nothing that differs is left out it is the run's artifact itself;
 * otherwise the old baseline with only these fields replaced.
 */
export function acceptFields(baseline: Artifact | undefined, candidate: Artifact, fields: readonly string[]): Artifact {
  const open = reviewChanges(baseline, candidate).some(({ field }) => !fields.includes(field));
  if (baseline === undefined || !open) return candidate;
  const accepted = Object.entries(candidate).filter(([field]) => fields.includes(field));
  return { ...baseline, ...Object.fromEntries(accepted) };
}

/** Reads a decision file; a broken one decides nothing. */
export function readDecision(text: string): Decision | undefined {
  try {
    const value: unknown = JSON.parse(text);
    if (!isRecord(value) || typeof value.execution_id !== 'string' || !Array.isArray(value.rejected)) return undefined;
    return { execution_id: value.execution_id, rejected: value.rejected.filter((item) => typeof item === 'string') };
  } catch {
    return undefined;
  }
}
