/** Of a longer string, so many characters of its beginning and its end count, and its length. */
const SAMPLED = 24;
const JSON_START = /^[\uFEFF\s]*[{[]/;
const MODEL = '"model"';
const COLON = /^\s*:\s*$/;
const BACKSLASH = 0x5c;

/**
 * A number that is equal for bodies of requests that mean the same (see `plainKeyOf`), however their JSON is laid out: with other spaces,
 * escapes, order of members, or spellings of numbers. It tells most bodies that differ in meaning apart, at a small part of what it takes
 * to read them. Whatever is no object or list of JSON has the number 0.
 *
 * It is a sum over the strings of the body, as only these are written in one way. The name of the model does not count, since the address
 * may have it instead.
 */
export function likenessOf(body: string): number {
  if (!JSON_START.test(body)) return 0;
  let sum = 1;
  let slash = body.indexOf('\\');
  let start = body.indexOf('"');
  while (start !== -1) {
    if (slash !== -1 && slash < start) slash = body.indexOf('\\', start);
    const end = endOfString(body, start);
    if (end === -1) return 0;
    const next = body.indexOf('"', end);
    if (
      next !== -1 &&
      end - start === MODEL.length &&
      body.startsWith(MODEL, start) &&
      COLON.test(body.slice(end, next))
    ) {
      const endOfName = endOfString(body, next);
      if (endOfName === -1) return 0;
      start = body.indexOf('"', endOfName);
      continue;
    }
    const isPlain = slash === -1 || slash >= end;
    const text = isPlain ? body.slice(start + 1, end - 1) : decoded(body.slice(start, end));
    if (text === undefined) return 0;
    sum = (sum + hashOf(text)) >>> 0;
    start = next;
  }
  return sum;
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

function hashOf(text: string): number {
  let hash = Math.imul(text.length + 1, 0x9e3779b1);
  const head = Math.min(text.length, SAMPLED);
  for (let at = 0; at < head; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  for (let at = Math.max(head, text.length - SAMPLED); at < text.length; at += 1)
    hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return hash;
}
