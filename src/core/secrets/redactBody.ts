import { decodeLatin1 } from '../bytes/latin1';
import type { HttpHeader } from '../model/http';
import { bodyFromBytes, decodeBody, isDamagedBody } from '../wire/body/body';
import { looksLikeEventStream, readEventStream, writeEventStream } from '../wire/body/eventStream';
import { headerOf } from '../wire/http';
import { latin1Bytes, unpackString } from './packedString';

type Redact = (text: string) => string;

/**
 * The bytes of a body without secrets: the same object if it contains none, and decompressed if the headers declare
 * compression. Undefined if the body cannot be decompressed, since it may contain secrets.
 */
export function redactBody(bytes: Uint8Array, headers: readonly HttpHeader[], redact: Redact): Uint8Array | undefined {
  const stored = bodyFromBytes(bytes);
  if (stored.type !== 'base64') return redactPlain(bytes, headers, redact);
  const packings = (headerOf(headers, 'content-encoding') ?? '')
    .split(',')
    .filter((name) => !/^\s*(?:identity\s*)?$/i.test(name));
  const { bytes: plain, decodedFrom, problems } = decodeBody(stored, headers);
  const isStuck = problems.some((problem) => packings.length > 0 || isDamagedBody(problem));
  // `decodedFrom` includes the base64 of the stored body.
  if (isStuck || decodedFrom.length - 1 < packings.length) return undefined;
  const clean = redactPlain(plain, headers, redact);
  return clean === plain && packings.length === 0 ? bytes : clean;
}

/** Media and binary data, which are not searched. */
const OPAQUE = /^\s*(?:(?:image|audio|video|font)\/|application\/octet-stream)/i;

function redactPlain(plain: Uint8Array, headers: readonly HttpHeader[], redact: Redact): Uint8Array {
  const stored = bodyFromBytes(plain);
  if (stored.type === 'none') return plain;
  if (stored.type === 'text') {
    const redactAll = (text: string) => redactBase64(redact(text), redact);
    return changed(plain, stored.text, redactAll, (text) => new TextEncoder().encode(text));
  }
  if (looksLikeEventStream(plain)) return redactEventStream(plain, redact);
  if (OPAQUE.test(headerOf(headers, 'content-type') ?? '')) return plain;
  // Forms with files, other character sets, text truncated within a character: secrets are ASCII.
  return changed(plain, decodeLatin1(plain), redact, latin1Bytes);
}

function changed(bytes: Uint8Array, text: string, redact: Redact, encode: (text: string) => Uint8Array): Uint8Array {
  const redacted = redact(text);
  return redacted === text ? bytes : encode(redacted);
}

/** Redacts each message. The rest of a truncated message cannot be searched, and is left out. */
function redactEventStream(stream: Uint8Array, redact: Redact): Uint8Array {
  const { messages } = readEventStream(stream);
  const clean = messages.map((message) => ({ ...message, payload: redactPayload(message.payload, redact) }));
  const isWhole = messages.at(-1)?.end === stream.length;
  const isSame = clean.every(({ payload }, index) => payload === messages[index]?.payload);
  return isWhole && isSame ? stream : writeEventStream(clean);
}

/** The model's output in base64. */
const INNER = /(?<="bytes"\s*:\s*")[A-Za-z0-9+/=]+(?=")/g;

function redactPayload(payload: Uint8Array, redact: Redact): Uint8Array {
  const stored = bodyFromBytes(payload);
  if (stored.type !== 'text') return payload;
  const redactAll = (text: string) => redact(text).replace(INNER, (base64) => redactBase64(base64, redact));
  return changed(payload, stored.text, redactAll, (text) => new TextEncoder().encode(text));
}

function redactBase64(base64: string, redact: Redact): string {
  const inner = unpackString(base64);
  const redacted = inner && redact(inner.text);
  return inner === undefined || redacted === undefined || redacted === inner.text
    ? base64
    : (inner.repack(redacted) ?? '');
}
