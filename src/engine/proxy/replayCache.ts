import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { STATE_FOLDER } from '../../core/project/layout';
import type { FileIdentity } from '../files/fileStatus';
import { RandomAccessFile } from '../files/readFile';
import { copiedContent } from '../recording/recordedContent';
import { writeRecorded } from '../recording/writeRecorded';
import type { ServedResponse, StreamPiece } from './servedResponse';

/**
 * The parts of a large tape that a replay needs, so that the tape need not be read: a file in `.tapedeck/cache/`, written
 * when a tape is first replayed, and valid as long as the tape does not change.
 *
 * Its layout, numbers little-endian: the length of the head (u32), the head (JSON), for each interaction 48 bytes
 * (32 of its exact key, or zeros; u48 the position of its response; u32 length of the response's head; u48 length of its body),
 * then the responses, each its head (JSON), its body, and where it is a stream its pieces (JSON).
 */
export interface ReplayCache {
  readonly count: number;
  /** The exact key of each interaction; undefined for those that only the matcher finds. */
  keys(): readonly (string | undefined)[];
  /** `paced`: with the pieces of a stream. */
  response(index: number, paced: boolean): ServedResponse | undefined;
  close(): void;
}

interface Head {
  readonly version: 4;
  readonly tape: FileIdentity;
  /** The rules by which the keys were made, as text. */
  readonly rules: string;
  readonly count: number;
}

export function cachePath(root: string, tapePath: string): string {
  const name = createHash('sha256').update(tapePath).digest('hex').slice(0, 32);
  return join(root, STATE_FOLDER, 'cache', `${name}.replay`);
}

const ROW = 48;
const KEY = 32;
const NO_KEY = '\0'.repeat(KEY);
const MAX_HEAD = 64 * 1024;
/** How many bytes of responses stay in memory; the system caches of the rest what it can. */
const KEPT_BYTES = 64 * 1024 * 1024;

/** Opens the cache of a tape; undefined where there is none, or the tape or the rules have changed since. */
export function openReplayCache(path: string, tape: FileIdentity, rules: string): ReplayCache | undefined {
  let file: RandomAccessFile;
  try {
    file = new RandomAccessFile(path);
  } catch {
    // There is none yet, or it cannot be read. The tape itself can.
    return undefined;
  }
  const opened = readTable(file, tape, rules);
  if (opened === undefined) file.close();
  return opened;
}

function readTable(file: RandomAccessFile, tape: FileIdentity, rules: string): ReplayCache | undefined {
  const headLength = file.read(0, 4)?.readUInt32LE(0) ?? 0;
  if (headLength === 0 || headLength > MAX_HEAD) return undefined;
  const head = parseHead(file.read(4, headLength));
  if (head === undefined || head.rules !== rules || JSON.stringify(head.tape) !== JSON.stringify(tape))
    return undefined;
  const table = file.read(4 + headLength, head.count * ROW);
  return table && new OpenCache(file, table, head.count);
}

function parseHead(bytes: Buffer | undefined): Head | undefined {
  try {
    const head: unknown = JSON.parse(bytes?.toString() ?? '');
    return isHead(head) ? head : undefined;
  } catch {
    return undefined;
  }
}

function isHead(value: unknown): value is Head {
  if (typeof value !== 'object' || value === null) return false;
  const { version, count, rules, tape } = value as Partial<Head>;
  return version === 4 && Number.isSafeInteger(count) && typeof rules === 'string' && typeof tape === 'object';
}

type ResponseHead = readonly [
  status: number,
  headers: readonly string[],
  piecesLength: number,
  broken: 0 | 1,
  linkedFrom?: string,
];

class OpenCache implements ReplayCache {
  readonly #pool = new BufferPool();
  /** The responses that were read first. */
  readonly #kept = new Map<number, ServedResponse>();
  #room = KEPT_BYTES;

  constructor(
    private readonly file: RandomAccessFile,
    private readonly table: Buffer,
    readonly count: number,
  ) {}

  keys(): readonly (string | undefined)[] {
    return Array.from({ length: this.count }, (_, index) => {
      const key = this.table.toString('latin1', index * ROW, index * ROW + KEY);
      return key === NO_KEY ? undefined : key;
    });
  }

  response(index: number, paced: boolean): ServedResponse | undefined {
    const kept = paced ? undefined : this.#kept.get(index);
    return kept ?? this.#read(index, paced);
  }

