import type { HttpBody } from '../tapes/tape';
import { encodeBase64 } from './base64';

/** Bytes from the network in the form of a recorded body: as text where they are text. */
export function wireBody(bytes: Uint8Array): HttpBody {
  if (bytes.length === 0) return { type: 'none' };
  try {
    return { type: 'text', text: new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes) };
  } catch {
    return { type: 'base64', base64: encodeBase64(bytes) };
  }
}
