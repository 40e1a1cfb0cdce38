import { ESCAPED, JsonTokens, PLAIN } from './jsonTokens';

const MAX_DEPTH = 500;
/** Longer strings are left to an expression, which is slower to start and far faster then. */
const FEW = 24;
const UNTIL_SPECIAL = /[ !#-[\]-\uffff]*/y;
const ATOM = /(?:-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][-+]?\d+)?|true|false|null)(?![\w.+-])/y;
const HEX = /[\da-fA-F]{4}/y;
/** Where there is one escape there are more: JSON in a string has one every few characters. */
const ESCAPES = /\\["\\/bfnrt](?:[ !#-[\]-\uffff]|\\["\\/bfnrt]){0,128}/y;

/** Room for the tokens of many small texts, of which none is to pay for an array of its own. */
const SHARED = 3 * 8 * 1024;
let shared = new Int32Array(SHARED);
let used = 0;
/** Where the tokens of larger texts are gathered, to be kept in as much room as they need: a new array is cold memory. */
let scratch = new Int32Array(SHARED);
const LARGEST_SCRATCH = 3 * 128 * 1024;
const stack = new Int32Array(MAX_DEPTH);

/**
 * The tokens of the JSON value that a text begins with; undefined for one that is not in order: `JsonReader` knows what is wrong
 * with it. What follows the value is not looked at.
 *
 * This is one function because every call in it, and every field in place of a variable, can be measured: a tape is not
 * to take twice as long as `JSON.parse`, which is not written in JavaScript.
 */
export function scanJson(text: string): JsonTokens | undefined {
  const expected = (text.length >> 5) * 3;
  const isSmall = expected < SHARED >> 3;
  if (isSmall && used + expected > SHARED) share();
  let data = isSmall ? shared : expected > LARGEST_SCRATCH ? new Int32Array(expected) : scratch;
  const root = isSmall ? used : 0;
  let size = root;
  let depth = 0;
  let closing = 0;
  let wantsName = false;
  const last = text.length - 1;
  let at = codeAt(text, 0) === 0xfeff ? 1 : 0;
  for (;;) {
    let char = codeAt(text, at);
    while (char <= 0x20 && (char === 0x20 || char === 0x0a || char === 0x0d || char === 0x09))
      char = codeAt(text, ++at);
    if (size + 3 > data.length) data = grown(data);
    if (char === 0x22) {
      data[size] = at;
      let note = PLAIN;
      char = codeAt(text, ++at);
      for (;;) {
        const soon = Math.min(at + FEW, last);
        while (char !== 0x22 && char !== 0x5c && char >= 0x20 && at < soon) char = text.charCodeAt(++at);
        if (at === soon) {
          UNTIL_SPECIAL.lastIndex = at;
          UNTIL_SPECIAL.test(text);
          at = UNTIL_SPECIAL.lastIndex;
          char = codeAt(text, at);
        }
        if (char !== 0x5c) break;
        note = ESCAPED;
        ESCAPES.lastIndex = at;
        if (ESCAPES.test(text)) at = ESCAPES.lastIndex;
        else if (isUnicodeEscape(text, at)) at += 6;
        else return undefined;
        char = codeAt(text, at);
      }
      if (char !== 0x22) return undefined;
      at += 1;
      data[size + 1] = at;
      data[size + 2] = note;
      size += 3;
      if (wantsName) {
        char = codeAt(text, at);
        while (char <= 0x20 && (char === 0x20 || char === 0x0a || char === 0x0d || char === 0x09))
          char = codeAt(text, ++at);
        if (char !== 0x3a) return undefined;
        at += 1;
        wantsName = false;
        continue;
      }
    } else if (wantsName) return undefined;
    else if (char === 0x7b || char === 0x5b) {
      if (depth === MAX_DEPTH) return undefined;
      stack[depth] = closing === 0x7d ? -1 - size : size;
      depth += 1;
      data[size] = at;
      size += 3;
      closing = char === 0x7b ? 0x7d : 0x5d;
      char = codeAt(text, ++at);
      while (char <= 0x20 && (char === 0x20 || char === 0x0a || char === 0x0d || char === 0x09))
        char = codeAt(text, ++at);
      if (char !== closing) {
        wantsName = closing === 0x7d;
        continue;
      }
    } else {
      ATOM.lastIndex = at;
      if (!ATOM.test(text)) return undefined;
      data[size] = at;
      at = ATOM.lastIndex;
      data[size + 1] = at;
      data[size + 2] = PLAIN;
      size += 3;
    }
    // A value is over: with it as many lists and objects as end here.
    for (;;) {
      if (depth === 0) {
        if (data === shared) used = size;
        else if (data.length <= LARGEST_SCRATCH) {
          scratch = data;
          data = data.slice(0, size);
        }
        return new JsonTokens(text, data, root, size);
      }
      char = codeAt(text, at);
      while (char <= 0x20 && (char === 0x20 || char === 0x0a || char === 0x0d || char === 0x09))
        char = codeAt(text, ++at);
      at += 1;
      if (char === 0x2c) break;
      if (char !== closing) return undefined;
      depth -= 1;
      const opened = stack[depth] as number;
      const token = opened < 0 ? -1 - opened : opened;
      data[token + 1] = at;
      data[token + 2] = size;
      closing = opened < 0 ? 0x7d : 0x5d;
    }
    wantsName = closing === 0x7d;
  }
}

/**
 * The char code; -1 behind the end. `charCodeAt` itself is never to be asked behind the end: after V8 has seen that once in
 * optimised code, it calls it as a function from that place, for every character of every text until the process ends.
 * One truncated file made the reading of all others take two to four times as long.
 */
function codeAt(text: string, at: number): number {
  return at < text.length ? text.charCodeAt(at) : -1;
}

function isUnicodeEscape(text: string, at: number): boolean {
  HEX.lastIndex = at + 2;
  return codeAt(text, at + 1) === 0x75 && HEX.test(text);
}

function grown(data: Int32Array<ArrayBuffer>): Int32Array<ArrayBuffer> {
  if (data === shared) share();
  const larger = new Int32Array(data.length * 2);
  larger.set(data);
  return larger;
}

function share(): void {
  shared = new Int32Array(SHARED);
  used = 0;
}
