import type { AlignedPair } from '../../diff/alignment';
import { alignSequences } from '../../diff/alignSequences';
import { countWords, diceSimilarity } from '../../diff/similarity';
import { digest53 } from '../../hash/digest53';
import { canonicalJson } from '../../json/canonicalJson';
import { asRecords, asString } from '../../json/fields';
import { isRecord, type Json, type JsonRecord, jsonEqual } from '../../json/json';
import { formatJsonPath, type JsonPath, valueAt } from '../../json/jsonPath';
import { parseJson } from '../../json/readJson';
import { applyMasks, parseMask } from '../../match/masks';
import type { Artifact } from '../../model/artifact';
import type { Mask } from '../../model/case';
import type { Change, ChangeSet } from '../../model/change';
import { message, t } from '../../text/l10n';
import { runSteps } from '../recordedSteps';
import {
  FIELD_RULES,
  FIELD_SUBJECTS,
  GIVEN_FIELDS,
  LIST_FIELDS,
  type ListField,
  NESTED_FIELDS,
} from './artifactFields';
import { isShownInPart, largeLists, shownInPart } from './compareLargeRuns';
import { COMPARISON_LIMITS, sizeOfValue } from './comparisonScope';
import { type Difference, differenceOf, withOrigin } from './difference';
import { namesOf, placeName, withPlaces } from './earlierPlaces';
import { type GatheredChanges, gatherChanges } from './gatherChanges';
import { ChangedValues, withNoise } from './noise';
import { Normaliser } from './normaliser';
import type { PlacedDifference } from './placedDifference';
import { repeatKeysOf } from './repeats';

/** The rule of a difference that the masks of the case cover. */
const MASK_RULE = 'mask';

/**
 * The differences of two runs, of which those are ignored that the masks of the replay cover: what does not count when a
 * request is matched is no change of the request either.
 *
 * @param masks As a case writes them. They come from a file: whatever is no mask is passed over.
 */
function withMaskedRequests(differences: readonly Difference[], masks: unknown): readonly Difference[] {
  const texts = Array.isArray(masks) ? masks.filter((text) => typeof text === 'string') : [];
  const known = texts.flatMap((text) => parseMask(text) ?? []);
  if (known.length === 0) return differences;
  const covered = differences.filter((one) => isCovered(one, known));
  // The session repeats what was requested, at other paths.
  const values = new Set(covered.map(valuesOf));
  return differences.map((one) =>
    isOfRequest(one) && values.has(valuesOf(one)) ? { ...one, rules: [...(one.rules ?? []), MASK_RULE] } : one,
  );
}

function isCovered(one: Difference, masks: readonly Mask[]): boolean {
  const [field, ...path] = one.path;
  const [key, at] = [path.at(-1), path.slice(0, -1)];
  if (!isOfRequest(one) || field !== 'llm_request' || key === undefined) return false;
  const left = (value: Json | undefined) => applyMasks(value === undefined ? {} : { [key]: value }, masks, { at });
  return jsonEqual(left(one.before), left(one.after));
}

/** Whether a difference is in what the model was given, or is a whole message that only one of the runs has. */
function isOfRequest({ given, before, after, path }: Difference): boolean {
  const isWhole = typeof path.at(-1) === 'number' && (before === undefined || after === undefined);
  return given === 'context' || (isWhole && path.at(-2) === 'messages');
}

function valuesOf({ before = null, after = null }: Difference): string {
  return canonicalJson([before, after]);
}

/** Two artifacts, compared. */
export interface RunComparison extends ChangeSet, GatheredChanges {
  /** The aligned lists, by their paths. */
  readonly lists: ReadonlyMap<ListField, readonly AlignedPair<JsonRecord>[]>;
}

/** The differences between two runs of a case; for a first run, what the agent did. */
export function compareRuns(
  baseline: Artifact | undefined,
  candidate: Artifact,
  normaliser = new Normaliser(),
  limits = COMPARISON_LIMITS,
): RunComparison {
  return compareMasked(baseline, candidate, candidate.tapedeck?.masks, normaliser, limits);
}

