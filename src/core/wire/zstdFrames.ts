import { weightsEnd } from './zstdWeights';

export const ZSTD_MAGIC = 0xfd2fb528;
const SKIPPABLE = 0x184d2a50;
/** The most that RFC 9659 lets a server ask for. */
const MAX_WINDOW = 8 * 2 ** 20;

/**
 * What is wrong with zstd data that a decoder would not survive: a window that would have to be allocated before a
 * byte of content is read, and tables in which `fzstd` 0.1.1 turns in circles. Layout: RFC 8878, section 3.1.1.
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
    if (window > MAX_WINDOW) return `it asks for a window of ${window} bytes`;
    const blocks = walkBlocks(bytes, end);
    if (!blocks.sound) return 'it has an invalid table';
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

function walkBlocks(bytes: Uint8Array, start: number): { end: number; sound: boolean } {
  let at = start;
  while (at + 3 <= bytes.length) {
    const header = (bytes[at] ?? 0) | ((bytes[at + 1] ?? 0) << 8) | ((bytes[at + 2] ?? 0) << 16);
    const type = (header >> 1) & 3;
    if (type === COMPRESSED && !literalsEnd(bytes, at + 3)) return { end: at, sound: false };
    at += 3 + (type === REPEATED ? 1 : header >> 3);
    if (header & 1) break;
  }
  return { end: at, sound: true };
}

/** Whether the weights of the literals, where a block has them, come to an end. */
function literalsEnd(bytes: Uint8Array, start: number): boolean {
  const first = bytes[start] ?? 0;
  if ((first & 3) !== COMPRESSED) return true;
  const headerBytes = [3, 3, 4, 5][(first >> 2) & 3] ?? 3;
  return weightsEnd(bytes, start + headerBytes);
}
