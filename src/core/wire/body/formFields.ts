import { decodeLatin1, encodeLatin1 } from '../../bytes/latin1';
import { sha256Hex } from '../../hash/digest';
import type { Json, JsonRecord } from '../../json/json';

/**
 * The fields of a multipart form (RFC 7578) by their names, so that two forms can be compared although each client generates the
 * boundary anew. A file is an object with its name, type and text, or the hash of its bytes. Undefined for any other body.
 */
export function formFields(bytes: Uint8Array, contentType: string): JsonRecord | undefined {
  const boundary = boundaryOf(contentType);
  if (boundary === undefined || !/^multipart\/form-data\b/i.test(contentType)) return undefined;
  const parts = decodeLatin1(bytes).split(`--${boundary}`).slice(1, -1);
  const fields = parts.map(fieldOf);
  if (fields.length === 0 || !fields.every((field) => field !== undefined)) return undefined;
  return Object.fromEntries(
    [...grouped(fields)].map(([name, values]) => [name, values.length === 1 ? (values[0] ?? null) : values]),
  );
}

/** The text that separates the parts of a multipart body. */
export function boundaryOf(contentType: string): string | undefined {
  return /^multipart\/.*boundary=(?:"([^"]{4,})"|([^";\s]{4,}))/i.exec(contentType)?.slice(1).find(Boolean);
}

/** The content type of a multipart form by its first and its last line; undefined for any other body. */
export function multipartType(bytes: Uint8Array): string | undefined {
  const boundary = /^--([^"\r\n]{4,70})\r\n/.exec(decodeLatin1(bytes.subarray(0, 80)))?.[1];
  if (boundary === undefined) return undefined;
  const end = decodeLatin1(bytes.subarray(-(boundary.length + 8)));
  return end.replace(/\r\n$/, '').endsWith(`\r\n--${boundary}--`)
    ? `multipart/form-data; boundary="${boundary}"`
    : undefined;
}

type Field = readonly [name: string, value: Json];

function fieldOf(part: string): Field | undefined {
  const end = part.indexOf('\r\n\r\n');
  if (end === -1) return undefined;
  const head = part.slice(0, end);
  const name = /^content-disposition:[^\r\n]*[; ]name="([^"]*)"/im.exec(head)?.[1];
  if (name === undefined) return undefined;
  const filename = /^content-disposition:[^\r\n]*[; ]filename="([^"]*)"/im.exec(head)?.[1];
  const content = encodeLatin1(part.slice(end + 4).replace(/\r\n$/, ''));
  const text = utf8(content);
  if (filename === undefined && text !== undefined) return [utf8(encodeLatin1(name)) ?? name, text];
  const type = /^content-type: *([^\r\n]+)/im.exec(head)?.[1] ?? null;
  const value: JsonRecord = text === undefined ? { bytes: content.length, sha256: sha256Hex(content) } : { text };
  return [
    name,
    { ...(filename !== undefined && { filename: utf8(encodeLatin1(filename)) ?? filename }), type, ...value },
  ];
}

function grouped(fields: readonly Field[]): Map<string, Json[]> {
  const byName = new Map<string, Json[]>();
  for (const [name, value] of fields) byName.set(name, [...(byName.get(name) ?? []), value]);
  return byName;
}

function utf8(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