/** The differences between two versions of a baseline. The masks are those of the earlier one: the later one must not hide its changes. */
export function compareBaselines(before: Artifact, after: Artifact, normaliser: Normaliser): RunComparison {
  return compareMasked(before, after, before.tapedeck?.masks, normaliser, COMPARISON_LIMITS);
}

function compareMasked(
  baseline: Artifact | undefined,
  candidate: Artifact,
  masks: unknown,
  normaliser: Normaliser,
  limits: typeof COMPARISON_LIMITS,
): RunComparison {
  const before = baseline && artifactJson(baseline);
  const after = artifactJson(candidate);
  const isLarge = [before, after].some((one) => sizeOfValue(one) > limits.valueSize);
  const aligned = isLarge ? [] : LIST_FIELDS;
  const lists = new Map(aligned.map((field) => [field, alignList(field, before, after, normaliser)] as const));
  const all = [
    ...compareMembers(before ?? {}, after, []),
    ...[...lists].flatMap(([field, pairs]) => listChanges(field, pairs, before, normaliser)),
    ...(isLarge ? largeLists(before ?? {}, after) : []),
  ];
  const differing = all.filter((one) => one.kind === 'moved' || !jsonEqual(one.before ?? null, one.after ?? null));
  const inPart = isLarge ? differing.filter(isShownInPart) : [];
  const inDetail = differing.filter((one) => !inPart.includes(one));
  const judgedOnes = judged(withMaskedRequests(inDetail, masks), normaliser);
  const placed = [...judgedOnes.map((one) => withRepeatKeys(one, normaliser)), ...inPart.map(shownInPart)].sort(
    byField,
  );
  const notices = isLarge && baseline !== undefined ? [t(TOO_LARGE)] : [];
  const gathered = gatherChanges(placed, normaliser);
  return { lists, notices, ...gathered, ...(baseline === undefined && firstRun(candidate, normaliser)) };
}

const TOO_LARGE = message(
  'This run is too large to compare in detail: its lists are compared as a whole, and of large values, the first differences are shown.',
);

/** A first run is one change: what the agent did, which is accepted as a whole. */
function firstRun(candidate: Artifact, normaliser: Normaliser): ChangeSet {
  const recording = runSteps(candidate);
  const after = recording.map(({ title, text }) => `${title}\n${text}`).join('\n\n');
  const change: Change = {
    id: digest53(`first run\u0000${normaliser.text(after)}`).toString(36),
    kind: 'added',
    subject: 'file',
    place: { path: [] },
    weight: 'behaviour',
    title: t('First run'),
    before: '',
    after,
    language: 'plaintext',
    repeats: [],
    recording,
    rules: [],
  };
  return { changes: [change], hidden: [], notices: [] };
}

/** The differences with their rules. What the agent was given comes first, as far as it came before what is judged by it. */
function judged(differences: readonly Difference[], normaliser: Normaliser): readonly Difference[] {
  const changed = new ChangedValues();
  const turn = ({ path, given, name }: Difference): number => {
    if (path[0] === 'tool_calls') return 1 + 2 * Number(path[1]) + (given === undefined ? 0 : 1);
    return given !== undefined && name !== 'tool' ? 0 : Number.POSITIVE_INFINITY;
  };
  const turns = [...new Set(differences.map(turn))].sort((left, right) => left - right);
  return turns.flatMap((now) =>
    withNoise(
      differences.filter((one) => turn(one) === now),
      normaliser,
      changed,
    ),
  );
}

/** An artifact as JSON, as it is in a file. */
export function artifactJson(artifact: Artifact): JsonRecord {
  const assertions = artifact.assertions.map(({ said: _, ...result }) => result);
  return { ...artifact, assertions } as unknown as JsonRecord;
}

const LIST_PATHS = LIST_FIELDS.map(({ path }) => formatJsonPath(path));

