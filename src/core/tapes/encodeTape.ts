import { gzipSync } from 'fflate';
import { concatBytes } from '../wire/bytes';
import type { TapeFile } from './tapeFile';

/**
 * The bytes of a file whose text is now `text`. An unchanged text gives the file's own bytes. A gzipped file keeps its
 * header (its time and system), though not its compressor's choices.
 */
export function encodeTape(file: TapeFile, text: string): Uint8Array {
  if (text === file.text) return file.bytes;
  const body = file.encoding === 'latin1' ? latin1Bytes(text) : new TextEncoder().encode(text);
  const content = file.bom ? concatBytes([new Uint8Array([0xef, 0xbb, 0xbf]), body]) : body;
  if (file.gzipHeader === undefined) return content;
  const packed = gzipSync(content, { mtime: 0 });
  // Bytes 4 to 9: modification time, compression hint, operating system.
  packed.set(file.gzipHeader.subarray(4, 10), 4);
  return packed;
}

function latin1Bytes(text: string): Uint8Array {
  const bytes = new Uint8Array(text.length);
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code > 0xff)
      throw new RangeError(`U+${code.toString(16).padStart(4, '0')} cannot be written to a file that is not UTF-8`);
    bytes[at] = code;
  }
  return bytes;
}
