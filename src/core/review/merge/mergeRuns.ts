import { readArtifact } from '../../cases/artifactFile';
import type { AlignedPair } from '../../diff/alignment';
import { mergeAligned } from '../../diff/mergeAligned';
import { asRecord } from '../../json/fields';
import { type Json, type JsonRecord, prettyJson } from '../../json/json';
import { type JsonPath, valueAt } from '../../json/jsonPath';
import type { Artifact } from '../../model/artifact';
import type { ListField } from '../compare/artifactFields';
import { artifactJson, type RunComparison } from '../compare/compareRuns';
import type { PlacedDifference } from '../compare/placedDifference';

/**
 * Applies the accepted changes of a run, hidden ones included, to the baseline. All changes together give the run's own
 * artifact. Values that differ in every run remain as they were, so that a commit shows only what was accepted.
 */
export function mergeRuns(
  baseline: Artifact,
  candidate: Artifact,
  { changes, hidden, lists, sources }: RunComparison,
  accepted: ReadonlySet<string>,
): Artifact {
  const everything = [...changes, ...hidden];
  if (everything.every(({ id }) => accepted.has(id))) return candidate;
  const taken = everything.filter(({ id }) => accepted.has(id)).flatMap(({ id }) => sources.get(id) ?? []);
  const after = artifactJson(candidate);
  let merged = artifactJson(baseline);
  for (const [field, pairs] of lists) merged = withList(merged, field, pairs, taken);
  for (const { path } of taken.filter((one) => !isInList(one.path, lists)))
    merged = withMember(merged, path, valueAt(after, path));
  return parseArtifact(merged) ?? candidate;
}

function isInList(path: JsonPath, lists: RunComparison['lists']): boolean {
  return [...lists.keys()].some((field) => isUnder(path, field.path));
}

function isUnder(path: JsonPath, start: JsonPath): boolean {
  return path.length > start.length && start.every((key, index) => key === path[index]);
}

function withList(
  merged: JsonRecord,
  field: ListField,
  pairs: readonly AlignedPair<JsonRecord>[],
  taken: readonly PlacedDifference[],
): JsonRecord {
  const own = taken.filter(({ path }) => isUnder(path, field.path));
  if (own.length === 0) return merged;
  const changesOf = (pair: AlignedPair<JsonRecord>): readonly PlacedDifference[] =>
    own.filter(({ path, kind }) => {
      const index = kind === 'removed' && path.length === field.path.length + 1 ? pair.beforeIndex : pair.afterIndex;
      const isSide = kind === 'removed' && path.length === field.path.length + 1 ? pair.afterIndex === undefined : true;
      return isSide && path[field.path.length] === index;
    });
  const isWhole = (pair: AlignedPair<JsonRecord>, kind: string) =>
    changesOf(pair).some((one) => one.kind === kind && one.path.length === field.path.length + 1);
  const order = mergeAligned(pairs, {
    added: (pair) => isWhole(pair, 'added'),
    removed: (pair) => isWhole(pair, 'removed'),
    moved: (pair) => isWhole(pair, 'moved'),
  });
  const items = order.map((pair) => mergedItem(pair, changesOf(pair), field));
  return withMember(merged, field.path, items);
}

function mergedItem(
  { before, after }: AlignedPair<JsonRecord>,
  taken: readonly PlacedDifference[],
  field: ListField,
): Json {
  if (before === undefined || after === undefined) return before ?? after ?? {};
  const edits = taken.filter(({ kind }) => kind !== 'moved');
  if (edits.some(({ path }) => path.length === field.path.length + 1)) return after;
  return edits.reduce<JsonRecord>((item, { path }) => {
    const inItem = path.slice(field.path.length + 1);
    return withMember(item, inItem, valueAt(after, inItem));
  }, before);
}

/** The object with another value at a path; without one, if that is undefined. Lists on the way are as long on both sides. */
function withMember(json: JsonRecord, path: JsonPath, value: Json | undefined): JsonRecord {
  const [key = '', ...rest] = path;
  return setMember(json, String(key), rest.length === 0 ? value : withInner(json[key], rest, value));
}

function withInner(inner: Json | undefined, path: JsonPath, value: Json | undefined): Json {
  if (!Array.isArray(inner)) return withMember(asRecord(inner), path, value);
  const [at, ...rest] = path;
  return inner.map((item: Json, index) => {
    if (index !== at) return item;
    return rest.length === 0 ? (value ?? null) : withInner(item, rest, value);
  });
}

function setMember(record: JsonRecord, key: string, value: Json | undefined): JsonRecord {
  if (value !== undefined) return { ...record, [key]: value };
  return Object.fromEntries(Object.entries(record).filter(([name]) => name !== key));
}

/** Reads the merged artifact back; undefined if it is not valid. */
function parseArtifact(json: JsonRecord): Artifact | undefined {
  return readArtifact(prettyJson(json)).value;
}
