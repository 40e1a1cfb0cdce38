import { unzipSync, zipSync } from 'fflate';
import type { JsonNode } from '../../src/core/json/jsonNode';
import { readDocuments } from '../../src/core/tapes/documents';
import type { TapeFormat } from '../../src/core/tapes/format';
import { detectFormat } from '../../src/core/tapes/readTape';
import { decodeTapeFile } from '../../src/core/tapes/tapeFile';
import type { Span } from '../../src/core/text/source';
import type { SeedFile } from './seedFiles';

const MOST_TRIES = 300;
/** Of a long text its beginning and end are enough. */
const LONG_TEXT = 80;
const KEPT = 24;

/** A file with no more in it than a file of its format needs to have one interaction of the same sort. */
export function shrink(format: TapeFormat, seed: SeedFile, enough: number): SeedFile {
  const { path, bytes } = seed;
  const wanted = sortOf(format, seed);
  if (wanted === undefined) return seed;
  const isStill = (changed: Uint8Array): boolean => sortOf(format, { path, bytes: changed }) === wanted;
  return { path, bytes: isZip(bytes) ? shrinkZip(bytes, isStill, enough) : shrinkText(path, bytes, isStill, enough) };
}

/** What the first interaction is; undefined where the file is not in order. */
function sortOf(format: TapeFormat, { path, bytes }: SeedFile): string | undefined {
  const file = decodeTapeFile(path, bytes);
  if (detectFormat(file) !== format) return undefined;
  const { interactions, problems } = format.read(file);
  const [first] = interactions;
  if (first === undefined || problems.some(({ severity }) => severity === 'error')) return undefined;
  const { kind, api, request, response, http } = first;
  const has = [request?.messages.length, response?.content, response?.toolCalls.length, http].map(Boolean);
  return [kind, api, ...has].join(' ');
}

function shrinkText(
  path: string,
  bytes: Uint8Array,
  isStill: (changed: Uint8Array) => boolean,
  enough: number,
): Uint8Array {
  let { text } = decodeTapeFile(path, bytes);
  let left = MOST_TRIES;
  if (!isStill(Buffer.from(text))) return bytes;
  for (let pieces = piecesOf(path, text); pieces.length > 0 && left > 0 && text.length > enough; left -= 1) {
    const [{ start, end } = { start: 0, end: 0 }] = pieces.splice(0, 1);
    const changed = text.slice(0, start) + text.slice(end);
    if (!isStill(Buffer.from(changed))) continue;
    text = changed;
    pieces = piecesOf(path, text);
  }
  return Buffer.from(text);
}

/** What may be left out, the largest first: values with their names, blocks of lines, the middle of long texts. */
function piecesOf(path: string, text: string): Span[] {
  const { syntax, roots } = readDocuments(decodeTapeFile(path, Buffer.from(text)));
  const isYaml = syntax !== 'json' && syntax !== 'json-lines';
  const inValues = roots.flatMap(({ node, offset }) =>
    [...(isYaml ? longTexts(node) : [...members(text.slice(offset), node), ...longTexts(node)])].map(
      ({ start, end }) => ({ start: start + offset, end: end + offset }),
    ),
  );
  const pieces = syntax === 'json' ? inValues : [...inValues, ...blocks(text)];
  return pieces.sort((left, right) => right.end - right.start - (left.end - left.start));
}

function* members(text: string, node: JsonNode): Generator<Span> {
  const parts =
    node.type === 'object'
      ? node.members.map(({ keySpan, value }) => ({ start: keySpan.start, value }))
      : node.type === 'array'
        ? node.items.map((value) => ({ start: value.start, value }))
        : [];
  for (const { start, value } of parts) {
    const comma = /^\s*,\s*/.exec(text.slice(value.end))?.[0].length;
    const before = /\s*,?\s*$/.exec(text.slice(Math.max(0, start - 200), start))?.[0].length ?? 0;
    yield comma === undefined ? { start: start - before, end: value.end } : { start, end: value.end + comma };
    yield* members(text, value);
  }
}

function* longTexts(node: JsonNode): Generator<Span> {
  if (node.type === 'string' && node.end - node.start > LONG_TEXT)
    yield { start: node.start + KEPT, end: node.end - KEPT };
  if (node.type === 'array') for (const item of node.items) yield* longTexts(item);
  if (node.type === 'object') for (const { value } of node.members) yield* longTexts(value);
}

/** Every line with the lines below it that are indented further. */
function blocks(text: string): Span[] {
  const lines = text.split('\n').map((line) => `${line}\n`);
  const indents = lines.map((line) => (line.trim() === '' ? Number.POSITIVE_INFINITY : line.search(/\S/)));
  const starts = [0];
  for (const line of lines) starts.push((starts.at(-1) ?? 0) + line.length);
  return lines.map((_, at) => {
    const next = indents.findIndex((indent, line) => line > at && indent <= (indents[at] ?? 0));
    return { start: starts[at] ?? 0, end: Math.min(text.length, starts[next === -1 ? lines.length : next] ?? 0) };
  });
}

function isZip(bytes: Uint8Array): boolean {
  return bytes[0] === 0x50 && bytes[1] === 0x4b;
}

function shrinkZip(bytes: Uint8Array, isStill: (changed: Uint8Array) => boolean, enough: number): Uint8Array {
  const entries = unzipSync(bytes);
  for (const [name, content] of Object.entries(entries)) {
    const { [name]: _, ...others } = entries;
    if (isStill(zipSync(others))) delete entries[name];
    else {
      const still = (changed: Uint8Array): boolean => isStill(zipSync({ ...others, [name]: changed }));
      entries[name] = new Uint8Array(shrinkText(name, content, still, enough));
    }
  }
  return zipSync(entries);
}
