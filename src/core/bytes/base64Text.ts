import { decodeBase64, isBase64 } from './base64';

/** How base64 begins of JSON, and of a stream of events. Nothing else is looked at, which would cost a decoding. */
const BEGINNING = /^(?:e[wyX]|W[yw13]|ZGF0Y|ZXZlbnQ)/;

/** The text that a base64 is of, if that is JSON or a stream of events; undefined for any other text. */
export function base64Text(text: string): string | undefined {
  if (!BEGINNING.test(text) || !isBase64(text)) return undefined;
  const bytes = decodeBase64(text);
  if (bytes === undefined) return undefined;
  try {
    const decoded = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return /^\s*(?:[[{]|(?:data|event):)/.test(decoded) ? decoded : undefined;
  } catch {
    return undefined;
  }
}
