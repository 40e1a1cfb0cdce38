import { readFileSync } from 'node:fs';
import type { TapeFile } from '../core/tapes/tapeFile';
import { loadCore } from './loadCore';

/** Of a text, Node gives the bytes back before it returns; as a buffer they would stay until the engine collects them. */
export async function readTapeFile(file: string, path: string): Promise<TapeFile> {
  const { decodeTapeFile, tapeFileFromText } = await loadCore();
  const text = readFileSync(file, 'utf8');
  return text.includes(REPLACEMENT_CHARACTER) ? decodeTapeFile(path, readFileSync(file)) : tapeFileFromText(text, path);
}

/** What stands in the place of bytes that are no UTF-8. Where the file itself has it, it is read twice. */
const REPLACEMENT_CHARACTER = '\uFFFD';
