import { type KeyRows, orderOfKeys, SortedKeys } from '../hash/sortedKeys';
import { parseDocument } from '../schema/parseDocument';
import { count, list, shape, text, type Value } from '../schema/schema';
import type { ComparableRequest } from './comparableRequest';
import { indexParts, listAt, type NumberLists, type PartIndex } from './partIndex';
import { REQUEST_KINDS, type RecordedRequest } from './recordings';
import type { Signature, Sketches } from './signature';
import type { SignatureSearch } from './signatureSearch';

/** A request on a tape, as far as a search needs it. */
export type SignedRequest = Omit<RecordedRequest, 'wire' | 'chat' | 'key' | 'model' | 'digests'> & {
  readonly signature: Signature;
};

/** What an index is made of. */
export interface SignedRequests {
  readonly requests: readonly SignedRequest[];
  readonly sketches: Sketches;
}

/** What an index has in its file, in this order: lists of numbers and of bytes. */
interface Content {
  readonly parts: PartIndex;
  readonly columns: Columns;
  readonly keys: KeyRows;
  readonly plainKeys: KeyRows;
}

/** By request, what its parts do not tell. Names are counted from 1; what has none has 0. */
interface Columns {
  readonly indexes: Uint32Array;
  readonly kinds: Uint32Array;
  readonly addresses: Uint32Array;
  readonly hosts: Uint32Array;
}

/**
 * What a search among the requests of a tape needs, so that they need not be read: hashes of their parts, and no text besides
 * their addresses. It is used as it lies in its file: nothing is made of a request before that is needed.
 */
export class RequestIndex implements SignatureSearch {
  readonly parts: PartIndex;
  readonly #columns: Columns;
  readonly #keys: SortedKeys;
  readonly #plainKeys: SortedKeys;

  constructor({ parts, columns, keys, plainKeys }: Content) {
    this.parts = parts;
    this.#columns = columns;
    this.#keys = new SortedKeys(keys);
    this.#plainKeys = new SortedKeys(plainKeys);
  }

