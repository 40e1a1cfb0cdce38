import { stringNodes } from '../json/jsonNode';
import { readDocuments } from '../tapes/documents';
import type { TapeFile } from '../tapes/tapeFile';
import { findSecrets } from './findSecrets';
import { unpackString } from './packedString';

/** A secret of a file, as whoever made it wrote it: not escaped, folded or packed. */
export interface SecretValue {
  readonly value: string;
  readonly rule: string;
  readonly what: string;
}

/** The secrets of a file, each once, also those in what is packed in base64 or compressed. */
export function secretValues(file: TapeFile): SecretValue[] {
  const found = new Map<string, SecretValue>();
  const { roots } = readDocuments(file);
  const strings = roots.flatMap(({ node }) => [...stringNodes(node)].map(({ value }) => value));
  const isRead = strings.length > 0;
  // A name may stand before its value, and is in no string; a key of many lines is only whole inside of its string.
  collect(file.text, (value) => !isRead || !/[\s\\]/.test(value));
  for (const string of strings) {
    collect(string, () => true);
    const packed = unpackString(string);
    if (packed !== undefined) collect(packed.text, () => true);
  }
  return [...found.values()];

  function collect(text: string, isWhole: (value: string) => boolean): void {
    for (const { start, end, rule, what } of findSecrets(text)) {
      const written = text.slice(start, end);
      const value = plain(written);
      if (isWhole(written) && !found.has(value)) found.set(value, { value, rule, what });
    }
  }
}

/** The secret that begins at a place of a text; undefined where none does. */
export function secretAt(text: string, offset: number): string | undefined {
  const found = findSecrets(text).find(({ start }) => start === offset);
  return found && plain(text.slice(found.start, found.end));
}

/** The lines of a private key in JSON inside of strings. */
function plain(written: string): string {
  return written
    .replace(/\\{1,8}n/g, '\n')
    .replace(/\\{1,8}r/g, '\r')
    .trimEnd();
}
