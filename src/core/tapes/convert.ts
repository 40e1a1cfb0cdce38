import { jsonEqual } from '../json/json';
import { decompressed } from './decompressed';
import { plainInteraction } from './lazyTape';
import { storedContent } from './recordedExchange';
import { recordedInteraction } from './recordedInteraction';
import type { HttpBody, Interaction, Tape } from './tape';
import { textFile } from './tapeFile';
import type { RecordedInteraction, TapeFormat } from './tapeFormat';

/** A format that new tapes can be written in. */
export type WritableFormat = TapeFormat & Required<Pick<TapeFormat, 'serialise'>>;

export function isWritable(format: TapeFormat): format is WritableFormat {
  return format.serialise !== undefined;
}

/** Can what is recorded be written over a tape of this format? Not over what somebody has written by hand. */
export function isRecordable(format: TapeFormat): format is WritableFormat {
  return isWritable(format) && format.isScript === undefined;
}

/** Those that a new file of this format has, in its order. */
export function heldBy<T extends RecordedInteraction>(format: TapeFormat, interactions: readonly T[]): readonly T[] {
  return format.holds?.of(interactions) ?? interactions;
}

/** A field that does not come through, and how often. */
export interface Loss {
  /** By its path in the model, such as `response.usage.cachedTokens`. */
  readonly field: string;
  readonly lost: number;
  /** It came through as something else. */
  readonly changed: number;
}

export interface Conversion {
  readonly text: string;
  /** How many interactions have something that the target cannot carry. */
  readonly affected: number;
  /** The tape has this many interactions; the target has a place for this many. Where that is none, `text` is of no use. */
  readonly interactions: number;
  readonly kept: number;
  /** By field, the most frequent first. */
  readonly losses: readonly Loss[];
}

type Extras = ReturnType<NonNullable<TapeFormat['extras']>>;

/**
 * A tape in another format, and what that format cannot carry: found by reading what was written, so that it is true of
 * every format, now and later. What the source has and an interaction has no place for is lost as well.
 */
export function convertTape(tape: Tape, name: string, target: WritableFormat, extras: Extras = []): Conversion {
  const { interactions } = tape;
  const held = heldBy(target, interactions);
  const text = target.serialise(name, interactions.map(recordedInteraction));
  const { interactions: written } = target.read(textFile(text));
  const tally = new Tally();
  let affected = 0;
  for (const [index, before] of held.entries()) {
    const after = written[index];
    if (after !== undefined && tally.compare(before, after, extras[before.index])) affected += 1;
  }
  return { text, affected, interactions: interactions.length, kept: held.length, losses: tally.losses() };
}

/** What belongs to the file and not to the recording. Arguments are compared as values: their text may be written anew. */
const OF_THE_FILE: ReadonlySet<string> = new Set(['index', 'source', 'id', 'api', 'summary']);
/** Fields that are looked into; everything else is compared as one. */
const LOOKED_INTO: ReadonlySet<string> = new Set([
  '',
  'request',
  'request.params',
  'response',
  'response.usage',
  'timing',
  'http',
]);
/** The fields of list items, told apart by name and not by place. */
const LISTS: ReadonlySet<string> = new Set([
  'request.messages',
  'request.messages[].toolCalls',
  'request.tools',
  'response.toolCalls',
]);

class Tally {
  readonly #lost = new Map<string, number>();
  readonly #changed = new Map<string, number>();

  /** Returns whether anything differs. */
  compare(before: Interaction, after: Interaction, extras: readonly string[] = []): boolean {
    const lost = new Set(extras);
    const changed = new Set<string>();
    differences('', comparable(before), comparable(after), lost, changed);
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
 * With what bodies hold, in whatever form: base64 may be wrapped, JSON stored parsed, a text kept as bytes. That they were
 * compressed counts apart.
 */
function comparable(interaction: Interaction): unknown {
  const { http, ...others } = plainInteraction(interaction);
  if (http === undefined) return others;
  const { requestBody, responseBody } = decompressed(http);
  const bodies = { requestBody: contentOf(requestBody), responseBody: contentOf(responseBody) };
  const compressed = {
    requestCompression: requestBody !== http.requestBody || undefined,
    responseCompression: responseBody !== http.responseBody || undefined,
  };
  return { ...others, http: { ...http, ...bodies, ...compressed } };
}

function contentOf(body: HttpBody): unknown {
  const content = storedContent(body);
  const delays = body.type === 'chunks' ? body.chunks.flatMap(({ delayMs }) => delayMs ?? []) : [];
  return delays.length === 0 ? content : { ...content, delays };
}

/** Gathers the paths at which `before` says something that `after` does not, or says otherwise. */
function differences(path: string, before: unknown, after: unknown, lost: Set<string>, changed: Set<string>): void {
  if (isNothing(before) || jsonEqual(before, after)) return;
  if (LISTS.has(path) && Array.isArray(before)) {
    if (!Array.isArray(after) || after.length !== before.length) (isNothing(after) ? lost : changed).add(path);
    else for (const [index, item] of before.entries()) members(`${path}[]`, item, after[index], lost, changed);
  } else if (LOOKED_INTO.has(path)) members(path, before, after, lost, changed);
  else (isNothing(after) ? lost : changed).add(path);
}

function members(path: string, before: unknown, after: unknown, lost: Set<string>, changed: Set<string>): void {
  for (const [key, value] of Object.entries(before ?? {})) {
    if ((path === '' && OF_THE_FILE.has(key)) || key === 'argumentsText') continue;
    const other = isObject(after) ? after[key] : undefined;
    differences(path === '' ? key : `${path}.${key}`, value, other, lost, changed);
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

/** An empty list says no more than none, and an empty text no more than null. */
function isNothing(value: unknown): boolean {
  if (value === undefined || value === null || value === '') return true;
  return Array.isArray(value) ? value.length === 0 : isObject(value) && Object.keys(value).length === 0;
}