function compareMembers(before: JsonRecord, after: JsonRecord, path: JsonPath): readonly Difference[] {
  return [...new Set([...Object.keys(before), ...Object.keys(after)])].flatMap((key) => {
    const at = [...path, key];
    const name = formatJsonPath(at);
    if (LIST_PATHS.includes(name)) return [];
    const old = member(before, key);
    const now = member(after, key);
    const isNested = isRecord(old) ? isRecordOrAbsent(now) : isRecord(now) && isRecordOrAbsent(old);
    if (NESTED_FIELDS.includes(name) && isNested)
      return compareMembers(isRecord(old) ? old : {}, isRecord(now) ? now : {}, at);
    const calls = name === 'llm_response.tool_calls' ? callEdits(at, old, now) : undefined;
    if (calls !== undefined) return calls;
    const rule = FIELD_RULES.get(name);
    return [
      differenceOf(FIELD_SUBJECTS.get(name) ?? 'details', at, present(old), present(now), {
        name,
        ...(rule && { rules: [rule] }),
        ...(GIVEN_FIELDS.includes(name) && { given: 'context' }),
      }),
    ];
  });
}

const isRecordOrAbsent = (value: Json | undefined): boolean => value === undefined || value === null || isRecord(value);
const present = (value: Json | undefined): Json | undefined => (value === null ? undefined : value);

function member(record: JsonRecord, key: string): Json | undefined {
  return Object.hasOwn(record, key) ? record[key] : undefined;
}

/** The least similarity of two versions of the same item. */
const MIN_SIMILARITY = 0.6;

function alignList(
  field: ListField,
  before: JsonRecord | undefined,
  after: JsonRecord,
  normaliser: Normaliser,
): readonly AlignedPair<JsonRecord>[] {
  const alike = (old: JsonRecord, now: JsonRecord): number =>
    diceSimilarity(countWords(normaliser.key(field.compared(old))), countWords(normaliser.key(field.compared(now))));
  return alignSequences(itemsOf(field, before), itemsOf(field, after), {
    same: jsonEqual,
    digests: [(item) => normaliser.key(field.compared(item))],
    sameKind: [(item) => normaliser.key(field.identity(item))],
    similarity: alike,
    isEditedAlone: (old, now) =>
      jsonEqual(field.identity(old), field.identity(now)) || alike(old, now) >= MIN_SIMILARITY,
    minSimilarity: MIN_SIMILARITY,
    isEditedElsewhere: () => false,
  }).pairs;
}

function listChanges(
  field: ListField,
  pairs: readonly AlignedPair<JsonRecord>[],
  before: JsonRecord | undefined,
  normaliser: Normaliser,
): readonly Difference[] {
  const nameOf = namesOf(itemsOf(field, before), (item) => normaliser.key(field.identity(item)));
  return withPlaces(pairs).flatMap(([pair, place]) =>
    itemChanges(field, pair).map((one) => withOrigin(one, field.path.length, placeName(place, nameOf))),
  );
}

function itemsOf({ path }: ListField, of: JsonRecord | undefined): readonly JsonRecord[] {
  return asRecords(valueAt(of, path));
}

function itemChanges(field: ListField, pair: AlignedPair<JsonRecord>): readonly Difference[] {
  const { before, after, moved } = pair;
  const at = [...field.path, pair.afterIndex ?? pair.beforeIndex ?? 0];
  const name = field.nameOf(after ?? before ?? {});
  const whole = differenceOf(field.subject, at, before, after, { name });
  if (before === undefined || after === undefined) return [whole];
  const edits =
    field.members === undefined
      ? [wholeEdit(field, whole, before, after)]
      : memberEdits(field, at, before, after, name);
  return moved ? [{ ...whole, kind: 'moved' }, ...edits] : edits;
}

/** An edit of an item; ignored where the compared part is equal. */
function wholeEdit(field: ListField, whole: Difference, before: JsonRecord, after: JsonRecord): Difference {
  return jsonEqual(field.compared(before), field.compared(after)) ? { ...whole, rules: ['run'] } : whole;
}

