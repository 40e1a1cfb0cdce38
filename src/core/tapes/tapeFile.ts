import { gunzipSync } from 'fflate';

/**
 * A tape file as text that can be turned back into the very same bytes. Offsets of a tape are UTF-16 offsets into `text`.
 * Bytes that are not UTF-8 are kept one to one as Latin-1, so that nothing is lost in a file with binary bodies.
 */
export interface TapeFile {
  /** With `/`, for what only the name tells, such as `.responses`. Never read from. */
  readonly path: string;
  readonly text: string;
  readonly encoding: 'utf-8' | 'latin1';
  /** The file starts with a byte order mark, which `text` does not have. */
  readonly bom: boolean;
  /** For a gzipped file: its header, which a rewrite must keep. `text` is what was inside. */
  readonly gzipHeader?: Uint8Array;
  /** The bytes of the file, for formats that are not text. */
  readonly bytes: Uint8Array;
}

/** What unpacks to more than this is no tape. */
const MAX_UNPACKED_BYTES = 512 * 1024 * 1024;
const GZIP_HEADER_BYTES = 10;

/** Reads the bytes of a file. A damaged gzip file gives the text of its raw bytes, which no format claims. */
export function tapeFile(path: string, bytes: Uint8Array): TapeFile {
  const unpacked = isGzip(bytes) ? unpack(bytes) : undefined;
  const content = unpacked ?? bytes;
  const bom = content[0] === 0xef && content[1] === 0xbb && content[2] === 0xbf;
  const { text, encoding } = decode(bom ? content.subarray(3) : content);
  // The text gives the very bytes again: there is no need to hold a large file twice.
  if (unpacked === undefined && encoding === 'utf-8') return textFile(bom ? `\uFEFF${text}` : text, path);
  return {
    path: path.replaceAll('\\', '/'),
    text,
    encoding,
    bom,
    bytes,
    ...(unpacked === undefined ? {} : { gzipHeader: bytes.slice(0, GZIP_HEADER_BYTES) }),
  };
}

/** A source that is text already, as in an editor. */
export function textFile(text: string, path = ''): TapeFile {
  const bom = text.charCodeAt(0) === 0xfeff;
  const body = bom ? text.slice(1) : text;
  return {
    path: path.replaceAll('\\', '/'),
    text: body,
    encoding: 'utf-8',
    bom,
    get bytes() {
      return new TextEncoder().encode(text);
    },
  };
}

function isGzip(bytes: Uint8Array): boolean {
  return bytes.length > GZIP_HEADER_BYTES && bytes[0] === 0x1f && bytes[1] === 0x8b && bytes[2] === 0x08;
}

function unpack(bytes: Uint8Array): Uint8Array | undefined {
  // The last four bytes are the size of what is inside, modulo 2^32.
  const size = new DataView(bytes.buffer, bytes.byteOffset + bytes.length - 4, 4).getUint32(0, true);
  if (size > MAX_UNPACKED_BYTES) return undefined;
  try {
    return gunzipSync(bytes);
  } catch {
    return undefined;
  }
}

function decode(bytes: Uint8Array): Pick<TapeFile, 'text' | 'encoding'> {
  try {
    return { text: new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes), encoding: 'utf-8' };
  } catch {
    return { text: latin1(bytes), encoding: 'latin1' };
  }
}

/** One character a byte. (`TextDecoder('latin1')` is windows-1252, which is not.) */
export function latin1(bytes: Uint8Array): string {
  let text = '';
  for (let at = 0; at < bytes.length; at += 8192)
    text += Reflect.apply(String.fromCharCode, undefined, bytes.subarray(at, at + 8192));
  return text;
}
