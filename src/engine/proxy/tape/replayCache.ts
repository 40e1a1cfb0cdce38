import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { orderOfKeys, SortedKeys } from '../../../core/hash/sortedKeys';
import type { RequestIndex } from '../../../core/match/requestIndex';
import type { FormatId } from '../../../core/model/tape';
import { STATE_FOLDER } from '../../../core/project/layout';
import { parseDocument } from '../../../core/schema/parseDocument';
import { constant, count, shape, text, type Value } from '../../../core/schema/schema';
import { FILE_IDENTITY, type FileIdentity, isSameState } from '../../files/fileStatus';
import { linkInState } from '../../files/projectPaths';
import { RandomAccessFile } from '../../files/readFile';
import type { BytePlace } from '../../recording/unchangedTape';
import type { KeptTape } from './keptTape';
import type { ServedResponse, StreamPiece } from './servedResponse';

/** Larger buffers are rare, and not kept between two uses. */
const LARGEST = 256 * 1024;
const SMALLEST = 4 * 1024;
/** How many of each size: as many as may be in use for clients at a time. */
const KEPT = 64;

/**
 * Buffers that are used again. Under load, new memory for each response would cost more than the rest of the response,
 * because the garbage collector has to reclaim it.
 */
class BufferPool {
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

/**
 * The parts of a large tape that a replay needs, so that the tape need not be read: a file in `.tapedeck/cache/`, written
 * while a tape is first replayed, after its first response, and valid as long as the tape does not change.
 *
 * Its layout, numbers little-endian: the length of the head (u32), the head (JSON), for each interaction 60 bytes
 * (32 of its exact key, or zeros; u48 the position of its response; u32 length of the response's head; u48 length of its body; u48
 * and u48 its start and its end in the tape, or zeros where none can be read by itself), the interactions in the order of their exact
 * keys (u32 each), the index of the requests (see `RequestIndex`), then the responses, each its head (JSON), its body, and where it is a
 * stream its pieces (JSON).
 *
 * It contains only hashes of requests, and only if no request has a secret: anything more might contain what a later environment
 * declares secret.
 */
export interface ReplayCache {
  readonly count: number;
  /** The format of the tape. */
  readonly format: FormatId;
  /** The state of the tape that it was made from. */
  readonly tape: FileIdentity;
  /**
   * The index of the requests; undefined if the tape itself has to be searched. A damaged one is removed with its file, which the next
   * replay writes anew.
   */
  requests(): Promise<RequestIndex | undefined>;
  /** The interactions with an exact key, in their order. Those that only the matcher finds have none. */
  places(key: string): readonly number[];
  /** `paced`: with the pieces of a stream. */
  response(index: number, paced: boolean): ServedResponse | undefined;
  /** Whether the interactions can be read from the tape one by one. */
  readonly hasPlaces: boolean;
  /** Where an interaction is in the tape. */
  place(index: number): BytePlace;
  close(): void;
}

const HEAD = shape({
  version: constant(9),
  tape: FILE_IDENTITY,
  format: text(),
  /** The rules by which keys and index were made, as text. */
  rules: text(),
  count: count(),
  /** The length of the index in bytes; 0 where there is none. */
  indexLength: count(),
  /** The SHA-256 of the index, in hex. */
  indexHash: text(),
});
type Head = Value<typeof HEAD>;

function cachePath(root: string, tapePath: string): string {
  const name = createHash('sha256').update(tapePath).digest('hex').slice(0, 32);
  return join(root, STATE_FOLDER, 'cache', `${name}.replay`);
}

const ROW = 60;
/** Of a number in the order of the keys. */
const ORDER = 4;
const KEY = 32;
/** Of the places in a row. */
const PLACE = 48;
const NO_KEY = '\0'.repeat(KEY);
const MAX_HEAD = 64 * 1024;
/** How many bytes of responses stay in memory; the system caches of the rest what it can. */
const KEPT_BYTES = 64 * 1024 * 1024;

/**
 * Opens the cache of a tape; undefined if there is none, or the tape or the rules have changed since. git is not asked whether it
 * tracks the cache: none that came with a commit holds for the inode and the time of change of this tape.
 */
export function openReplayCache(
  root: string,
  tapePath: string,
  tape: FileIdentity,
  rules: string,
): ReplayCache | undefined {
  const path = cachePath(root, tapePath);
  if (linkInState(root, path) !== undefined) return undefined;
  let file: RandomAccessFile;
  try {
    file = new RandomAccessFile(path);
  } catch {
    // There is none yet, or it cannot be read. The tape itself can.
    return undefined;
  }
  const opened = readTable(file, tape, rules, () => removeReplayCache(root, tapePath));
  if (opened === undefined) file.close();
  return opened;
}

function readTable(
  file: RandomAccessFile,
  tape: FileIdentity,
  rules: string,
  remove: () => Promise<void>,
): ReplayCache | undefined {
  const headLength = file.read(0, 4)?.readUInt32LE(0) ?? 0;
  if (headLength === 0 || headLength > MAX_HEAD) return undefined;
  const head = parseDocument(HEAD, file.read(4, headLength)?.toString() ?? '');
  if (head === undefined || head.rules !== rules || !isSameState(head.tape, tape)) return undefined;
  const table = file.read(4 + headLength, head.count * (ROW + ORDER));
  return table && new OpenCache(file, table, head, 4 + headLength + table.length, remove);
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
  readonly #keys: SortedKeys;
  #room = KEPT_BYTES;

  constructor(
    private readonly file: RandomAccessFile,
    private readonly table: Buffer,
    private readonly head: Head,
    private readonly indexAt: number,
    private readonly remove: () => Promise<void>,
  ) {
    const order = new Uint32Array(table.buffer, table.byteOffset + head.count * ROW, head.count);
    this.#keys = new SortedKeys({ bytes: table, stride: ROW, width: KEY, order });
  }

  get count(): number {
    return this.head.count;
  }

  get format(): FormatId {
    return this.head.format;
  }

  get tape(): FileIdentity {
    return this.head.tape;
  }

  async requests(): Promise<RequestIndex | undefined> {
    const { indexLength, indexHash } = this.head;
    if (indexLength === 0) return undefined;
    const bytes = this.file.read(this.indexAt, indexLength);
    const isWhole = bytes !== undefined && hashOf(bytes) === indexHash;
    const index = isWhole ? (await import('./tapeSearch')).readRequestIndex(bytes) : undefined;
    if (index === undefined) await this.remove();
    return index;
  }

  places(key: string): readonly number[] {
    return key === NO_KEY ? [] : this.#keys.find(key);
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

  get hasPlaces(): boolean {
    return this.count > 0 && this.place(0).end > 0;
  }

  place(index: number): BytePlace {
    const at = index * ROW + PLACE;
    return { start: this.table.readUIntLE(at, 6), end: this.table.readUIntLE(at + 6, 6) };
  }

  close(): void {
    this.file.close();
  }

  #pieces(at: number, length: number): readonly StreamPiece[] {
    const pieces = JSON.parse(this.file.read(at, length)?.toString('latin1') ?? '[]') as [number, number][];
    return pieces.map(([end, delayMs]) => ({ end, delayMs }));
  }
}

function hashOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

/** The content of a cache. */
export interface CachedTape extends KeptTape {
  readonly tape: FileIdentity;
  readonly format: FormatId;
  readonly rules: string;
  /** By interaction. */
  readonly places: readonly BytePlace[] | undefined;
}

/** Writes the cache of a tape into the project. */
export async function writeReplayCache(root: string, tapePath: string, cached: CachedTape): Promise<void> {
  const { tape, format, rules, keys, responses, requests, places } = cached;
  const [{ writeRequestIndex }, { copiedContent }, { writeRecorded }] = await Promise.all([
    import('../../../core/match/requestIndex'),
    import('../../recording/recordedContent'),
    import('../../recording/writeRecorded'),
  ]);
  const index = requests === undefined ? new Uint8Array() : writeRequestIndex(requests);
  const lengths = { count: keys.length, indexLength: index.length };
  const own: Head = { version: 9, tape, format, rules, ...lengths, indexHash: hashOf(index) };
  const head = Buffer.from(JSON.stringify(own));
  const table = Buffer.alloc(keys.length * ROW);
  const order = orderOfKeys(keys.map((key) => key ?? NO_KEY));
  let at = 4 + head.length + table.length + order.byteLength + index.length;
  const parts: Buffer[] = [];
  for (const [index, response] of responses.entries()) {
    table.write(keys[index] ?? NO_KEY, index * ROW, KEY, 'latin1');
    table.writeUIntLE(places?.[index]?.start ?? 0, index * ROW + PLACE, 6);
    table.writeUIntLE(places?.[index]?.end ?? 0, index * ROW + PLACE + 6, 6);
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
  const content = copiedContent(Buffer.concat([length, head, table, new Uint8Array(order.buffer), index, ...parts]));
  await writeRecorded(root, cachePath(root, tapePath), content, { durable: false });
}

async function removeReplayCache(root: string, tapePath: string): Promise<void> {
  const { removeRecorded } = await import('../../recording/writeRecorded');
  try {
    await removeRecorded(root, cachePath(root, tapePath));
  } catch {
    // It stays where nothing can be removed, and is refused again.
  }
}

function responseHead({ status, headers, broken, linkedFrom }: ServedResponse, piecesLength: number): ResponseHead {
  const own = [status, headers, piecesLength, broken ? 1 : 0] as const;
  return linkedFrom === undefined ? own : [...own, linkedFrom];
}

function piecesText({ pieces }: ServedResponse): string {
  return pieces === undefined ? '' : JSON.stringify(pieces.map(({ end, delayMs }) => [end, delayMs]));
}
