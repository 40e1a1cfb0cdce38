import { jsonEqual } from '../json/json';
import type { HttpBody } from '../model/http';
import type { Interaction } from '../model/interaction';
import type { Tape } from '../model/tape';
import { bodyContent, decompressExchange } from '../wire/body/bodyContent';
import type { Destination, TapeFormat } from './format';
import { plainInteraction } from './lazyTape';
import type { TapeFile } from './tapeFile';
import { isWhole, newTapeFile, toRecordedInteraction, type WritableFormat, writableIn } from './writableFormat';

/** A field that the target does not carry, and how often that happens. */
export interface Loss {
  /** By its path in the model, such as `response.usage.cachedTokens`. */
  readonly field: string;
  readonly lost: number;
  /** The target has another value in its place. */
  readonly changed: number;
}

export interface Conversion {
  /** The new tape; without a path. */
  readonly file: TapeFile;
  readonly text: string;
  /** The number of interactions with something that the target cannot carry. */
  readonly affected: number;
  /**
   * The number of interactions of the tape, and of those that the target has a place for. Where that is none, `text`
   * is useless.
   */
  readonly interactions: number;
  readonly kept: number;
  /** By field, the most frequent first. */
  readonly losses: readonly Loss[];
  /** The target keeps the interactions in an order of its own. */
  readonly isReordered: boolean;
  /** The number of interactions whose date is not known, where the target needs one. */
  readonly undated: number;
}

type Extras = ReturnType<NonNullable<TapeFormat['unmappedFields']>>;

/**
 * Converts a tape to another format, and reports what that format cannot carry. The losses are found by reading the
 * new text, so they hold for every format. Fields of the source that have no place in an interaction are lost as well.
 */
export function convertTape(
  tape: Tape,
  name: string,
  target: WritableFormat,
  extras: Extras = [],
  into?: Destination,
): Conversion {
  const interactions = tape.interactions.filter(isWhole);
  const held = writableIn(target, interactions);
  const file = newTapeFile(target, name, interactions.map(toRecordedInteraction), into);
  const { interactions: written } = target.read(file);
  const tally = new LossTally();
  let affected = 0;
  for (const [index, before] of held.entries()) {
    const after = written[index];
    if (after !== undefined && tally.compare(before, after, extras[before.index])) affected += 1;
  }
  return {
    file,
    text: file.text,
    affected,
    interactions: tape.interactions.length,
    kept: held.length,
    losses: tally.losses(),
    isReordered: held.some(({ index }, place) => index < (held[place - 1]?.index ?? 0)),
    undated: target.needsDates ? held.filter(isUndated).length : 0,
  };
}

function isUndated({ timing }: Interaction): boolean {
  return !(Date.parse(timing?.recordedAt ?? '') > 0);
}

/** Belongs to the file, not to the recording. Arguments are compared as values, because their text may be rewritten. */
const FILE_FIELDS: ReadonlySet<string> = new Set(['index', 'source', 'id', 'api', 'summary', 'declared', 'within']);
/** Fields whose members are compared one by one; any other field is compared as a whole. */
const COMPARED_BY_MEMBER: ReadonlySet<string> = new Set([
  '',
  'request',
  'request.params',
  'response',
  'response.usage',
  'timing',
  'http',
]);
/** The fields of list items, which are identified by name and not by position. */
const LIST_FIELDS: ReadonlySet<string> = new Set([
  'request.messages',
  'request.messages[].toolCalls',
  'request.tools',
  'response.toolCalls',
]);

class LossTally {
  readonly #lost = new Map<string, number>();
  readonly #changed = new Map<string, number>();

  /** Returns true if anything differs. */
  compare(before: Interaction, after: Interaction, extras: readonly string[] = []): boolean {
    const lost = new Set(extras);
    const changed = new Set<string>();
    collectLosses('', comparableInteraction(before), comparableInteraction(after), lost, changed);
    for (const field of lost) this.#lost.set(field, (this.#lost.get(field) ?? 0) + 1);
    for (const field of changed) if (!lost.has(field)) this.#changed.set(field, (this.#changed.get(field) ?? 0) + 1);
    return lost.size + changed.size > 0;
  }

  losses(): Loss[] {
    const fields = new Set([...this.#lost.keys(), ...this.#changed.keys()]);
    const losses = [...fields].map((field) => ({
      field,
      lost: this.#lost.get(field) ?? 0,
      changed: this.#changed.get(field) ?? 0,
    }));
    return losses.sort(
      (left, right) => right.lost + right.changed - left.lost - left.changed || (left.field < right.field ? -1 : 1),
    );
  }
}

/**
 * An interaction with the content of its bodies, however they are stored: base64 may be wrapped, JSON parsed, text
 * kept as bytes. That a body was compressed is compared separately.
 */
function comparableInteraction(interaction: Interaction): unknown {
  const { http, timing, ...rest } = plainInteraction(interaction);
  const others = { ...rest, ...(timing && { timing: { ...timing, recordedAt: comparableTime(timing.recordedAt) } }) };
  if (http === undefined) return others;
  const { requestBody, responseBody } = decompressExchange(http);
  const bodies = { requestBody: comparableBody(requestBody), responseBody: comparableBody(responseBody) };
  const compressed = {
    requestCompression: requestBody !== http.requestBody || undefined,
    responseCompression: responseBody !== http.responseBody || undefined,
  };
  return { ...others, http: { ...http, ...bodies, ...compressed } };
}

/** A moment, however it is written. */
function comparableTime(time: string | undefined): string | number | undefined {
  const moment = Date.parse(time ?? '');
  return Number.isNaN(moment) ? time : moment;
}

function comparableBody(body: HttpBody): unknown {
  const content = bodyContent(body);
  const delays = body.type === 'chunks' ? body.chunks.flatMap(({ delayMs }) => delayMs ?? []) : [];
  return delays.length === 0 ? content : { ...content, delays };
}

/** Collects the paths at which `before` has a value that `after` does not have, or has differently. */
function collectLosses(path: string, before: unknown, after: unknown, lost: Set<string>, changed: Set<string>): void {
  if (isEmptyValue(before) || jsonEqual(before, after)) return;
  if (LIST_FIELDS.has(path) && Array.isArray(before)) {
    if (!Array.isArray(after) || after.length !== before.length) (isEmptyValue(after) ? lost : changed).add(path);
    else
      for (const [index, item] of before.entries()) collectMemberLosses(`${path}[]`, item, after[index], lost, changed);
  } else if (COMPARED_BY_MEMBER.has(path)) collectMemberLosses(path, before, after, lost, changed);
  else (isEmptyValue(after) ? lost : changed).add(path);
}

function collectMemberLosses(
  path: string,
  before: unknown,
  after: unknown,
  lost: Set<string>,
  changed: Set<string>,
): void {
  for (const [key, value] of Object.entries(before ?? {})) {
    if ((path === '' && FILE_FIELDS.has(key)) || key === 'argumentsText') continue;
    const other = isObject(after) ? after[key] : undefined;
    collectLosses(path === '' ? key : `${path}.${key}`, value, other, lost, changed);
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

/** An empty list is equal to an absent one, and an empty text to null. */
function isEmptyValue(value: unknown): boolean {
  if (value === undefined || value === null || value === '') return true;
  return Array.isArray(value) ? value.length === 0 : isObject(value) && Object.keys(value).length === 0;
}
