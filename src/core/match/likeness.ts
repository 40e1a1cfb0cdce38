/** Of a longer string, so many characters of its beginning and its end count, and its length. */
const SAMPLED = 24;
const JSON_START = /^[\uFEFF\s]*[{[]/;
const MODEL = '"model"';
const COLON = /^\s*:\s*$/;
const BACKSLASH = 0x5c;
const SPACE = 0x20;
const COLON_CODE = 0x3a;

/**
 * A number that is equal for bodies of requests that mean the same (see `plainKeyOf`), however their JSON is laid out: with other spaces,
 * escapes, order of members, or spellings of numbers. It tells most bodies that differ in meaning apart, at a small part of what it takes
 * to read them. Whatever is no object or list of JSON has the number 0.
 *
 * It is a sum over the strings of the body, as only these are written in one way. The name of the model does not count, since the address
 * may have it instead.
 */
export function likenessOf(body: string): number {
  let sum = 1;
  const isJson = forEachString(body, ({ text }) => {
    sum = (sum + hashOf(text)) >>> 0;
  });
  return isJson ? sum : 0;
}

/** A string of JSON. A name comes with the number or word that is its value, if it is one. */
export interface JsonString {
  readonly text: string;
  readonly isName: boolean;
  readonly value?: string | undefined;
}

/**
 * Reads the strings of an object or list of JSON, without the name of its model; false for anything else, and for a string that does not
 * end.
 */
export function forEachString(body: string, read: (string: JsonString) => void): boolean {
  if (!JSON_START.test(body)) return false;
  let slash = body.indexOf('\\');
  let start = body.indexOf('"');
  while (start !== -1) {
    if (slash !== -1 && slash < start) slash = body.indexOf('\\', start);
    const end = endOfString(body, start);
    if (end === -1) return false;
    const next = body.indexOf('"', end);
    if (
      next !== -1 &&
      end - start === MODEL.length &&
      body.startsWith(MODEL, start) &&
      COLON.test(body.slice(end, next))
    ) {
      const endOfName = endOfString(body, next);
      if (endOfName === -1) return false;
      start = body.indexOf('"', endOfName);
      continue;
    }
    const isPlain = slash === -1 || slash >= end;
    const text = isPlain ? body.slice(start + 1, end - 1) : decoded(body.slice(start, end));
    if (text === undefined) return false;
    const colon = skipSpace(body, end);
    const isName = body.charCodeAt(colon) === COLON_CODE;
    read({ text, isName, value: isName ? plainValue(body, skipSpace(body, colon + 1)) : undefined });
    start = next;
  }
  return true;
}

function skipSpace(body: string, from: number): number {
  let at = from;
  while (body.charCodeAt(at) <= SPACE) at += 1;
  return at;
}

const PLAIN_VALUE = /[-\d.eE+a-z]{1,30}/y;

function plainValue(body: string, at: number): string | undefined {
  PLAIN_VALUE.lastIndex = at;
  return PLAIN_VALUE.exec(body)?.[0];
}

/** The offset after the quote that ends a string; -1 if none does. */
function endOfString(text: string, start: number): number {
  for (let quote = text.indexOf('"', start + 1); quote !== -1; quote = text.indexOf('"', quote + 1)) {
    let slashes = 0;
    while (text.charCodeAt(quote - 1 - slashes) === BACKSLASH) slashes += 1;
    if (slashes % 2 === 0) return quote + 1;
  }
  return -1;
}

/** Undefined for a string that JSON does not allow. */
function decoded(string: string): string | undefined {
  try {
    return JSON.parse(string) as string;
  } catch {
    return undefined;
  }
}

/** Whether a string has several words. */
export function isText(text: string): boolean {
  return text.includes(' ');
}

export function hashOf(text: string, sampled = SAMPLED): number {
  let hash = Math.imul(text.length + 1, 0x9e3779b1);
  const head = Math.min(text.length, sampled);
  for (let at = 0; at < head; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  for (let at = Math.max(head, text.length - sampled); at < text.length; at += 1)
    hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return hash;
}
