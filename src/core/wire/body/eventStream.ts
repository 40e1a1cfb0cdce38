import { concatBytes } from '../../bytes/concatBytes';
import { crc32 } from '../../bytes/crc32';
import { t } from '../../text/l10n';
import type { Span } from '../../text/source';

/** The value of a message header. Timestamps are milliseconds since 1970. */
export type EventHeader =
  | { readonly type: 'boolean'; readonly value: boolean }
  | { readonly type: 'byte' | 'short' | 'integer'; readonly value: number }
  | { readonly type: 'long' | 'timestamp'; readonly value: bigint }
  | { readonly type: 'binary' | 'uuid'; readonly value: Uint8Array }
  | { readonly type: 'string'; readonly value: string };

export interface EventMessage {
  readonly headers: readonly (readonly [name: string, header: EventHeader])[];
  readonly payload: Uint8Array;
}

/** The messages that could be read, with their byte ranges, and the errors in the rest. */
interface EventStreamReading {
  readonly messages: readonly (EventMessage & Span)[];
  readonly problems: readonly string[];
}

/** Message length, headers length and the checksum of both. */
const PRELUDE = 12;
const CHECKSUM = 4;
/** The limit of Amazon's own encoders; a greater length is corrupt. */
const MAX_MESSAGE = 24 * 2 ** 20;

/** Whether bytes begin with a message whose prelude has a valid checksum. */
export function looksLikeEventStream(bytes: Uint8Array): boolean {
  if (bytes.length < PRELUDE + CHECKSUM) return false;
  const view = viewOf(bytes);
  return view.getUint32(8) === crc32(bytes.subarray(0, 8)) && hasPlausibleLengths(view.getUint32(0), view.getUint32(4));
}

function hasPlausibleLengths(total: number, headers: number): boolean {
  return total >= PRELUDE + CHECKSUM + headers && total <= MAX_MESSAGE;
}

/** Reads `application/vnd.amazon.eventstream`. A message with a wrong checksum is read and reported as a problem. */
export function readEventStream(bytes: Uint8Array): EventStreamReading {
  const messages: (EventMessage & Span)[] = [];
  const problems: string[] = [];
  const view = viewOf(bytes);
  for (let at = 0; at < bytes.length; ) {
    const number = messages.length + 1;
    const total = at + PRELUDE <= bytes.length ? view.getUint32(at) : 0;
    const headersLength = total > 0 ? view.getUint32(at + 4) : 0;
    if (!hasPlausibleLengths(total, headersLength) || at + total > bytes.length) {
      problems.push(
        t('Message {0} of the event stream (at byte {1}) is truncated or has an incorrect length.', number, at),
      );
      break;
    }
    const message = bytes.subarray(at, at + total);
    if (!hasValidChecksums(message))
      problems.push(t('Message {0} of the event stream (at byte {1}) has an incorrect checksum.', number, at));
    const headers = readHeaders(message.subarray(PRELUDE, PRELUDE + headersLength));
    if (headers === undefined)
      problems.push(t('Message {0} of the event stream (at byte {1}) has invalid headers.', number, at));
    const payload = message.subarray(PRELUDE + headersLength, total - CHECKSUM);
    messages.push({ headers: headers ?? [], payload, start: at, end: at + total });
    at += total;
  }
  return { messages, problems };
}

/** The value of a string header; undefined if there is none. */
export function eventHeader({ headers }: EventMessage, name: string): string | undefined {
  const header = headers.find(([candidate]) => candidate === name)?.[1];
  return header?.type === 'string' ? header.value : undefined;
}

/** Writes messages with both checksums computed. */
export function writeEventStream(messages: readonly EventMessage[]): Uint8Array {
  return concatBytes(messages.map(writeMessage));
}

