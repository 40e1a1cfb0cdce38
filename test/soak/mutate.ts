import { gunzipSync, gzipSync, unzipSync, zipSync } from 'fflate';
import type { Random } from './random';

type Mutation = (bytes: Buffer, random: Random, other: Buffer) => Buffer;

/** What breaks readers: the syntax of every format, and values at the edges of what a format may hold. */
const TOKENS: readonly [Buffer, ...Buffer[]] = [
  Buffer.from('"'),
  ...[
    ...['{', '}', '[', ']', ',', ':', "'", '\\', '\\"', '\\n', '\\u0000', '\\ud800', '\\udc00', '\n', '\r', '\t', ' '],
    ...[
      'null',
      'true',
      '""',
      '{}',
      '[]',
      '-',
      '-0',
      '0.0',
      '1e999',
      '-1e-999',
      '18446744073709551616',
      '9'.repeat(400),
    ],
    ...[
      '- ',
      '---\n',
      '...\n',
      '&a ',
      '*a',
      '<<: *a',
      '!!binary ',
      '!binary |-\n',
      '!!python/tuple ',
      '|',
      '>',
      '|+\n',
      '|2-\n',
    ],
    ...[
      '? ',
      '# ',
      '%YAML 1.1\n',
      '"\\x41"',
      '~',
      '0x1F',
      '0o17',
      '1_000',
      '.inf',
      '2001-01-01',
      '__proto__',
      '"__proto__":',
      // What JavaScript can make neither a text nor a number of, in JSON and in JSON within JSON.
      '{"toString":1,"valueOf":1}',
      '{\\"toString\\":1,\\"valueOf\\":1}',
    ],
    ...[
      'data: ',
      'event: ',
      'data: [DONE]\n\n',
      '\n\n',
      '\r\n',
      'HTTP/1.1 200 OK\r\n',
      'Transfer-Encoding: chunked\r\n',
    ],
    ...[
      'Content-Length: 99999999999\r\n',
      'httprr trace v1\n',
      '10 10\n',
      '-1 5\n',
      '99999999999 1\n',
      'STDIN: ',
      'STDOUT: ',
    ],
    ...[
      'H4sIAAAAAAAAA',
      'KLUv/QBY',
      'UEsDBBQ=',
      '====',
      '\ufeff',
      '\u2028',
      '\u0085',
      '\ud83d\ude00',
      'constructor',
      '../../x',
      '\0',
    ],
  ].map((token) => Buffer.from(token)),
  ...[
    [0xff],
    [0xc3],
    [0xed, 0xa0, 0x80],
    [0xf0, 0x9f],
    [0xef, 0xbb, 0xbf],
    [0x1f, 0x8b, 8],
    [0x28, 0xb5, 0x2f, 0xfd],
  ].map((bytes) => Buffer.from(bytes)),
];
const OPENERS: readonly [string, ...string[]] = ['[', '{"a":', '- ', '? ', '{a: ', '"', '&a [*a,', '!!seq '];
const VALUE = /"(?:[^"\\\n]|\\.){0,2000}"|-?\d[\d.e+-]*|true|false|null/g;

const MUTATIONS: readonly [Mutation, ...Mutation[]] = [
  flipBit,
  setByte,
  deleteRange,
  duplicateRange,
  duplicateRange,
  spliceOther,
  truncate,
  insertToken,
  insertToken,
  insertToken,
  replaceValue,
  replaceValue,
  replaceValue,
  swapValues,
  deleteLine,
  duplicateLine,
  moveLine,
  indentLine,
  changeLineEnds,
  nest,
];

/** A file with one to eight changes. What is packed is mostly changed inside, or no change would get past its checksum. */
export function mutate(bytes: Buffer, random: Random, other: Buffer): Buffer {
  if (random.chance(0.8)) {
    const packed = mutatePacked(bytes, random, other);
    if (packed !== undefined) return packed;
  }
  let changed = bytes;
  for (let left = 1 + random.below(random.chance(0.3) ? 8 : 3); left > 0; left -= 1)
    changed = random.pick(MUTATIONS)(changed, random, other);
  if (random.chance(0.01)) return Buffer.from(gzipSync(changed, { mtime: 0 }));
  return random.chance(0.0001) ? grow(changed, random) : changed;
}

function mutatePacked(bytes: Buffer, random: Random, other: Buffer): Buffer | undefined {
  try {
    if (bytes[0] === 0x1f && bytes[1] === 0x8b)
      return Buffer.from(gzipSync(mutate(Buffer.from(gunzipSync(bytes)), random, other)));
    if (bytes.subarray(0, 2).toString('latin1') !== 'PK') return undefined;
    const entries = unzipSync(bytes);
    const name = random.pick(Object.keys(entries));
    if (name === undefined) return undefined;
    entries[name] = new Uint8Array(mutate(Buffer.from(entries[name] ?? []), random, other));
    return Buffer.from(zipSync(entries, { level: random.chance(0.1) ? 1 : 0 }));
  } catch {
    return undefined;
  }
}

function replaceRange(bytes: Buffer, start: number, end: number, inserted: Uint8Array): Buffer {
  return Buffer.concat([bytes.subarray(0, start), inserted, bytes.subarray(end)]);
}

