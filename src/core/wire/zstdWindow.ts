/**
 * The largest window that a frame of zstd data asks for, in bytes: what its decoder allocates before it has read a
 * byte of content. Layout: RFC 8878, section 3.1.1.
 */
export function zstdWindow(bytes: Uint8Array): number {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let window = 0;
  let at = 0;
  while (at + 8 <= bytes.length) {
    const magic = view.getUint32(at, true);
    if (magic >= SKIPPABLE && magic <= SKIPPABLE + 15) {
      at += 8 + view.getUint32(at + 4, true);
      continue;
    }
    if (magic !== ZSTD_MAGIC) break;
    const frame = frameHeader(view, at + 4);
    window = Math.max(window, frame.window);
    at = frameEnd(view, frame.end) + (frame.checksum ? 4 : 0);
  }
  return window;
}

export const ZSTD_MAGIC = 0xfd2fb528;
const SKIPPABLE = 0x184d2a50;

function frameHeader(view: DataView, start: number): { window: number; end: number; checksum: boolean } {
  const descriptor = view.getUint8(start);
  const single = (descriptor & 0x20) !== 0;
  const dictionary = [0, 1, 2, 4][descriptor & 3] ?? 0;
  const sizeBytes = [single ? 1 : 0, 2, 4, 8][descriptor >> 6] ?? 0;
  const sizeAt = start + 1 + (single ? 0 : 1) + dictionary;
  const end = sizeAt + sizeBytes;
  const checksum = (descriptor & 4) !== 0;
  if (end > view.byteLength) return { window: 0, end: view.byteLength, checksum };
  return {
    window: single ? contentSize(view, sizeAt, sizeBytes) : windowSize(view.getUint8(start + 1)),
    end,
    checksum,
  };
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

/** Where the blocks of a frame end. */
function frameEnd(view: DataView, start: number): number {
  let at = start;
  while (at + 3 <= view.byteLength) {
    const header = view.getUint16(at, true) | (view.getUint8(at + 2) << 16);
    const repeated = ((header >> 1) & 3) === 1;
    at += 3 + (repeated ? 1 : header >> 3);
    if (header & 1) break;
  }
  return at;
}
