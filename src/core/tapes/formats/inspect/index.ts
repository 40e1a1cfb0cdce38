import type { DecompressionLimits } from '../../../bytes/decompress';
import { isZip, readZip, type ZipEntry } from '../../../bytes/zipEntries';
import { asRecord, asRecords, asString, omitUndefined } from '../../../json/fields';
import { isRecord, type Json, type JsonRecord } from '../../../json/json';
import type { JsonNode } from '../../../json/jsonNode';
import { jsonOutline, looksLikeJson } from '../../../json/jsonOutline';
import { exactValue, member, parseJson, readJson } from '../../../json/readJson';
import type { Interaction } from '../../../model/interaction';
import type { Tape } from '../../../model/tape';
import { t } from '../../../text/l10n';
import { weakMemo } from '../../../text/memo';
import type { Problem, Span } from '../../../text/source';
import { type TextParts, wholeText } from '../../../text/textParts';
import type { TapeFormat } from '../../format';
import { type InteractionContent, type InteractionReading, LazyInteraction } from '../../lazyTape';
import { notRead } from '../../notRead';
import { type TapeFile, textParts } from '../../tapeFile';
import { modelEvents, readModelEvent } from './read';

/**
 * Logs of Inspect, version 2: a zip (`.eval`) with a file for every sample, or one JSON text. An interaction is an
 * event of type `model`; results of tools are in the messages of the next one.
 */
export const inspectFormat = {
  id: 'inspect',
  label: 'Inspect log',
  family: 'log',
  extensions: ['eval', 'json'],
  ownEndings: ['eval'],
  looksLike,
  read,
} satisfies TapeFormat;