  /** The requests, each read when it is compared; `wire` is given the index of its interaction. */
  requests(wire: (index: number) => ComparableRequest): readonly RecordedRequest[] {
    return Array.from(this.#columns.indexes, (index, at) => new IndexedRequest(this, at, index, wire));
  }

  withKey(key: string): readonly number[] {
    return this.#keys.find(key);
  }

  withPlainKey(key: string): readonly number[] {
    return this.#plainKeys.find(key);
  }

  kindAt(at: number): RecordedRequest['kind'] {
    return REQUEST_KINDS[this.#columns.kinds[at] ?? 0] ?? 'http';
  }

  addressAt(at: number): string | undefined {
    return this.parts.names[(this.#columns.addresses[at] ?? 0) - 1];
  }

  hostAt(at: number): string | undefined {
    return this.parts.names[(this.#columns.hosts[at] ?? 0) - 1];
  }

  signatureAt(at: number): Signature {
    const { digests, names, addresses, texts, messages, tools, settings } = this.parts;
    const digestsOf = (places: Uint32Array): number[] => Array.from(places, (place) => digests[place] ?? 0);
    return {
      key: this.#keys.keyAt(at),
      plainKey: this.#plainKeys.keyAt(at),
      address: names[addresses[at] ?? 0] ?? '',
      messages: digestsOf(listAt(texts, at).subarray(0, messages[at])),
      tools: digestsOf(listAt(tools, at)),
      settings: digestsOf(listAt(settings, at)),
    };
  }
}

class IndexedRequest implements RecordedRequest {
  readonly #all: RequestIndex;
  readonly #at: number;
  readonly #wire: (index: number) => ComparableRequest;

  constructor(
    all: RequestIndex,
    at: number,
    readonly index: number,
    wire: (index: number) => ComparableRequest,
  ) {
    this.#all = all;
    this.#at = at;
    this.#wire = wire;
  }

  get kind(): RecordedRequest['kind'] {
    return this.#all.kindAt(this.#at);
  }

  get address(): string | undefined {
    return this.#all.addressAt(this.#at);
  }

  get host(): string | undefined {
    return this.#all.hostAt(this.#at);
  }

  get signature(): Signature {
    return this.#all.signatureAt(this.#at);
  }

  wire(): ComparableRequest {
    return this.#wire(this.index);
  }
}

/** The beginning of an index, as JSON. */
const HEAD = shape({
  names: list(text()),
  /** Of each list, how many numbers there are. */
  lengths: list(count()),
  /** The number of characters of each key. */
  width: count(),
});
type Head = Value<typeof HEAD>;

/** Numbers of eight bytes begin at multiples of eight. */
const ALIGNMENT = 8;
/** The length of the head, and room after it. */
const BEFORE_HEAD = ALIGNMENT;

/** The index as bytes. Parts that requests share, such as the beginning of a conversation, are written once. All keys have one length. */
export function writeRequestIndex({ requests, sketches }: SignedRequests): Uint8Array {
  const signatures = requests.map(({ signature }) => signature);
  const parts = indexParts(signatures, sketches);
  const names = new Map(parts.names.map((name, at) => [name, at + 1]));
  const numberOf = (name: string | undefined): number => {
    if (name === undefined) return 0;
    if (!names.has(name)) names.set(name, names.size + 1);
    return names.get(name) ?? 0;
  };
  const columns: Columns = {
    indexes: Uint32Array.from(requests, ({ index }) => index),
    kinds: Uint32Array.from(requests, ({ kind }) => REQUEST_KINDS.indexOf(kind)),
    addresses: Uint32Array.from(requests, ({ address }) => numberOf(address)),
    hosts: Uint32Array.from(requests, ({ host }) => numberOf(host)),
  };
  const keys = keyRows(signatures.map(({ key }) => key));
  const plainKeys = keyRows(signatures.map(({ plainKey }) => plainKey));
  const lists = listsOf({ parts, columns, keys, plainKeys });
  return joined({ names: [...names.keys()], lengths: lists.map(({ length }) => length), width: keys.width }, lists);
}

function keyRows(keys: readonly string[]): KeyRows {
  const [first = ''] = keys;
  const bytes = Uint8Array.from(keys.join(''), (char) => char.charCodeAt(0));
  return { bytes, stride: first.length, width: first.length, order: orderOfKeys(keys) };
}

type List = Float64Array | Uint32Array | Uint8Array;

function listsOf({ parts, columns, keys, plainKeys }: Content): readonly List[] {
  const { digests, sketches, holders, texts, messages, tools, settings, addresses } = parts;
  const lists = [sketches, holders, texts, tools, settings].flatMap(({ starts, items }) => [starts, items]);
  const { indexes, kinds, addresses: places, hosts } = columns;
  const numbers = [messages, addresses, indexes, kinds, places, hosts, keys.order, plainKeys.order];
  return [digests, ...lists, ...numbers, keys.bytes, plainKeys.bytes];
}

function joined(head: Head, lists: readonly List[]): Uint8Array {
  const headBytes = new TextEncoder().encode(JSON.stringify(head));
  let at = startOfLists(headBytes.length);
  const bytes = new Uint8Array(lists.reduce((length, { byteLength }) => length + byteLength, at));
  new DataView(bytes.buffer).setUint32(0, headBytes.length, true);
  bytes.set(headBytes, BEFORE_HEAD);
  for (const { buffer, byteOffset, byteLength } of lists) {
    bytes.set(new Uint8Array(buffer, byteOffset, byteLength), at);
    at += byteLength;
  }
  return bytes;
}

function startOfLists(headLength: number): number {
  return Math.ceil((BEFORE_HEAD + headLength) / ALIGNMENT) * ALIGNMENT;
}

/** The index in bytes that `writeRequestIndex` made, on a machine of the same kind; undefined for what is none. */
export function readRequestIndex(bytes: Uint8Array): RequestIndex | undefined {
  if (bytes.byteOffset % ALIGNMENT !== 0) return readRequestIndex(new Uint8Array(bytes));
  const headLength = bytes.length < BEFORE_HEAD ? 0 : new DataView(bytes.buffer, bytes.byteOffset).getUint32(0, true);
  const head = parseDocument(HEAD, new TextDecoder().decode(bytes.subarray(BEFORE_HEAD, BEFORE_HEAD + headLength)));
  if (head === undefined) return undefined;
  const lists = new ListReader(bytes, startOfLists(headLength), head.lengths);
  return lists.areWhole ? new RequestIndex(readContent(lists, head)) : undefined;
}

/** Reads what `listsOf` has put into one order. */
function readContent(lists: ListReader, { names, width }: Head): Content {
  const digests = lists.doubles();
  const sketches = lists.lists();
  const holders = lists.lists();
  const texts = lists.lists();
  const tools = lists.lists();
  const settings = lists.lists();
  const messages = lists.numbers();
  const addresses = lists.numbers();
  const columns: Columns = {
    indexes: lists.numbers(),
    kinds: lists.numbers(),
    addresses: lists.numbers(),
    hosts: lists.numbers(),
  };
  const order = lists.numbers();
  const plainOrder = lists.numbers();
  return {
    parts: { digests, sketches, holders, texts, messages, tools, settings, addresses, names },
    columns,
    keys: { order, bytes: lists.bytes(), stride: width, width },
    plainKeys: { order: plainOrder, bytes: lists.bytes(), stride: width, width },
  };
}

/** The sizes of the numbers of each list. */
const SIZES = [8, ...Array<number>(18).fill(4), 1, 1];

/** Reads lists of numbers where they lie. */
class ListReader {
  readonly #bytes: Uint8Array;
  readonly #lengths: readonly number[];
  #at: number;
  #next = 0;

  constructor(bytes: Uint8Array, start: number, lengths: readonly number[]) {
    this.#bytes = bytes;
    this.#at = bytes.byteOffset + start;
    this.#lengths = lengths;
  }

  get areWhole(): boolean {
    const size = SIZES.reduce((sum, one, list) => sum + one * Math.max(0, this.#lengths[list] ?? 0), 0);
    return this.#lengths.length === SIZES.length && this.#at + size === this.#bytes.byteOffset + this.#bytes.length;
  }

  doubles(): Float64Array {
    return new Float64Array(this.#bytes.buffer, ...this.#place());
  }

  numbers(): Uint32Array {
    return new Uint32Array(this.#bytes.buffer, ...this.#place());
  }

  bytes(): Uint8Array {
    return new Uint8Array(this.#bytes.buffer, ...this.#place());
  }

  lists(): NumberLists {
    const starts = this.numbers();
    return { starts, items: this.numbers() };
  }

  #place(): [start: number, length: number] {
    const start = this.#at;
    const length = Math.max(0, this.#lengths[this.#next] ?? 0);
    this.#at += length * (SIZES[this.#next] ?? 0);
    this.#next += 1;
    return [start, length];
  }
}