/** Mostly short, now and then up to all of the file. */
function range(bytes: Buffer, random: Random): { start: number; end: number } {
  const start = random.below(bytes.length + 1);
  const longest = random.chance(0.8) ? 32 : bytes.length;
  return { start, end: Math.min(bytes.length, start + 1 + random.below(longest + 1)) };
}

function flipBit(bytes: Buffer, random: Random): Buffer {
  const changed = Buffer.from(bytes);
  const at = random.below(bytes.length);
  changed[at] = (changed[at] ?? 0) ^ (1 << random.below(8));
  return changed;
}

function setByte(bytes: Buffer, random: Random): Buffer {
  const changed = Buffer.from(bytes);
  changed[random.below(bytes.length)] = random.below(256);
  return changed;
}

function deleteRange(bytes: Buffer, random: Random): Buffer {
  const { start, end } = range(bytes, random);
  return replaceRange(bytes, start, end, Buffer.alloc(0));
}

function duplicateRange(bytes: Buffer, random: Random): Buffer {
  const { start, end } = range(bytes, random);
  const to = random.chance(0.5) ? end : random.below(bytes.length + 1);
  return replaceRange(bytes, to, to, bytes.subarray(start, end));
}

function spliceOther(bytes: Buffer, random: Random, other: Buffer): Buffer {
  const from = range(other, random);
  const to = range(bytes, random);
  return replaceRange(bytes, to.start, random.chance(0.5) ? to.start : to.end, other.subarray(from.start, from.end));
}

function truncate(bytes: Buffer, random: Random): Buffer {
  const at = random.below(bytes.length + 1);
  return random.chance(0.8) ? bytes.subarray(0, at) : bytes.subarray(at);
}

function insertToken(bytes: Buffer, random: Random): Buffer {
  const { start, end } = range(bytes, random);
  return replaceRange(bytes, start, random.chance(0.7) ? start : end, random.pick(TOKENS));
}

/** The next scalar of the file after a random place. */
function valueAt(bytes: Buffer, random: Random): { start: number; end: number } | undefined {
  const from = random.below(bytes.length + 1);
  const found = bytes
    .toString('latin1', from, from + 4096)
    .matchAll(VALUE)
    .next().value;
  return found && { start: from + found.index, end: from + found.index + found[0].length };
}

function replaceValue(bytes: Buffer, random: Random): Buffer {
  const value = valueAt(bytes, random);
  return value === undefined ? bytes : replaceRange(bytes, value.start, value.end, random.pick(TOKENS));
}

function swapValues(bytes: Buffer, random: Random, other: Buffer): Buffer {
  const value = valueAt(bytes, random);
  const source = random.chance(0.7) ? bytes : other;
  const replacement = valueAt(source, random);
  if (value === undefined || replacement === undefined) return bytes;
  return replaceRange(bytes, value.start, value.end, source.subarray(replacement.start, replacement.end));
}

function lineAt(bytes: Buffer, random: Random): { start: number; end: number } {
  const at = random.below(bytes.length + 1);
  const start = at === 0 ? 0 : bytes.lastIndexOf(0x0a, at - 1) + 1;
  const end = bytes.indexOf(0x0a, at);
  return { start, end: end === -1 ? bytes.length : end + 1 };
}

function deleteLine(bytes: Buffer, random: Random): Buffer {
  const { start, end } = lineAt(bytes, random);
  return replaceRange(bytes, start, end, Buffer.alloc(0));
}

function duplicateLine(bytes: Buffer, random: Random): Buffer {
  const { start, end } = lineAt(bytes, random);
  return replaceRange(bytes, end, end, bytes.subarray(start, end));
}

function moveLine(bytes: Buffer, random: Random): Buffer {
  const { start, end } = lineAt(bytes, random);
  const to = lineAt(bytes, random).start;
  return replaceRange(bytes, to, to, bytes.subarray(start, end));
}

function indentLine(bytes: Buffer, random: Random): Buffer {
  const { start } = lineAt(bytes, random);
  const removed = bytes[start] === 0x20 && random.chance(0.5) ? 1 + random.below(4) : 0;
  return replaceRange(bytes, start, start + removed, Buffer.from(removed > 0 ? '' : random.pick([' ', '  ', '\t'])));
}

function changeLineEnds(bytes: Buffer, random: Random): Buffer {
  const text = bytes.toString('latin1');
  const changed = random.chance(0.5)
    ? text.replace(/\r?\n/g, '\r\n')
    : text.replace(/\n/g, () => random.pick(['\n', '\r\n', '\r']));
  return Buffer.from(changed, 'latin1');
}

function nest(bytes: Buffer, random: Random): Buffer {
  const at = random.below(bytes.length + 1);
  const depth = random.chance(0.005) ? 5000 : 1 + random.below(40);
  return replaceRange(bytes, at, at, Buffer.from(random.pick(OPENERS).repeat(depth)));
}

/** Repeats a piece until the file is large: what takes longer than in proportion shows. */
function grow(bytes: Buffer, random: Random): Buffer {
  const { start, end } = random.chance(0.5) ? lineAt(bytes, random) : range(bytes, random);
  const piece = bytes.subarray(start, end);
  if (piece.length === 0) return bytes;
  const times = Math.floor((64 * 1024) / piece.length);
  return replaceRange(bytes, end, end, Buffer.concat(new Array<Buffer>(times).fill(piece)));
}