function memberEdits(
  field: ListField,
  at: JsonPath,
  before: JsonRecord,
  after: JsonRecord,
  name: string,
): readonly Difference[] {
  const keys = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...keys].flatMap((key) => {
    const path = [...at, key];
    const [old, now] = [member(before, key), member(after, key)];
    const calls = key === 'tool_calls' ? callEdits(path, old, now) : undefined;
    if (calls !== undefined) return calls;
    if (key === 'tool_call_id') return [idEdit(path, old, now)];
    const isCompared = Object.hasOwn(field.compared({ [key]: null }), key);
    const subject = field.members?.[key] ?? 'details';
    return [
      differenceOf(subject, path, old, now, {
        name: subject === 'details' ? key : name,
        ...(!isCompared && { rules: ['timing'] }),
        ...(field.isGiven(key, after) && { given: 'context' }),
      }),
    ];
  });
}

/** The edits of the calls of a message, which have no order or number of their own to differ in. */
function callEdits(
  path: JsonPath,
  before: Json | undefined,
  after: Json | undefined,
): readonly Difference[] | undefined {
  if (!Array.isArray(before) || !Array.isArray(after) || before.length !== after.length) return undefined;
  const [olds, news] = [asRecords(before), asRecords(after)];
  if (olds.length !== before.length || news.length !== after.length) return undefined;
  return olds.flatMap((old, index) => callEdit([...path, index], old, news[index] ?? {}));
}

function callEdit(at: JsonPath, old: JsonRecord, now: JsonRecord): readonly Difference[] {
  const name = asString(now.name) ?? asString(old.name) ?? '';
  return [...new Set([...Object.keys(old), ...Object.keys(now)])].map((key) => {
    const [before, after] = [member(old, key), member(now, key)];
    if (key === 'id') return idEdit([...at, key], before, after);
    const subject = key === 'name' ? 'tool' : key === 'arguments' ? 'arguments' : 'details';
    return differenceOf(subject, [...at, key], before, after, { name: subject === 'details' ? key : name });
  });
}

/** Ids of calls are generated each time. */
function idEdit(path: JsonPath, before: Json | undefined, after: Json | undefined): Difference {
  return differenceOf('id', path, before, after, { rules: ['provider-id'] });
}

/** The behaviour of the agent comes first; the requests to the model and the session follow. */
const ORDER = ['status', 'output_text', 'runner_error', 'tool_calls', 'assertions', 'workspace_after'];

function byField(left: Difference, right: Difference): number {
  return rank(left) - rank(right);
}

function rank({ path }: Difference): number {
  const at = ORDER.indexOf(String(path[0]));
  return at === -1 ? ORDER.length : at;
}

/** The output is repeated in the session and in the last response. */
function withRepeatKeys(one: Difference, normaliser: Normaliser): PlacedDifference {
  const isFirst = ORDER.includes(String(one.path[0]));
  const { keys } = repeatKeysOf({ ...asRead(one), path: ['request', ...one.path] }, normaliser);
  return { ...one, repeatKeys: { keys, mayRepeat: !isFirst } };
}

/**
 * What was printed as the output that it is, but for blank lines at its end. A tool's result with JSON in it as JSON: a message
 * repeats as text what a call has as a value.
 */
function asRead(one: Difference): Difference {
  if (formatJsonPath(one.path) === 'tapedeck.process.stdout') return asOutput(one);
  if (one.name !== 'tool' || one.subject !== 'text') return one;
  return withSides(one, (side) => (typeof side === 'string' ? (parseJson(side) ?? side) : side));
}

function asOutput(one: Difference): Difference {
  const output = withSides(one, (side) => (typeof side === 'string' ? side.trimEnd() : side));
  return { ...output, subject: 'text', path: ['output_text'] };
}

function withSides(one: Difference, read: (side: Json | undefined) => Json | undefined): Difference {
  const [before, after] = [read(one.before), read(one.after)];
  const { identity: _, ...rest } = one;
  return { ...rest, ...(before !== undefined && { before }), ...(after !== undefined && { after }) };
}
