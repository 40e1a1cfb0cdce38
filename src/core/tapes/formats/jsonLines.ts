import type { JsonRecord } from '../../json/json';
import { type JsonNode, jsonValue, readJson, readValueAt } from '../../json/jsonDocument';
import { nodeAt } from '../../json/jsonPath';
import type { Problem, Span } from '../../text/source';
import { recordOf } from '../../wire/fields';

/** One line of a file that has a JSON object on every line. */
export class JsonLine {
  readonly #node: JsonNode;
  readonly source: Span;
  #value: JsonRecord | undefined;

  constructor(node: JsonNode, source: Span) {
    this.#node = node;
    this.source = source;
  }

  /** The string at a path, without reading the rest of the line. */
  text(...path: readonly string[]): string | undefined {
    const found = nodeAt(this.#node, path);
    return found?.type === 'string' ? found.value : undefined;
  }

  isTrue(key: string): boolean {
    const found = nodeAt(this.#node, [key]);
    return found?.type === 'literal' && found.value === true;
  }

  get value(): JsonRecord {
    this.#value ??= recordOf(jsonValue(this.#node));
    return this.#value;
  }
}

export interface JsonLinesReading {
  readonly lines: readonly JsonLine[];
  readonly problems: readonly Problem[];
}

/** A file in which every line is broken says so this often. */
const MAX_PROBLEMS = 100;

/** Reads a JSON object from every line that is not blank. A line that holds none is a problem, and is left out. */
export function readJsonLines(text: string, first = 0): JsonLinesReading {
  const lines: JsonLine[] = [];
  const problems: Problem[] = [];
  for (const source of textLines(text, first)) {
    const node = readValueAt(text, source.start, source.end);
    if (node?.type === 'object') lines.push(new JsonLine(node, source));
    else if (problems.length < MAX_PROBLEMS) problems.push(brokenLine(text, node, source));
  }
  return { lines, problems };
}

/** The lines of a text that are not blank, without their ends; no more than so many. */
export function textLines(text: string, first = 0, most = Number.POSITIVE_INFINITY): Span[] {
  const lines: Span[] = [];
  for (let start = first; start < text.length && lines.length < most; ) {
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

function brokenLine(text: string, value: JsonNode | undefined, { start, end }: Span): Problem {
  const fix = 'Repair the line in the text editor, or restore the file from version control.';
  if (value !== undefined)
    return { severity: 'error', message: 'a line must be a JSON object', fix, span: { start, end } };
  const [problem] = readJson(text.slice(start, end)).problems;
  const at = start + (problem?.span.start ?? 0);
  const message = problem?.message ?? 'invalid JSON: nested too deeply';
  return { severity: 'error', message, fix, span: { start: at, end: Math.min(at + 1, end) } };
}

/** The beginnings of the first lines, for telling what a file is. */
export function headLines(text: string, count: number, length = 4096): string[] {
  return textLines(text, 0, count).map(({ start, end }) => text.slice(start, Math.min(end, start + length)));
}

/** Is the first line a whole JSON object, by its first and last character? */
export function startsWithObjectLine(text: string): boolean {
  const [first] = textLines(text, 0, 1);
  return first !== undefined && /^\s*\{/.test(text.slice(first.start, first.start + 64)) && text[first.end - 1] === '}';
}
