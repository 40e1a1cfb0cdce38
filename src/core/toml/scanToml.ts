import type { Span } from '../text/source';
import type { TomlPath } from './readToml';

/** `[path]`, or `[[path]]` for an item of a list of tables. */
export interface TomlHeader {
  readonly path: TomlPath;
  readonly isList: boolean;
  /** With its brackets. */
  readonly span: Span;
  /** Without them. */
  readonly nameSpan: Span;
}

/** `key = value` of a table or an inline table, or an item of an array. */
export interface TomlEntry {
  readonly path: TomlPath;
  /** The last part of the key; absent for an item of an array. */
  readonly keySpan?: Span;
  readonly valueSpan: Span;
  /** The value, if it is a string on one line. Escapes are kept. */
  readonly text?: string;
}

/** What may be written at an offset. */
type TomlPlace =
  | { readonly in: 'header'; readonly isList: boolean; readonly word: Span }
  /** A key of the table at `path`; a header may stand there as well, if it is the start of a line. */
  | { readonly in: 'key'; readonly path: TomlPath; readonly isLineStart: boolean; readonly word: Span }
  /** The value at `path`, or an item of the list there. */
  | { readonly in: 'value'; readonly path: TomlPath; readonly isItem: boolean; readonly word: Span };

export interface TomlScan {
  readonly headers: readonly TomlHeader[];
  readonly entries: readonly TomlEntry[];
  /** At the offset that was asked for; undefined in comments, in multi-line strings, and after a value. */
  readonly place: TomlPlace | undefined;
}

/** Finds the tables and keys of a TOML text, valid or not: a text is rarely valid while it is being edited. */
export function scanToml(text: string, offset?: number): TomlScan {
  return new Scanner(text, offset).scan();
}

