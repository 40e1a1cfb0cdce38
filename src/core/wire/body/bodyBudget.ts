import { type Decompressed, type DecompressionLimits, maxDecompressedSize } from '../../bytes/decompress';
import type { HttpBody, HttpExchange, HttpHeader } from '../../model/http';
import { t } from '../../text/l10n';
import { headerOf } from '../http';

const MIB = 2 ** 20;
/** What the bodies of any tape may decompress to, and how many times the size of the tape. */
const ALWAYS_ALLOWED_BYTES = 32 * MIB;
const MAX_RATIO = 10;

/**
 * What the compressed bodies of one tape, or of one text, may decompress to, together: each of many may be within its own
 * limits. A body is counted when it is first decompressed; one that was refused is not tried again.
 */
export class BodyBudget {
  readonly #total: number;
  #left: number;
  /** The bodies that were tried, by the place of their exchange. */
  readonly #tried = new Map<number, TriedLayer[]>();

  /** @param length of the tape or text, in bytes or characters */
  constructor(length: number) {
    this.#total = Math.max(ALWAYS_ALLOWED_BYTES, MAX_RATIO * length);
    this.#left = this.#total;
  }

  /** Counts the bodies of an exchange. @param place of the exchange in the tape, by which it is known when it is read again */
  cover({ requestBody, requestHeaders, responseBody, responseHeaders }: HttpExchange, place: number): void {
    if (mayBePacked(requestBody, requestHeaders)) shares.set(requestBody, { budget: this, name: 'request', place });
    if (mayBePacked(responseBody, responseHeaders)) shares.set(responseBody, { budget: this, name: 'response', place });
  }

  /** Counts a body that is in no exchange. */
  coverBody(body: HttpBody): void {
    shares.set(body, { budget: this, name: 'body', place: this.#tried.size });
  }

  /** The number of bytes that the bodies of an exchange take decompressed, as far as they were. */
  unpackedAt(place: number): number {
    return (this.#tried.get(place) ?? []).reduce((total, { bytes }) => total + bytes, 0);
  }

  decompress(
    { place, name }: Share,
    layer: number,
    packed: number,
    limits: DecompressionLimits,
    run: Run,
  ): Decompressed {
    const tried = this.#tried.get(place) ?? [];
    const known = tried.find((one) => one.name === name && one.layer === layer);
    if (known !== undefined) return known.refusal ?? run(limits);
    const allowed = maxDecompressedSize(packed, limits);
    const room = Math.min(allowed, this.#left);
    const result = room <= 0 ? this.#refusal() : run({ ...limits, maxBytes: Math.min(limits.maxBytes, room) });
    this.#left -= result.exceeded ?? result.bytes.length;
    const outcome = result.exceeded !== undefined && room < allowed ? this.#refusal() : result;
    const refusal = outcome.exceeded === undefined ? {} : { refusal: outcome };
    this.#tried.set(place, [...tried, { name, layer, bytes: outcome.bytes.length, ...refusal }]);
    return outcome;
  }

  #refusal(): Decompressed {
    const problem = t(
      'the compressed bodies of this tape are larger than {0} MiB together',
      Math.floor(this.#total / MIB),
    );
    return { bytes: new Uint8Array(), problem, exceeded: 0 };
  }
}

/** How gzip begins, in base64 and as a text of its bytes. */
const GZIP_STARTS = ['H4sI', String.fromCharCode(0x1f, 0x8b)];

/** Whether a body may be decompressed: few are, and the table of those that are counted takes memory. */
function mayBePacked(body: HttpBody, headers: readonly HttpHeader[]): boolean {
  switch (body.type) {
    case 'none':
    case 'json':
      return false;
    case 'base64':
      return true;
    case 'chunks':
      return body.chunks.some(({ base64 }) => base64);
    case 'text':
      return (
        GZIP_STARTS.some((start) => body.text.startsWith(start)) || headerOf(headers, 'content-encoding') !== undefined
      );
  }
}

interface TriedLayer {
  readonly name: Share['name'];
  readonly layer: number;
  readonly bytes: number;
  readonly refusal?: Decompressed;
}

type Run = (limits: DecompressionLimits) => Decompressed;

interface Share {
  readonly budget: BodyBudget;
  readonly name: 'request' | 'response' | 'body';
  readonly place: number;
}

const shares = new WeakMap<HttpBody, Share>();

/** Decompresses a layer of a body: within the budget of its tape, if it is on one. */
export function withinBudget(
  body: HttpBody,
  layer: number,
  packed: number,
  limits: DecompressionLimits,
  run: Run,
): Decompressed {
  const share = shares.get(body);
  return share === undefined ? run(limits) : share.budget.decompress(share, layer, packed, limits, run);
}
