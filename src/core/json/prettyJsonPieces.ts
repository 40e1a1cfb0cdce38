import { isRecord, prettyJson } from './json';
import { writtenNumber } from './writtenNumbers';

/** In UTF-16 units: a longer text is written in pieces of this length. */
const PIECE = 2 ** 18;
/** In UTF-16 units: smaller pieces are put together. */
const CHUNK = 2 ** 18;

/**
 * The text of `prettyJson` in pieces, for values that are long as text. A list may be any iterable, of which one item at a
 * time is held.
 */
export function* prettyJsonPieces(value: unknown): Generator<string> {
  let chunk = '';
  for (const piece of piecesOf(value, '')) {
    chunk += piece;
    if (chunk.length < CHUNK) continue;
    yield chunk;
    chunk = '';
  }
  yield chunk;
}

function* piecesOf(value: unknown, indent: string): Generator<string> {
  if (typeof value === 'string') yield* textPieces(value);
  else if (isIterable(value)) yield* blockPieces('[', ']', itemPieces(value, indent), indent);
  else if (isRecord(value)) yield* blockPieces('{', '}', memberPieces(value, indent), indent);
  else yield prettyJson(value);
}

function isIterable(value: unknown): value is Iterable<unknown> {
  return typeof value === 'object' && value !== null && Symbol.iterator in value;
}

/** Text before a value, and the value's own pieces. */
type Entry = readonly [lead: string, pieces: Iterable<string>];

function* itemPieces(items: Iterable<unknown>, indent: string): Generator<Entry> {
  let at = 0;
  for (const item of items) {
    const written = writtenNumber(items, at);
    yield ['', written === undefined ? pieces(item ?? null, `${indent}  `) : [written]];
    at += 1;
  }
}

function* memberPieces(record: Readonly<Record<string, unknown>>, indent: string): Generator<Entry> {
  for (const [key, member] of Object.entries(record)) {
    if (member === undefined) continue;
    const written = writtenNumber(record, key);
    yield [`${JSON.stringify(key)}: `, written === undefined ? pieces(member, `${indent}  `) : [written]];
  }
}

/** One piece where that is short; most values are. */
function pieces(value: unknown, indent: string): Iterable<string> {
  return isLong(value) ? piecesOf(value, indent) : [prettyJson(value, indent)];
}

/** Whether a value is to be written in pieces: it holds a long text, or many values, or is not a value yet. */
function isLong(value: unknown): boolean {
  if (typeof value === 'string') return value.length > PIECE;
  if (Array.isArray(value)) return value.length > MANY || value.some(isLong);
  if (isIterable(value)) return true;
  return isRecord(value) && Object.values(value).some(isLong);
}

const MANY = 1000;

function* blockPieces(open: string, close: string, entries: Iterable<Entry>, indent: string): Generator<string> {
  let isFirst = true;
  for (const [lead, own] of entries) {
    yield `${isFirst ? open : ','}\n${indent}  ${lead}`;
    isFirst = false;
    yield* own;
  }
  yield isFirst ? open + close : `\n${indent}${close}`;
}

function* textPieces(text: string): Generator<string> {
  yield '"';
  for (let at = 0; at < text.length; ) {
    const end = endOfPiece(text, at);
    yield JSON.stringify(text.slice(at, end)).slice(1, -1);
    at = end;
  }
  yield '"';
}

/** Not between the two halves of a character. */
function endOfPiece(text: string, start: number): number {
  const end = start + PIECE;
  return end < text.length && isHighSurrogate(text.charCodeAt(end - 1)) ? end + 1 : end;
}

function isHighSurrogate(code: number): boolean {
  return code >= 0xd800 && code <= 0xdbff;
}
