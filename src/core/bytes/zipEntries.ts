import { t } from '../text/l10n';
import { type Decompressed, type DecompressionLimits, unzstd } from './decompress';
import { inflateRaw } from './inflate';

/** A file inside a zip. */
export interface ZipEntry {
  readonly name: string;
  /** Decompresses the content; if there is a problem, the content before it. */
  read(limits: DecompressionLimits): Decompressed;
}

interface ZipReading {
  readonly entries: readonly ZipEntry[];
  readonly problems: readonly string[];
}

const LOCAL = 0x04034b50;
const CENTRAL = 0x02014b50;
const END = 0x06054b50;
const END_BYTES = 22;
/** Marks an offset that does not fit 32 bits. */
const ZIP64 = 0xffffffff;
const MAX_COMMENT = 0xffff;
const LOCAL_BYTES = 30;
const CENTRAL_BYTES = 46;
/** More than any log has; keeps a forged directory from filling the memory. */
const MAX_ENTRIES = 200_000;

/** Whether bytes begin with a zip header. */
export function isZip(bytes: Uint8Array): boolean {
  return bytes.length >= LOCAL_BYTES && viewOf(bytes).getUint32(0, true) === LOCAL;
}

/**
 * Reads the files of a zip by its directory or, if that is truncated, by the headers before the files. Layout: PKWARE's
 * APPNOTE 6.3, without zip64. (fflate's `unzipSync` supports neither zstd nor limits.)
 */
export function readZip(bytes: Uint8Array): ZipReading {
  const directory = directoryAt(bytes);
  if (directory?.start === ZIP64)
    return { entries: [], problems: [t('it uses the zip64 format, which is not supported')] };
  if (directory !== undefined) {
    const entries = centralEntries(bytes, directory);
    const missing = directory.count - entries.length;
    return { entries, problems: missing > 0 ? [t('{0} of its files are missing', missing)] : [] };
  }
  return {
    entries: localEntries(bytes),
    problems: [t('its central directory is missing, so it is probably truncated')],
  };
}

function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

interface Directory {
  readonly start: number;
  readonly count: number;
}

/** Finds the end record, which is last except for a comment. */
function directoryAt(bytes: Uint8Array): Directory | undefined {
  const view = viewOf(bytes);
  const lowest = Math.max(0, bytes.length - END_BYTES - MAX_COMMENT);
  for (let at = bytes.length - END_BYTES; at >= lowest; at -= 1) {
    if (view.getUint32(at, true) !== END) continue;
    return { start: view.getUint32(at + 16, true), count: view.getUint16(at + 10, true) };
  }
  return undefined;
}

function centralEntries(bytes: Uint8Array, { start, count }: Directory): ZipEntry[] {
  const view = viewOf(bytes);
  const entries: ZipEntry[] = [];
  let at = start;
  while (entries.length < Math.min(count, MAX_ENTRIES) && at + CENTRAL_BYTES <= bytes.length) {
    if (view.getUint32(at, true) !== CENTRAL) break;
    const nameLength = view.getUint16(at + 28, true);
    const local = view.getUint32(at + 42, true);
    entries.push(
      entryOf(bytes, {
        name: nameAt(bytes, at + CENTRAL_BYTES, nameLength),
        method: view.getUint16(at + 10, true),
        start: contentStart(view, local),
        size: view.getUint32(at + 20, true),
      }),
    );
    at += CENTRAL_BYTES + nameLength + view.getUint16(at + 30, true) + view.getUint16(at + 32, true);
  }
  return entries;
}

/** The offset of a file's content; the lengths in its local header may differ from those in the directory. */
function contentStart(view: DataView, local: number): number {
  if (local + LOCAL_BYTES > view.byteLength || view.getUint32(local, true) !== LOCAL) return view.byteLength;
  return local + LOCAL_BYTES + view.getUint16(local + 26, true) + view.getUint16(local + 28, true);
}

function localEntries(bytes: Uint8Array): ZipEntry[] {
  const view = viewOf(bytes);
  const entries: ZipEntry[] = [];
  let at = 0;
  while (entries.length < MAX_ENTRIES && at + LOCAL_BYTES <= bytes.length && view.getUint32(at, true) === LOCAL) {
    const size = view.getUint32(at + 18, true);
    const start = contentStart(view, at);
    const name = nameAt(bytes, at + LOCAL_BYTES, view.getUint16(at + 26, true));
    entries.push(entryOf(bytes, { name, method: view.getUint16(at + 8, true), start, size }));
    // If the size follows the content, the next header cannot be found.
    if ((view.getUint16(at + 6, true) & 8) !== 0 && size === 0) break;
    at = start + size;
  }
  return entries;
}

function nameAt(bytes: Uint8Array, at: number, length: number): string {
  return new TextDecoder().decode(bytes.subarray(at, at + length));
}

interface EntryLocation {
  readonly name: string;
  readonly method: number;
  readonly start: number;
  readonly size: number;
}

function entryOf(bytes: Uint8Array, { name, method, start, size }: EntryLocation): ZipEntry {
  return {
    name,
    read(limits) {
      const content = bytes.subarray(start, start + size);
      const whole = content.length === size && start < bytes.length ? {} : { problem: t('it is truncated') };
      if (method === 0) return { bytes: content, ...whole };
      if (method === 8) return { ...whole, ...inflateRaw(content, limits) };
      if (method === 93) return { ...whole, ...unzstd(content, limits) };
      return { bytes: new Uint8Array(), problem: t('compression method {0} is not supported', method) };
    },
  };
}