function writeMessage({ headers, payload }: EventMessage): Uint8Array {
  const headerBytes = headers.flatMap(writeHeader);
  const total = PRELUDE + headerBytes.length + payload.length + CHECKSUM;
  const message = new Uint8Array(total);
  const view = viewOf(message);
  view.setUint32(0, total);
  view.setUint32(4, headerBytes.length);
  view.setUint32(8, crc32(message.subarray(0, 8)));
  message.set(headerBytes, PRELUDE);
  message.set(payload, PRELUDE + headerBytes.length);
  view.setUint32(total - CHECKSUM, crc32(message.subarray(0, total - CHECKSUM)));
  return message;
}

function hasValidChecksums(message: Uint8Array): boolean {
  const view = viewOf(message);
  const end = message.length - CHECKSUM;
  return view.getUint32(8) === crc32(message.subarray(0, 8)) && view.getUint32(end) === crc32(message.subarray(0, end));
}

function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

/**
 * Header types in the order of their codes, with the size of their values in bytes; -1: a two-byte length precedes it.
 */
const TYPES = [
  ['true', 0],
  ['false', 0],
  ['byte', 1],
  ['short', 2],
  ['integer', 4],
  ['long', 8],
  ['binary', -1],
  ['string', -1],
  ['timestamp', 8],
  ['uuid', 16],
] as const;

function readHeaders(bytes: Uint8Array): (readonly [string, EventHeader])[] | undefined {
  const headers: (readonly [string, EventHeader])[] = [];
  const view = viewOf(bytes);
  let at = 0;
  while (at < bytes.length) {
    const nameEnd = at + 1 + view.getUint8(at);
    const [type, fixed] = TYPES[nameEnd < bytes.length ? view.getUint8(nameEnd) : -1] ?? [];
    if (type === undefined || (fixed === -1 && nameEnd + 3 > bytes.length)) return undefined;
    const start = nameEnd + (fixed === -1 ? 3 : 1);
    const end = start + (fixed === -1 ? view.getUint16(nameEnd + 1) : fixed);
    if (end > bytes.length) return undefined;
    headers.push([utf8(bytes.subarray(at + 1, nameEnd)), readHeader(type, bytes.subarray(start, end))]);
    at = end;
  }
  return headers;
}

function readHeader(type: (typeof TYPES)[number][0], value: Uint8Array): EventHeader {
  const view = viewOf(value);
  switch (type) {
    case 'true':
    case 'false':
      return { type: 'boolean', value: type === 'true' };
    case 'byte':
      return { type, value: view.getInt8(0) };
    case 'short':
      return { type, value: view.getInt16(0) };
    case 'integer':
      return { type, value: view.getInt32(0) };
    case 'long':
    case 'timestamp':
      return { type, value: view.getBigInt64(0) };
    case 'binary':
    case 'uuid':
      return { type, value };
    case 'string':
      return { type, value: utf8(value) };
  }
}

function utf8(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes);
}

function writeHeader([name, header]: readonly [string, EventHeader]): number[] {
  const nameBytes = new TextEncoder().encode(name);
  return [nameBytes.length & 0xff, ...nameBytes, ...writeValue(header)];
}

function writeValue(header: EventHeader): readonly number[] {
  if (header.type === 'boolean') return [header.value ? 0 : 1];
  const code = TYPES.findIndex(([name]) => name === header.type);
  switch (header.type) {
    case 'string':
      return [code, ...sized(new TextEncoder().encode(header.value))];
    case 'binary':
      return [code, ...sized(header.value)];
    case 'uuid':
      return [code, ...header.value];
    default:
      return [code, ...bigEndian(BigInt(header.value), TYPES[code]?.[1] ?? 0)];
  }
}

function sized(bytes: Uint8Array): number[] {
  return [bytes.length >> 8, bytes.length & 0xff, ...bytes];
}

function bigEndian(value: bigint, size: number): number[] {
  return Array.from({ length: size }, (_, index) => Number((value >> BigInt(8 * (size - 1 - index))) & 0xffn));
}
