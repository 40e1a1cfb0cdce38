import { t } from '../text/l10n';
export const ZSTD_MAGIC = 0xfd2fb528;
const SKIPPABLE = 0x184d2a50;
/** The limit of RFC 9659. */
const MAX_WINDOW = 8 * 2 ** 20;

/**
 * Finds problems of zstd data that a decoder would not survive: a window that is allocated before any content is read,
 * and tables with which `fzstd` 0.1.1 loops forever. Layout: RFC 8878, section 3.1.1.
 */
export function zstdProblem(bytes: Uint8Array): string | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let at = 0;
  while (at + 8 <= bytes.length) {
    const magic = view.getUint32(at, true);
    if (magic >= SKIPPABLE && magic <= SKIPPABLE + 15) {
      at += 8 + view.getUint32(at + 4, true);
      continue;
    }
    if (magic !== ZSTD_MAGIC) return undefined;
    const { window, end, checksum } = frameHeader(view, at + 4);
    if (window > MAX_WINDOW) return t('it requires a window of {0} bytes', window);
    const blocks = checkBlocks(bytes, end);
    if (!blocks.sound) return t('it has an invalid table');
    at = blocks.end + (checksum ? 4 : 0);
  }
  return undefined;
}

function frameHeader(view: DataView, start: number): { window: number; end: number; checksum: boolean } {
  const descriptor = view.getUint8(start);
  const single = (descriptor & 0x20) !== 0;
  const dictionary = [0, 1, 2, 4][descriptor & 3] ?? 0;
  const sizeBytes = [single ? 1 : 0, 2, 4, 8][descriptor >> 6] ?? 0;
  const sizeAt = start + 1 + (single ? 0 : 1) + dictionary;
  const end = sizeAt + sizeBytes;
  const checksum = (descriptor & 4) !== 0;
  if (end > view.byteLength) return { window: 0, end: view.byteLength, checksum };
  const window = single ? contentSize(view, sizeAt, sizeBytes) : windowSize(view.getUint8(start + 1));
  return { window, end, checksum };
}

function windowSize(descriptor: number): number {
  const base = 2 ** (10 + (descriptor >> 3));
  return base + (base / 8) * (descriptor & 7);
}

function contentSize(view: DataView, at: number, size: number): number {
  if (size === 8) return Number(view.getBigUint64(at, true));
  if (size === 4) return view.getUint32(at, true);
  return size === 2 ? view.getUint16(at, true) + 256 : view.getUint8(at);
}

const REPEATED = 1;
const COMPRESSED = 2;

function checkBlocks(bytes: Uint8Array, start: number): { end: number; sound: boolean } {
  let at = start;
  while (at + 3 <= bytes.length) {
    const header = (bytes[at] ?? 0) | ((bytes[at + 1] ?? 0) << 8) | ((bytes[at + 2] ?? 0) << 16);
    const type = (header >> 1) & 3;
    if (type === COMPRESSED && !literalsTerminate(bytes, at + 3)) return { end: at, sound: false };
    at += 3 + (type === REPEATED ? 1 : header >> 3);
    if (header & 1) break;
  }
  return { end: at, sound: true };
}

/** Whether the Huffman weights of a block's literals, if it has any, end. */
function literalsTerminate(bytes: Uint8Array, start: number): boolean {
  const first = bytes[start] ?? 0;
  if ((first & 3) !== COMPRESSED) return true;
  const headerBytes = [3, 3, 4, 5][(first >> 2) & 3] ?? 3;
  return huffmanWeightsTerminate(bytes, start + headerBytes);
}

/** More weights than there are symbols. */
const MAX_WEIGHTS = 256;
const MAX_ACCURACY = 6;

/**
 * Whether reading the compressed Huffman weights of a literals section ends (RFC 8878, section 4.2.1.2). States that
 * consume no bits can follow each other forever.
 */
