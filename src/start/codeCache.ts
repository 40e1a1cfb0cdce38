import { accessSync, constants, mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { crc32 } from 'node:zlib';

/** What V8 has compiled of a chunk, with the size and time of the chunk's file. */
export interface CachedChunk {
  readonly size: number;
  readonly mtimeMs: number;
  readonly data: Buffer;
}

/** Compiled code by the paths of chunks. */
export type CodeCache = ReadonlyMap<string, CachedChunk>;

type Row = readonly [path: string, size: number, mtimeMs: number, start: number, length: number];

interface Index {
  readonly build: string;
  readonly rows: readonly Row[];
}

/** V8 copies what does not begin at such a multiple. */
const ALIGNMENT = 8;
/** The checksum of all that follows, and the length of the index. */
const HEAD_BYTES = 8;

/** Reads what a build has kept. Nothing if there is no file, if it is damaged, which V8 would not notice, or before Node 20.15. */
export function readCodeCache(path: string, build: string): CodeCache {
  try {
    const bytes = readFileSync(path);
    if (crc32(bytes.subarray(4)) !== bytes.readUInt32LE(0)) return new Map();
    const end = HEAD_BYTES + bytes.readUInt32LE(4);
    const index = JSON.parse(bytes.toString('utf8', HEAD_BYTES, end)) as Index;
    if (index.build !== build) return new Map();
    return new Map(
      index.rows.map(([name, size, mtimeMs, start, length]) => [
        name,
        { size, mtimeMs, data: bytes.subarray(end + start, end + start + length) },
      ]),
    );
  } catch {
    return new Map();
  }
}

/**
 * Whether compiled code can be kept in a folder of the program. Not where that belongs to another user: what root leaves there, that user
 * could not remove.
 */
export function canBeCached(path: string): boolean {
  const program = dirname(dirname(path));
  try {
    accessSync(program, constants.W_OK);
    return typeof crc32 === 'function' && statSync(program).uid === (process.getuid?.() ?? 0);
  } catch {
    return false;
  }
}

/** Writes compiled code. Throws the system's error. */
export function writeCodeCache(path: string, build: string, code: CodeCache): void {
  const folder = dirname(path);
  mkdirSync(folder, { recursive: true, mode: 0o755 });
  const aside = `${path}.${process.pid}.tmp`;
  try {
    writeFileSync(aside, bytesOf(build, code), { mode: 0o644 });
    renameSync(aside, path);
  } catch (error) {
    rmSync(aside, { force: true });
    throw error;
  }
}

function bytesOf(build: string, code: CodeCache): Buffer {
  const rows: Row[] = [];
  const pieces: Buffer[] = [];
  let length = 0;
  for (const [path, { size, mtimeMs, data }] of code) {
    rows.push([path, size, mtimeMs, length, data.length]);
    pieces.push(data, Buffer.alloc(-data.length & (ALIGNMENT - 1)));
    length += data.length + (-data.length & (ALIGNMENT - 1));
  }
  const json = Buffer.from(JSON.stringify({ build, rows } satisfies Index));
  const padding = Buffer.alloc(-json.length & (ALIGNMENT - 1), ' ');
  const head = Buffer.alloc(HEAD_BYTES);
  const bytes = Buffer.concat([head, json, padding, ...pieces]);
  bytes.writeUInt32LE(json.length + padding.length, 4);
  bytes.writeUInt32LE(crc32(bytes.subarray(4)), 0);
  return bytes;
}
