import { parse, TomlError } from 'smol-toml';
import { type AST, ParseError, parseTOML } from 'toml-eslint-parser';
import { isRecord, type Json } from '../json/json';
import type { JsonNode } from '../json/jsonNode';
import { rememberNumber } from '../json/writtenNumbers';
import { t } from '../text/l10n';
import { LineIndex, type ParseResult, type Problem, type Span } from '../text/source';

export type TomlPath = readonly (string | number)[];

/** The maximum nesting. No file needs more, and a recursive reader must not overflow on a hostile text. */
const MAX_DEPTH = 500;

/** A parsed TOML text: its values and their positions. */
export interface TomlDocument {
  readonly root: Readonly<Record<string, Json>>;
  /** The span of the value at `path`, of its nearest ancestor that has one, or of the whole text. */
  span(path: TomlPath): Span;
  /** The span of the last name in `path` where its value is written, or `span(path)` where it is not named. */
  keySpan(path: TomlPath): Span;
}

/** The two parsers take some kilobytes of memory for each value. A case has dozens. */
const MAX_LENGTH = 4_000_000;
const MAX_VALUES = 50_000;

function tooLarge(message: string): Problem {
  const fix = t('Move what is large to files of their own, or restore the file from version control.');
  return { severity: 'error', message, fix, span: { start: 0, end: 0 } };
}

/** Counts what separates values, including that in strings. */
function isTooLarge(text: string): boolean {
  if (text.length > MAX_LENGTH) return true;
  if (text.length <= MAX_VALUES) return false;
  let count = 0;
  for (let at = 0; at < text.length && count <= MAX_VALUES; at += 1) {
    const char = text.charCodeAt(at);
    if (char === 0x2c || char === 0x3d || char === 0x5b || char === 0x7b) count += 1;
  }
  return count > MAX_VALUES;
}

/** Reads TOML. Values and messages come from smol-toml, positions and invalid dates from toml-eslint-parser. */
export function readToml(source: string): ParseResult<TomlDocument> {
  // toml-eslint-parser does not support a byte order mark; a space in its place keeps all offsets.
  const text = source.replace(/^\uFEFF/, ' ');
  if (isTooLarge(text)) {
    const message = t('the TOML has more than {0} values, or {1} million characters', MAX_VALUES, MAX_LENGTH / 1e6);
    return { value: undefined, problems: [tooLarge(message)] };
  }
  try {
    const root = toJson(parse(text, { integersAsBigInt: true }), text) as Record<string, Json>;
    const places = placesIn(text);
    if (mayBeRefused(text)) places.find();
    const span = (path: TomlPath): Span => places.later((spans) => spans.at(path));
    return { value: { root, span, keySpan: (path) => places.find().keyAt(path) ?? span(path) }, problems: [] };
  } catch (error) {
    // The parser for positions overflows on a string of some hundred thousand characters.
    if (error instanceof RangeError)
      return { value: undefined, problems: [tooLarge(t('the TOML has a string that is too long to be read'))] };
    return { value: undefined, problems: [syntaxProblem(text, error)] };
  }
}

/** Longer texts may have a string on which the parser for positions overflows. */
const SHORT = 16 * 1024;
const DATE_OR_TIME = /\d{4}-\d|\d\d:\d/;
/** TOML 1.1 has line breaks and a last comma in inline tables, and two more escapes; MoFA and others read 1.0. */
const NEWER = /\{[^}\n]*\n|,\s*\}|\\[ex]/;

/** Whether the parser for positions may refuse a text that the one for values reads. */
function mayBeRefused(text: string): boolean {
  return text.length > SHORT || DATE_OR_TIME.test(text) || NEWER.test(text);
}

function syntaxProblem(text: string, error: unknown): Problem {
  if (!(error instanceof TomlError || error instanceof ParseError)) throw error;
  const start = error instanceof TomlError ? new LineIndex(text).offset(error) : error.index;
  const [headline = error.message] = error.message.split('\n');
  const reason = headline.replace('Invalid TOML document: ', '');
  // smol-toml reports the line feed in an unterminated string as a control character.
  const isUnterminated =
    reason === 'unfinished string' ||
    (/^[\r\n]$/.test(text.charAt(start)) && /control characters .* strings/.test(reason));
  return {
    severity: 'error',
    message: t('invalid TOML: {0}', isUnterminated ? t('unterminated string') : reason),
    fix: t('Fix the TOML syntax here.'),
    span: { start, end: Math.min(start + 1, text.length) },
  };
}

/** Converts dates to text, because JSON, such as tool results, has none. Keys are own properties, even `__proto__`. */
function toJson(value: unknown, text: string, depth = 0): Json {
  if (depth > MAX_DEPTH) throw new TomlError(t('nested deeper than {0} levels', MAX_DEPTH), { toml: text, ptr: 0 });
  if (typeof value === 'bigint') return Number.isSafeInteger(Number(value)) ? Number(value) : value;
  if (Array.isArray(value)) {
    const items = value.map((item) => toJson(item, text, depth + 1));
    for (const [at, item] of value.entries()) rememberFloat(items, at, item);
    return items;
  }
  if (value instanceof Date) return value.toISOString();
  // JSON has no such number: serde_json, with which MoFA reads a case, makes null of it.
  if (typeof value === 'number' && !Number.isFinite(value)) return null;
  if (typeof value === 'object' && value !== null) {
    const members = Object.entries(value);
    const table = Object.fromEntries(members.map(([key, member]) => [key, toJson(member, text, depth + 1)]));
    for (const [key, member] of members) rememberFloat(table, key, member);
    return table;
  }
  return value as Json;
}