function looksLike(file: TapeFile): boolean {
  const text = textParts(file);
  if (text.startsWith('PK')) return isZip(file.bytes) && readZip(file.bytes).entries.some(({ name }) => isMarker(name));
  if (!looksLikeJson(text)) return false;
  const outline = jsonOutline(text);
  if (outline.isWhole && !outline.has('eval')) return false;
  const head = text.slice(0, 2048);
  return (
    /^\s*\{/.test(head) &&
    /"eval"\s*:\s*\{/.test(head) &&
    /"status"\s*:\s*"/.test(head) &&
    /"version"\s*:\s*\d/.test(head)
  );
}

function isMarker(name: string): boolean {
  return name === 'header.json' || name === '_journal/start.json';
}

function read(file: TapeFile): Tape {
  return textParts(file).startsWith('PK') ? readArchive(file.bytes) : readLog(textParts(file));
}

/** A span for entries of a zip, which have no place in a text. */
const NO_SPAN: Span = { start: 0, end: 0 };
const LIMITS: DecompressionLimits = { maxBytes: 64 * 2 ** 20, maxRatio: 200, freeBytes: 2 ** 20 };
const MAX_TOTAL_BYTES = 96 * 2 ** 20;
/** Files in a zip may overlap, so their total unpacked size is also limited by the size of the zip. */
const MAX_TOTAL_RATIO = 50;
const ALWAYS_ALLOWED_BYTES = 32 * 2 ** 20;

function readArchive(bytes: Uint8Array): Tape {
  const { entries, problems } = readZip(bytes);
  const archive = new Archive(
    Math.min(MAX_TOTAL_BYTES, Math.max(ALWAYS_ALLOWED_BYTES, bytes.length * MAX_TOTAL_RATIO)),
  );
  const header =
    archive.json(entries.find(({ name }) => name === 'header.json')) ??
    archive.json(entries.find(({ name }) => isMarker(name)));
  const calls = entries.flatMap((entry) => archive.sample(entry));
  const interactions = calls.map((call, index) => ({ index, source: NO_SPAN, ...call }));
  return tapeOf(header, interactions, [
    ...problems.map((problem) => damagedProblem(t('the zip is damaged: {0}', problem))),
    ...archive.problems,
  ]);
}

/** Reads the files of a zip, up to a limit for all of them. */
class Archive {
  readonly problems: Problem[] = [];
  #left: number;
  #isOver = false;

  constructor(maxBytes: number) {
    this.#left = maxBytes;
  }

  sample(entry: ZipEntry): InteractionContent[] {
    if (!/^samples\/.+\.json$/.test(entry.name)) return [];
    const sample = this.json(entry);
    if (sample === undefined) return [];
    if (isUnread(sample)) this.problems.push(notRead(t('the messages of {0}', entry.name), NO_SPAN));
    return modelEvents(sample).map((event) => readModelEvent(event, sample));
  }

  json(entry: ZipEntry | undefined): JsonRecord | undefined {
    if (entry === undefined || this.#isOver) return undefined;
    if (this.#left <= 0) {
      this.#isOver = true;
      this.problems.push(
        damagedProblem(t('the zip decompresses to more than is read; the rest of its files was not read')),
      );
      return undefined;
    }
    const { bytes, problem, exceeded } = entry.read({ ...LIMITS, maxBytes: Math.min(LIMITS.maxBytes, this.#left) });
    this.#left -= exceeded ?? bytes.length;
    const text = problem === undefined ? new TextDecoder().decode(bytes) : '';
    const value = parseJson(text) ?? parseJson(withoutNaN(text));
    if (isRecord(value)) return value;
    this.problems.push(
      damagedProblem(t('{0} in the zip cannot be read: {1}', entry.name, problem ?? t('it is not a JSON object'))),
    );
    return undefined;
  }
}

function damagedProblem(message: string): Problem {
  return {
    severity: 'error',
    message,
    fix: t('Copy the log again from its source, or run the evaluation again.'),
    span: NO_SPAN,
  };
}

function readLog(text: TextParts): Tape {
  const plain = readJson(text);
  const { value: root, problems } = plain.problems.length === 0 ? plain : readJson(withoutNaN(wholeText(text)));
  const list = member(root, 'samples');
  const nodes = list?.type === 'array' ? list.items : [];
  const header = Object.fromEntries(['version', 'eval'].flatMap((key) => entryOf(root, key)));
  const samples = nodes.map((node) => ({ node, calls: readSample(node) }));
  const calls = samples.flatMap((sample) => sample.calls);
  const interactions = calls.map(({ place, read: readCall }, index) => new LazyInteraction(index, place, readCall));
  const silent = samples.filter(({ node, calls: { length } }) => length === 0 && isUnread(asRecord(exactValue(node))));
  const unread = silent.map(({ node }) => notRead(t('the messages of a sample'), node));
  return tapeOf(header, interactions, [...problems, ...unread]);
}

function entryOf(root: JsonNode | undefined, key: string): [string, Json][] {
  const node = member(root, key);
  return node === undefined ? [] : [[key, exactValue(node)]];
}

/** A call of a model, and its span. */
interface ModelCall {
  readonly place: Span;
  read(): InteractionReading;
}

function readSample(node: JsonNode): ModelCall[] {
  const list = member(node, 'events') ?? member(member(node, 'transcript'), 'events');
  const places = list?.type === 'array' ? list.items.filter((item) => isModelEvent(item)) : [];
  const sampleOf = weakMemo(() => asRecord(exactValue(node)));
  return places.map((place, index) => ({
    place,
    read: () => {
      const sample = sampleOf();
      return { content: readModelEvent(asRecord(modelEvents(sample)[index]), sample), problems: [] };
    },
  }));
}

/** Whether a sample has what a model said, and no event in which it did. */
function isUnread(sample: JsonRecord): boolean {
  return modelEvents(sample).length === 0 && asRecords(sample.messages).some(({ role }) => role === 'assistant');
}

function isModelEvent(node: JsonNode): boolean {
  const name = member(node, 'event');
  return name?.type === 'string' && name.value === 'model';
}

function tapeOf(
  header: JsonRecord | undefined,
  interactions: readonly Interaction[],
  problems: readonly Problem[],
): Tape {
  const version = header?.version;
  return omitUndefined({
    format: 'inspect' as const,
    name: asString(asRecord(header?.eval).task),
    version: typeof version === 'number' ? `${version}` : undefined,
    interactions,
    problems,
  });
}

const PYTHON_NUMBERS = /"(?:[^"\\]|\\.)*"|-?Infinity|NaN/g;
/**
 * Python writes these where a score is not a number. The replacements have the same length, so that offsets stay right.
 */
const STAND_INS: Readonly<Record<string, string>> = { NaN: '"?"', Infinity: '"??????"', '-Infinity': '"???????"' };

function withoutNaN(text: string): string {
  if (!/[:[,\s](?:NaN|-?Infinity)\b/.test(text)) return text;
  return text.replace(PYTHON_NUMBERS, (token) => STAND_INS[token] ?? token);
}
