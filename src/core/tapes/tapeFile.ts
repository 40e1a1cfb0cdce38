import { concatBytes } from '../bytes/concatBytes';
import { GZIPPED_TAPE } from '../bytes/fileLimits';
import { gunzipFile, gzipFile, gzipHeaderOf } from '../bytes/gzipFile';
import { decodeLatin1, encodeLatin1 } from '../bytes/latin1';
import { t } from '../text/l10n';
import type { Problem } from '../text/source';
import type { TextParts } from '../text/textParts';

/**
 * A tape file as text that can be converted back to exactly the same bytes. Offsets are UTF-16 offsets into `text`.
 * Bytes that are not UTF-8 are decoded as Latin-1, one to one, so that files with binary bodies lose nothing.
 */
export interface TapeFile {
  /** With `/`. Used only for facts that are in the name, such as `.responses`; the file is never opened. */
  readonly path: string;
  readonly text: string;
  /** The same text of a file that is not held in memory. Who can do with parts takes them from `textParts`. */
  readonly parts?: TextParts;
  readonly encoding: 'utf-8' | 'latin1';
  /** The file starts with a byte order mark, which is not part of `text`. */
  readonly bom: boolean;
  /** The header of a gzipped file, which a rewrite must keep. `text` is the unpacked content. */
  readonly gzipHeader?: Uint8Array;
  /** Why the content is not read, as the end of a sentence: it is too large. */
  readonly unreadable?: string;
  /** For formats that are not text. */
  readonly bytes: Uint8Array;
}

/** The text of a file for who reads parts of it, one after the other: of a large file, they come from the disk. */
export function textParts(file: Pick<TapeFile, 'text' | 'parts'>): TextParts {
  return file.parts ?? file.text;
}

/** Decodes the bytes of a file. A damaged gzip file yields the text of its raw bytes, which no format claims. */
export function decodeTapeFile(path: string, bytes: Uint8Array, gzipLimits = GZIPPED_TAPE): TapeFile {
  const gzipHeader = gzipHeaderOf(bytes);
  const gunzipped = gzipHeader && gunzipFile(bytes, gzipLimits);
  if (gunzipped !== undefined && 'tooLarge' in gunzipped) return unreadableFile(path, gunzipped.tooLarge, bytes);
  const unpacked = gunzipped !== undefined && 'content' in gunzipped ? gunzipped.content : undefined;
  const content = unpacked ?? bytes;
  const bom = content[0] === 0xef && content[1] === 0xbb && content[2] === 0xbf;
  const { text, encoding } = decodeText(bom ? content.subarray(3) : content);
  // The bytes can be computed from the text, so a large file is not held twice.
  if (unpacked === undefined && encoding === 'utf-8') return tapeFileFromText(bom ? `\uFEFF${text}` : text, path);
  return {
    path: pathOfTape(path),
    text,
    encoding,
    bom,
    bytes,
    ...(unpacked !== undefined && gzipHeader !== undefined && { gzipHeader }),
  };
}

/** Readers decode bytes that are not UTF-8 to this character. */
const REPLACEMENT_CHARACTER = '\uFFFD';

/**
 * A file that is read as text where possible: Node then frees the bytes before it returns, whereas a buffer stays in memory
 * until the next collection. Where the text has characters that were not decoded, the file is read again, as bytes.
 */
export function tapeFileOf(
  path: string,
  read: { text(): string; bytes(): Uint8Array },
  gzipLimits = GZIPPED_TAPE,
): TapeFile {
  // Packed bytes as text take twice their size, for nothing.
  if (/\.gz$/i.test(path)) return decodeTapeFile(path, read.bytes(), gzipLimits);
  const text = read.text();
  const isDecoded = !text.includes(REPLACEMENT_CHARACTER);
  return isDecoded ? tapeFileFromText(text, path) : decodeTapeFile(path, read.bytes(), gzipLimits);
}

/** A file whose content is not read. Written back, it is the same. */
export function unreadableFile(path: string, reason: string, bytes: Uint8Array = new Uint8Array()): TapeFile {
  return { path: pathOfTape(path), text: '', encoding: 'utf-8', bom: false, bytes, unreadable: reason };
}

/** A path as tapes have it: with `/` on every system. */
export function pathOfTape(path: string): string {
  return path.replaceAll('\\', '/');
}

/** A file from text, as in an editor. */
export function tapeFileFromText(text: string, path = ''): TapeFile {
  const bom = text.charCodeAt(0) === 0xfeff;
  const body = bom ? text.slice(1) : text;
  return {
    path: pathOfTape(path),
    text: body,
    encoding: 'utf-8',
    bom,
    get bytes() {
      return new TextEncoder().encode(text);
    },
  };
}

/** The same file with another text. */
export function withText(file: TapeFile, text: string, encoding = file.encoding): TapeFile {
  const { path, bom, gzipHeader } = file;
  const header = gzipHeader && { gzipHeader };
  return {
    path,
    text,
    encoding,
    bom,
    ...header,
    get bytes() {
      return encodeContent({ encoding, bom, ...header }, text);
    },
  };
}

function decodeText(bytes: Uint8Array): Pick<TapeFile, 'text' | 'encoding'> {
  try {
    return { text: new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes), encoding: 'utf-8' };
  } catch {
    return { text: decodeLatin1(bytes), encoding: 'latin1' };
  }
}

/**
 * The bytes of a file after its text became `text`. Unchanged text yields the original bytes. A gzipped file keeps its
 * header (time and system), but not its compressor's choices.
 */
export function encodeTapeFile(file: TapeFile, text: string): Uint8Array {
  return text === file.text ? file.bytes : encodeContent(file, text);
}

function encodeContent(
  { encoding, bom, gzipHeader }: Pick<TapeFile, 'encoding' | 'bom' | 'gzipHeader'>,
  text: string,
): Uint8Array {
  const body = encoding === 'latin1' ? encodeLatin1(text) : new TextEncoder().encode(text);
  const content = bom ? concatBytes([new Uint8Array([0xef, 0xbb, 0xbf]), body]) : body;
  return gzipHeader === undefined ? content : gzipFile(content, gzipHeader);
}

/** Characters with which Python cannot read a file as UTF-8 JSON, although its text is correct. */
export function encodingProblems({ encoding, bom }: TapeFile, reader: string): Problem[] {
  const span = { start: 0, end: 0 };
  if (encoding !== 'utf-8') {
    const fix = t('Save it as UTF-8, or restore it from version control.');
    return [{ severity: 'error', message: t('the file is not UTF-8: {0} cannot read it', reader), fix, span }];
  }
  if (!bom) return [];
  const message = t('the file begins with a byte order mark, which {0} cannot read', reader);
  return [{ severity: 'error', message, fix: t('Save it as UTF-8 without a byte order mark.'), span }];
}