/** A float that JavaScript writes as an integer stays one: tools may tell the two apart. */
function rememberFloat(holder: object, key: string | number, value: unknown): void {
  if (typeof value !== 'number') return;
  const digits = Object.is(value, -0) ? '-0' : `${value}`;
  if (/^-?\d+$/.test(digits)) rememberNumber(holder, key, `${digits}.0`);
}

interface TomlPlaces {
  find(): TomlSpans;
  later(look: (spans: TomlSpans) => Span | undefined): Span;
}

/**
 * The places in a text. To find them takes as long as to read the values, and most are never looked at: a span is looked up
 * when its start or end is first asked for, together with all others of the text.
 */
function placesIn(text: string): TomlPlaces {
  let spans: TomlSpans | undefined;
  const waiting: (() => void)[] = [];
  const find = (): TomlSpans => {
    if (spans !== undefined) return spans;
    spans = new TomlSpans(parseTOML(text, { tomlVersion: '1.0' }));
    for (const settle of waiting.splice(0)) settle();
    return spans;
  };
  return {
    find,
    later(look) {
      const place = (): Span => look(find()) ?? { start: 0, end: text.length };
      return spans === undefined ? laterSpan(place, waiting) : place();
    },
  };
}

/** A span that is looked up once. After that it holds nothing of what it was found in. */
function laterSpan(find: () => Span, waiting: (() => void)[]): Span {
  let look = find;
  const settle = (): Span => {
    const found = look();
    look = () => found;
    return found;
  };
  waiting.push(settle);
  // Properties of its own, which copies of it have, too.
  return {
    get start() {
      return settle().start;
    },
    get end() {
      return settle().end;
    },
  };
}

const pathKey = (path: TomlPath): string => JSON.stringify(path);

/**
 * The spans of the values and tables of a text. The span of a table is its header; for one without, which `[a.b]` or
 * `a.b = 1` creates implicitly, it is where the table is first mentioned.
 */
class TomlSpans {
  readonly #written = new Map<string, Span>();
  readonly #mentioned = new Map<string, Span>();
  readonly #keys = new Map<string, Span>();

  constructor(program: AST.TOMLProgram) {
    for (const node of program.body[0].body) {
      if (node.type === 'TOMLKeyValue') this.#entry([], node);
      else {
        this.#mention(node.resolvedKey, 0, node.key.range);
        this.#write(node.resolvedKey, node.key.range);
        this.#nameTable(node);
        for (const entry of node.body) this.#entry(node.resolvedKey, entry);
      }
    }
  }

  /** The span of `path`, or of its nearest ancestor that has one. */
  at(path: TomlPath): Span | undefined {
    for (let length = path.length; length > 0; length -= 1) {
      const key = pathKey(path.slice(0, length));
      const found = this.#written.get(key) ?? this.#mentioned.get(key);
      if (found) return found;
    }
    return undefined;
  }

  /** The span of the last part of a key. */
  keyAt(path: TomlPath): Span | undefined {
    return this.#keys.get(pathKey(path));
  }

  #entry(base: TomlPath, { key, value }: AST.TOMLKeyValue): void {
    const path = [...base, ...key.keys.map(keyName)];
    this.#mention(path, base.length, key.range);
    for (const [index, name] of key.keys.entries()) this.#name(path.slice(0, base.length + index + 1), name);
    this.#content(path, value);
  }

  #nameTable({ key, resolvedKey }: AST.TOMLTable): void {
    let at = 0;
    for (const name of key.keys) {
      at += 1;
      this.#name(resolvedKey.slice(0, at), name);
      if (typeof resolvedKey[at] === 'number') at += 1;
    }
  }

  #name(path: TomlPath, { range: [start, end] }: AST.TOMLNode): void {
    const key = pathKey(path);
    if (!this.#keys.has(key)) this.#keys.set(key, { start, end });
  }

  #content(path: TomlPath, node: AST.TOMLContentNode): void {
    this.#write(path, node.range);
    if (node.type === 'TOMLArray')
      for (const [index, item] of node.elements.entries()) this.#content([...path, index], item);
    if (node.type === 'TOMLInlineTable') for (const entry of node.body) this.#entry(path, entry);
  }

  #write(path: TomlPath, [start, end]: AST.TOMLNode['range']): void {
    this.#written.set(pathKey(path), { start, end });
  }

  /** Adds the implicit tables between the first `known` parts of `path` and `path`. */
  #mention(path: TomlPath, known: number, [start, end]: AST.TOMLNode['range']): void {
    for (let length = known + 1; length < path.length; length += 1) {
      const key = pathKey(path.slice(0, length));
      if (!this.#mentioned.has(key)) this.#mentioned.set(key, { start, end });
    }
  }
}

function keyName(key: AST.TOMLBare | AST.TOMLQuoted): string {
  return key.type === 'TOMLBare' ? key.name : key.value;
}

/** Converts a TOML document to the tree that JSON and YAML are read into. The span of a table is its header. */
export function tomlToNode(document: TomlDocument): JsonNode {
  return build(document.root, []);

  function build(value: Json, path: TomlPath): JsonNode {
    const span = document.span(path);
    if (isRecord(value)) {
      const members = Object.entries(value).map(([key, item]) => ({
        key,
        keySpan: document.keySpan([...path, key]),
        value: build(item, [...path, key]),
      }));
      return { type: 'object', members, ...span };
    }
    if (typeof value === 'string') return { type: 'string', value, ...span };
    if (typeof value === 'number' || typeof value === 'bigint') {
      return { type: 'number', lexeme: String(value), ...span };
    }
    if (typeof value === 'object' && value !== null) {
      return { type: 'array', items: value.map((item, index) => build(item, [...path, index])), ...span };
    }
    return { type: 'literal', value, ...span };
  }
}