function huffmanWeightsTerminate(bytes: Uint8Array, at: number): boolean {
  const length = bytes[at] ?? 0;
  const table = length < 128 ? readTable(bytes, at + 1) : undefined;
  const last = bytes[at + length] ?? 0;
  // Uncompressed weights end, and decoders detect an invalid table or last byte.
  if (table === undefined || last === 0) return true;
  const end = table.end * 8;
  const states = [0, 0];
  const bits = [table.accuracy, table.accuracy];
  let position = (at + length) * 8 + highestBit(last);
  for (let count = 0; count < MAX_WEIGHTS; count += 1) {
    const turn = count & 1;
    const width = bits[turn] ?? 0;
    position -= width;
    if (position < end) return true;
    const state = (states[turn] ?? 0) + bitsAt(bytes, position, width);
    bits[turn] = table.bits[state] ?? 0;
    states[turn] = table.next[state] ?? 0;
  }
  return false;
}

interface Table {
  readonly accuracy: number;
  readonly bits: Uint8Array;
  readonly next: Uint16Array;
  /** The offset of the byte after it. */
  readonly end: number;
}

/** Reads a table of finite state entropy (RFC 8878, section 4.1.1); undefined if it is invalid. */
function readTable(bytes: Uint8Array, at: number): Table | undefined {
  const accuracy = ((bytes[at] ?? 0) & 15) + 5;
  if (accuracy > MAX_ACCURACY) return undefined;
  const { counts, end } = readCounts(bytes, at * 8 + 4, 1 << accuracy);
  const symbols = counts && spread(counts, 1 << accuracy);
  if (counts === undefined || symbols === undefined) return undefined;
  const seen = counts.map((count) => Math.abs(count));
  const bits = new Uint8Array(symbols.length);
  const next = new Uint16Array(symbols.length);
  symbols.forEach((symbol, index) => {
    const state = seen[symbol] ?? 1;
    seen[symbol] = state + 1;
    bits[index] = accuracy - highestBit(state);
    next[index] = (state << (bits[index] ?? 0)) - symbols.length;
  });
  return { accuracy, bits, next, end };
}

/** Reads the number of states of each symbol; -1 is a symbol with less than one. */
function readCounts(bytes: Uint8Array, start: number, size: number): { counts?: number[]; end: number } {
  const counts: number[] = [];
  let left = size;
  let position = start;
  while (left > 0 && counts.length < MAX_WEIGHTS && position < bytes.length * 8) {
    const width = highestBit(left + 1);
    const small = (1 << width) - 1;
    const spare = 2 * small - left;
    const value = bitsAt(bytes, position, width + 1);
    // Lower values take one bit less.
    const isShort = (value & small) < spare;
    const count = (isShort ? value & small : value > small ? value - spare : value) - 1;
    position += isShort ? width : width + 1;
    counts.push(count);
    left -= Math.abs(count);
    if (count === 0) position = readZeros(bytes, position, counts);
  }
  return left === 0 ? { counts, end: (position + 7) >> 3 } : { end: 0 };
}

/** Reads how many further symbols without states follow one. */
function readZeros(bytes: Uint8Array, start: number, counts: number[]): number {
  let position = start;
  for (let more = 3; more === 3 && counts.length < MAX_WEIGHTS; position += 2) {
    more = bitsAt(bytes, position, 2);
    for (let index = 0; index < more; index += 1) counts.push(0);
  }
  return position;
}

/** The symbol of each state: rare ones at the end, the others in steps. */
function spread(counts: readonly number[], size: number): number[] | undefined {
  const symbols = new Array<number>(size).fill(0);
  let high = size;
  counts.forEach((count, symbol) => {
    if (count === -1) symbols[--high] = symbol;
  });
  let at = 0;
  for (const [symbol, count] of counts.entries()) {
    for (let index = 0; index < count; index += 1) {
      symbols[at] = symbol;
      do at = (at + (size >> 1) + (size >> 3) + 3) & (size - 1);
      while (at >= high);
    }
  }
  return at === 0 ? symbols : undefined;
}

function bitsAt(bytes: Uint8Array, position: number, width: number): number {
  const at = position >> 3;
  const word = (bytes[at] ?? 0) | ((bytes[at + 1] ?? 0) << 8) | ((bytes[at + 2] ?? 0) << 16);
  return (word >> (position & 7)) & ((1 << width) - 1);
}

function highestBit(value: number): number {
  return 31 - Math.clz32(value);
}
