import { t } from '../text/l10n';
import { weakMemo } from '../text/memo';
import type { Problem, Span } from '../text/source';
import type { TextParts } from '../text/textParts';
import { asRecord, asString } from './fields';
import { isRecord, type Json, type JsonRecord } from './json';
import type { JsonNode } from './jsonNode';
import { parseExactJson, parseJson, readJson } from './readJson';

/** One line of a JSON Lines file, which is a JSON object. */
export class JsonLine {
  readonly source: Span;
  /** Held weakly: the values of a long session take several times the memory of its file. */
  readonly #value: () => JsonRecord;

  constructor(text: TextParts, source: Span, value: JsonRecord, of: (line: JsonRecord) => JsonRecord = itself) {
    this.source = source;
    this.#value = weakMemo(lineReading(text, source, of), of(value));
  }

  /** The same line as the object that is inside of it. */
  static inside(text: TextParts, { source, value }: JsonLine, of: (line: JsonRecord) => JsonRecord): JsonLine {
    return new JsonLine(text, source, value, of);
  }

  get value(): JsonRecord {
    return this.#value();
  }

  /** The string at a path. */
  text(...path: readonly string[]): string | undefined {
    return asString(path.reduce<Json | undefined>((value, key) => asRecord(value)[key], this.value));
  }

  isTrue(key: string): boolean {
    return this.value[key] === true;
  }
}

/** Outside of the constructor, whose scope would keep the value. */
function lineReading(text: TextParts, { start, end }: Span, of: (line: JsonRecord) => JsonRecord): () => JsonRecord {
  return () => of(asRecord(parseExactJson(text.slice(start, end))));
}

function itself(line: JsonRecord): JsonRecord {
  return line;
}

/** Reads the line at a span; undefined if it is not an object. */
export function jsonLineAt(text: TextParts, source: Span): JsonLine | undefined {
  const value = parseJson(text.slice(source.start, source.end));
  return isRecord(value) ? new JsonLine(text, source, value) : undefined;
}

export interface JsonLinesReading {
  readonly lines: readonly JsonLine[];
  readonly problems: readonly Problem[];
}

/** The number of problems reported for a file in which every line is broken. */
const MAX_PROBLEMS = 100;

/**
 * Reads a JSON object from every line that is not blank. Any other line is omitted and reported as a problem, unless it has several
 * objects, as where two programs wrote at once, or a line end was lost: these are read, and reported.
 */
export function readJsonLines(text: TextParts, first = 0): JsonLinesReading {
  const lines: JsonLine[] = [];
  const problems: Problem[] = [];
  const sources = nonBlankLines(text, first, MAX_LINES + 1);
  if (sources.length > MAX_LINES) return { lines: [], problems: [tooManyLines(text)] };
  for (const source of sources) {
    const line = jsonLineAt(text, source);
    const found = line === undefined ? recordsOf(text, source) : [line];
    for (const one of found) lines.push(one);
    if (line === undefined && problems.length < MAX_PROBLEMS)
      problems.push(found.length === 0 ? brokenLine(text, source) : joinedLine(source, found.length));
  }
  return { lines, problems };
}

/** The same lines as nodes with their places in the text, in a list. */
export function readLineNodes(text: TextParts): { readonly value: JsonNode; readonly problems: readonly Problem[] } {
  const { lines, problems } = readJsonLines(text);
  const items = lines.flatMap(({ source: { start, end } }) => {
    const { value } = readJson(text.slice(start, end));
    return value === undefined ? [] : [movedNode(value, start)];
  });
  return { value: { type: 'array', items, start: 0, end: text.length }, problems };
}

/** A node whose text begins so much later. */
function movedNode(node: JsonNode, by: number): JsonNode {
  const place = { start: node.start + by, end: node.end + by };
  if (node.type === 'array') return { type: 'array', items: node.items.map((item) => movedNode(item, by)), ...place };
  if (node.type === 'string') return { type: 'string', value: node.value, ...place };
  if (node.type !== 'object') return { ...node, ...place };
  const members = node.members.map(({ key, keySpan, value }) => ({
    key,
    keySpan: { start: keySpan.start + by, end: keySpan.end + by },
    value: movedNode(value, by),
  }));
  return { type: 'object', members, ...place };
}

const MAX_JOINED = 16;

/** The objects that follow each other on a line; none if it has anything else, or too many. */
function recordsOf(text: TextParts, { start, end }: Span): readonly JsonLine[] {
  const records: JsonLine[] = [];
  for (let at = start; at < end; ) {
    const { value, problems } = readJson(text.slice(at, end));
    if (value?.type !== 'object' || (problems[0]?.span.start ?? value.end) < value.end) return [];
    const record = jsonLineAt(text, { start: at + value.start, end: at + value.end });
    if (record === undefined || records.length === MAX_JOINED) return [];
    records.push(record);
    at += value.end;
    if (text.slice(at, end).trim() === '') break;
  }
  return records;
}

function joinedLine(span: Span, records: number): Problem {
  const message = t('the line has {0} records, which programs that read one a line lose', records);
  return { severity: 'error', message, fix: t('Put each on a line of its own.'), span };
}

/** No session has as many. */
const MAX_LINES = 500_000;

function tooManyLines({ length }: TextParts): Problem {
  return {
    severity: 'error',
    message: t('more than {0} lines', MAX_LINES),
    fix: t('Split it into smaller files, or restore it from version control.'),
    span: { start: length, end: length },
  };
}

/** The lines of a text that are not blank, without line ends; at most `limit`. */
export function nonBlankLines(text: TextParts, first = 0, limit = MAX_LINES): Span[] {
  const lines: Span[] = [];
  for (let start = first; start < text.length && lines.length < limit; ) {
    const newline = text.indexOf('\n', start);
    const next = newline === -1 ? text.length : newline + 1;
    let end = newline === -1 ? text.length : newline;
    if (text.charCodeAt(end - 1) === 0x0d) end -= 1;
    const char = text.charCodeAt(start);
    if ((char > 0x20 && char < 0x7f) || text.slice(start, end).trim() !== '') lines.push({ start, end });
    start = next;
  }
  return lines;
}

function brokenLine(text: TextParts, { start, end }: Span): Problem {
  const fix = t('Fix the line in the text editor, or restore the file from version control.');
  const [problem] = readJson(text.slice(start, end)).problems;
  if (problem === undefined)
    return { severity: 'error', message: t('a line must be a JSON object'), fix, span: { start, end } };
  const at = start + problem.span.start;
  return { severity: 'error', message: problem.message, fix, span: { start: at, end: Math.min(at + 1, end) } };
}

/** The beginnings of the first lines, for detecting a format. */
export function headLines(text: TextParts, count: number, length = 4096): string[] {
  return nonBlankLines(text, 0, count).map(({ start, end }) => text.slice(start, Math.min(end, start + length)));
}

const CLOSE_OBJECT = 0x7d;

/** Whether the first line begins and ends like a JSON object. */
export function startsWithObjectLine(text: TextParts): boolean {
  const [first] = nonBlankLines(text, 0, 1);
  return (
    first !== undefined &&
    /^\s*\{/.test(text.slice(first.start, first.start + 64)) &&
    text.charCodeAt(first.end - 1) === CLOSE_OBJECT
  );
}