const SPACE = /[ \t\r]+/y;
const COMMENT = /#[^\n]*/y;
const BOM = /\uFEFF/y;
const HEADER = /\[(\[)?[ \t]*((?:[^\]\n"'#=]|"(?:\\.|[^"\\\n])*"|'[^'\n]*')*)\]{0,2}/y;
const HEADER_NAME = /"((?:\\.|[^"\\])*)"|'([^']*)'|[^\s."']+/g;
const KEY_WORD = /"((?:\\.|[^"\\\n])*)"?|'([^'\n]*)'?|[\w-]+/y;
const LONG_STRING = /"""(?:\\[\s\S]|[^\\])*?(?:"{3,5}|$)|'''[\s\S]*?(?:'{3,5}|$)/y;
const STRING = /"((?:\\.|[^"\\\n])*)"?|'([^'\n]*)'?/y;
const VALUE_WORD = /[^\s,[\]{}#"']+/y;
/** What can only be the next statement, so that a bracket above it was never closed. */
const NEXT_HEADER = /[ \t]*\[\[?[ \t]*(?!true\b|false\b|inf\b|nan\b)[A-Za-z_][\w.-]*[ \t]*\]/y;
const NEXT_ENTRY = /[ \t]*[\w-]+[ \t]*=/y;

/** An array or an inline table that is open. */
interface Frame {
  readonly isArray: boolean;
  readonly path: TomlPath;
  readonly start: number;
  readonly keySpan: Span | undefined;
  items: number;
}

class Scanner {
  readonly #text: string;
  readonly #offset: number;
  readonly #headers: TomlHeader[] = [];
  readonly #entries: TomlEntry[] = [];
  readonly #lists = new Map<string, number>();
  readonly #frames: Frame[] = [];
  #at = 0;
  #table: TomlPath = [];
  #expects: 'key' | 'equals' | 'value' | 'end' = 'key';
  #key: { readonly name: string; readonly span: Span }[] = [];
  #place: TomlPlace | undefined;
  #isPlaced = false;

  constructor(text: string, offset: number | undefined) {
    this.#text = text;
    this.#offset = offset ?? -1;
    this.#isPlaced = offset === undefined;
  }

  scan(): TomlScan {
    this.#take(BOM);
    while (this.#at < this.#text.length) this.#step();
    this.#endStatement();
    if (!this.#isPlaced) this.#put(this.#placeOf({ start: this.#offset, end: this.#offset }));
    return { headers: this.#headers, entries: this.#entries, place: this.#place };
  }

  #step(): void {
    // Not within a token that begins before the offset, as each of those places it.
    if (!this.#isPlaced && this.#at >= this.#offset && !this.#touches())
      this.#put(this.#placeOf({ start: this.#offset, end: this.#offset }));
    if (this.#text[this.#at] === '\n') this.#newline();
    else if (this.#isSpaceOrComment()) return;
    else if (this.#expects === 'key') this.#readKey();
    else if (this.#expects === 'value') this.#readValue();
    else this.#readPunctuation();
  }

  #isSpaceOrComment(): boolean {
    const space = this.#take(SPACE);
    if (space !== undefined) {
      if (!this.#isPlaced && space.start < this.#offset && this.#offset < space.end)
        this.#put(this.#placeOf({ start: this.#offset, end: this.#offset }));
      return true;
    }
    const comment = this.#take(COMMENT);
    if (comment !== undefined) this.#swallow(comment, false);
    return comment !== undefined;
  }

  /** Whether a word begins at the offset, of which it is then a part. */
  #touches(): boolean {
    if (this.#at !== this.#offset) return false;
    if (this.#expects === 'key') return this.#matches(KEY_WORD);
    if (this.#expects !== 'value' || this.#matches(LONG_STRING)) return false;
    return this.#matches(STRING) || this.#matches(VALUE_WORD);
  }

  #newline(): void {
    this.#at += 1;
    if (this.#frames.length > 0 && !this.#isNextStatement()) return;
    this.#endStatement();
    this.#frames.length = 0;
    this.#expects = 'key';
    this.#key = [];
  }

  /** A key that has no value yet is there all the same. */
  #endStatement(): void {
    if (this.#expects === 'value' && this.#key.length > 0) this.#addEntry({ start: this.#at, end: this.#at });
  }

  #isNextStatement(): boolean {
    if (this.#matches(NEXT_HEADER)) return true;
    return this.#frames.at(-1)?.isArray === true && this.#matches(NEXT_ENTRY);
  }

  #readKey(): void {
    const isStart = this.#frames.length === 0 && this.#key.length === 0;
    if (isStart && this.#text[this.#at] === '[') {
      this.#readHeader();
      return;
    }
    const match = this.#match(KEY_WORD);
    if (match === null) {
      this.#readPunctuation();
      return;
    }
    const span = this.#spanOf(match);
    if (this.#holds(span)) this.#put(this.#placeOf(span));
    this.#key.push({ name: match[1] ?? match[2] ?? match[0], span });
    this.#expects = 'equals';
  }

  #readHeader(): void {
    const match = this.#match(HEADER);
    if (match === null) return;
    const span = this.#spanOf(match);
    const [, bracket, name = ''] = match;
    const isList = bracket !== undefined;
    const isOpen = !match[0].endsWith(']');
    if (!this.#isPlaced && span.start < this.#offset && (this.#offset < span.end || isOpen) && this.#offset <= span.end)
      this.#put({ in: 'header', isList, word: span });
    const nameStart = span.start + match[0].indexOf(name, isList ? 2 : 1);
    const nameSpan = { start: nameStart, end: nameStart + name.trimEnd().length };
    this.#table = this.#pathOf(namesIn(name), isList);
    this.#headers.push({ path: this.#table, isList, span, nameSpan });
    this.#expects = 'end';
  }

  /** The path of a header, with the indexes of the lists of tables that it is in. */
  #pathOf(names: readonly string[], isList: boolean): TomlPath {
    const path: (string | number)[] = [];
    for (const [at, name] of names.entries()) {
      path.push(name);
      const list = JSON.stringify(path);
      if (isList && at === names.length - 1) this.#lists.set(list, (this.#lists.get(list) ?? -1) + 1);
      const index = this.#lists.get(list);
      if (index !== undefined) path.push(index);
    }
    return path;
  }

  #readValue(): void {
    const long = this.#take(LONG_STRING);
    if (long !== undefined) {
      this.#swallow(long, true);
      this.#endValue(long);
      return;
    }
    const match = this.#match(STRING) ?? this.#match(VALUE_WORD);
    if (match === null) {
      this.#readPunctuation();
      return;
    }
    const span = this.#spanOf(match);
    if (this.#holds(span)) this.#put(this.#placeOf(span));
    this.#endValue(span, match[1] ?? match[2]);
  }

  #endValue(valueSpan: Span, text?: string): void {
    this.#addEntry(valueSpan, text);
    const open = this.#frames.at(-1);
    if (open !== undefined) open.items += 1;
    this.#key = [];
    this.#expects = 'end';
  }

  #addEntry(valueSpan: Span, text?: string): void {
    const { path, keySpan } = this.#target();
    this.#entries.push({ path, valueSpan, keySpan, text });
  }

  #readPunctuation(): void {
    const char = this.#text[this.#at];
    const start = this.#at;
    this.#at += 1;
    if (this.#expects === 'value' && (char === '[' || char === '{')) this.#open(char === '[', start);
    else if (char === ']' || char === '}') this.#close(char === ']');
    else if (char === '=' && this.#expects === 'equals') this.#expects = 'value';
    else if (char === '.' && this.#expects === 'equals') this.#expects = 'key';
    else if (char === ',' && this.#frames.length > 0) {
      this.#key = [];
      this.#expects = this.#frames.at(-1)?.isArray === true ? 'value' : 'key';
    }
  }

  #open(isArray: boolean, start: number): void {
    const { path, keySpan } = this.#target();
    this.#frames.push({ isArray, path, start, keySpan, items: 0 });
    this.#key = [];
    this.#expects = isArray ? 'value' : 'key';
  }

  #close(isArray: boolean): void {
    if (this.#frames.at(-1)?.isArray !== isArray) return;
    const frame = this.#frames.pop();
    if (frame === undefined) return;
    const { path, start, keySpan } = frame;
    this.#entries.push({ path, valueSpan: { start, end: this.#at }, keySpan });
    const outer = this.#frames.at(-1);
    if (outer !== undefined) outer.items += 1;
    this.#key = [];
    this.#expects = 'end';
  }

  /** The path of the value that comes next, and its key. */
  #target(): { readonly path: TomlPath; readonly keySpan: Span | undefined } {
    const open = this.#frames.at(-1);
    if (open?.isArray === true) return { path: [...open.path, open.items], keySpan: undefined };
    const path = [...(open?.path ?? this.#table), ...this.#key.map(({ name }) => name)];
    return { path, keySpan: this.#key.at(-1)?.span };
  }

  #placeOf(word: Span): TomlPlace | undefined {
    const open = this.#frames.at(-1);
    if (this.#expects === 'key') {
      const path = [...(open?.path ?? this.#table), ...this.#key.map(({ name }) => name)];
      return { in: 'key', path, isLineStart: open === undefined && this.#key.length === 0, word };
    }
    if (this.#expects !== 'value') return undefined;
    const isItem = open?.isArray === true;
    return { in: 'value', path: isItem ? open.path : this.#target().path, isItem, word };
  }

  #put(place: TomlPlace | undefined): void {
    this.#place = place;
    this.#isPlaced = true;
  }

  /** A token without places: the offset may be within it. */
  #swallow({ start, end }: Span, isClosed: boolean): void {
    if (!this.#isPlaced && start < this.#offset && (isClosed ? this.#offset < end : this.#offset <= end))
      this.#put(undefined);
  }

  #holds({ start, end }: Span): boolean {
    return !this.#isPlaced && start <= this.#offset && this.#offset <= end;
  }

  #matches(pattern: RegExp): boolean {
    pattern.lastIndex = this.#at;
    return pattern.test(this.#text);
  }

  #match(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = this.#at;
    const match = pattern.exec(this.#text);
    if (match !== null) this.#at = pattern.lastIndex;
    return match;
  }

  #take(pattern: RegExp): Span | undefined {
    const match = this.#match(pattern);
    return match === null ? undefined : this.#spanOf(match);
  }

  #spanOf({ index, 0: { length } }: RegExpExecArray): Span {
    return { start: index, end: index + length };
  }
}

function namesIn(header: string): readonly string[] {
  return Array.from(header.matchAll(HEADER_NAME), ([whole, basic, literal]) => basic ?? literal ?? whole);
}