  #read(index: number, paced: boolean): ServedResponse | undefined {
    const row = index * ROW + KEY;
    const at = this.table.readUIntLE(row, 6);
    const headLength = this.table.readUInt32LE(row + 6);
    const bodyLength = this.table.readUIntLE(row + 10, 6);
    const length = headLength + bodyLength;
    if (headLength === 0) return undefined;
    const keeps = !paced && length <= this.#room;
    const bytes = keeps ? Buffer.allocUnsafeSlow(length) : this.#pool.take(length);
    if (!this.file.readInto(bytes, at, length)) return undefined;
    const [status, headers, piecesLength, broken, linkedFrom] = JSON.parse(
      bytes.toString('latin1', 0, headLength),
    ) as ResponseHead;
    const response = {
      status,
      headers,
      body: bytes.subarray(headLength, length),
      ...(!keeps && { release: () => this.#pool.give(bytes) }),
      ...(paced && piecesLength > 0 && { pieces: this.#pieces(at + headLength + bodyLength, piecesLength) }),
      ...(broken === 1 && { broken: true as const }),
      ...(linkedFrom !== undefined && { linkedFrom }),
    };
    if (keeps) {
      this.#room -= length;
      this.#kept.set(index, response);
    }
    return response;
  }

  close(): void {
    this.file.close();
  }

  #pieces(at: number, length: number): readonly StreamPiece[] {
    const pieces = JSON.parse(this.file.read(at, length)?.toString('latin1') ?? '[]') as [number, number][];
    return pieces.map(([end, delayMs]) => ({ end, delayMs }));
  }
}

/** Writes the cache of a tape into the project. `keys` and `responses` are by interaction. */
export async function writeReplayCache(
  project: string,
  path: string,
  tape: FileIdentity,
  rules: string,
  keys: readonly (string | undefined)[],
  responses: readonly (ServedResponse | undefined)[],
): Promise<void> {
  const head = Buffer.from(JSON.stringify({ version: 4, tape, rules, count: keys.length } satisfies Head));
  const table = Buffer.alloc(keys.length * ROW);
  let at = 4 + head.length + table.length;
  const parts: Buffer[] = [];
  for (const [index, response] of responses.entries()) {
    table.write(keys[index] ?? NO_KEY, index * ROW, KEY, 'latin1');
    if (response === undefined) continue;
    const pieces = Buffer.from(piecesText(response));
    const own = Buffer.from(JSON.stringify(responseHead(response, pieces.length)), 'latin1');
    const row = index * ROW + KEY;
    table.writeUIntLE(at, row, 6);
    table.writeUInt32LE(own.length, row + 6);
    table.writeUIntLE(response.body.length, row + 10, 6);
    parts.push(own, response.body, pieces);
    at += own.length + response.body.length + pieces.length;
  }
  const length = Buffer.alloc(4);
  length.writeUInt32LE(head.length);
  const content = copiedContent(Buffer.concat([length, head, table, ...parts]));
  await writeRecorded(project, path, content, { durable: false });
}

function responseHead({ status, headers, broken, linkedFrom }: ServedResponse, piecesLength: number): ResponseHead {
  const own = [status, headers, piecesLength, broken ? 1 : 0] as const;
  return linkedFrom === undefined ? own : [...own, linkedFrom];
}

function piecesText({ pieces }: ServedResponse): string {
  return pieces === undefined ? '' : JSON.stringify(pieces.map(({ end, delayMs }) => [end, delayMs]));
}

/** Larger buffers are rare, and not kept between two uses. */
const LARGEST = 256 * 1024;
const SMALLEST = 4 * 1024;
/** How many of each size: as many as may be in use for clients at a time. */
const KEPT = 64;

/**
 * Buffers that are used again. Under load, new memory for each response would cost more than the rest of the response,
 * because the garbage collector has to reclaim it.
 */
export class BufferPool {
  readonly #free = new Map<number, Buffer[]>();

  /** A buffer of at least this length, with arbitrary content. */
  take(length: number): Buffer {
    const size = sizeFor(length);
    return (size <= LARGEST ? this.#free.get(size)?.pop() : undefined) ?? Buffer.allocUnsafeSlow(size);
  }

  /** Returns a buffer that is no longer used. */
  give(buffer: Buffer): void {
    const size = buffer.length;
    if (size > LARGEST) return;
    const free = this.#free.get(size);
    if (free === undefined) this.#free.set(size, [buffer]);
    else if (free.length < KEPT) free.push(buffer);
  }
}

function sizeFor(length: number): number {
  return length <= SMALLEST ? SMALLEST : 2 ** Math.ceil(Math.log2(length));
}
