import { stringNodes } from '../json/jsonNode';
import { readDocuments } from '../tapes/documents';
import type { TapeFile } from '../tapes/tapeFile';
import { findSecrets } from './findSecrets';
import { unpackString } from './packedString';

/** A secret in a file in its original form: not escaped, folded or encoded. */
export interface SecretValue {
  readonly value: string;
  readonly rule: string;
  readonly what: string;
}

/** The secrets in a file, each once, including those in base64 and compressed data. */
export function secretValues(file: TapeFile): SecretValue[] {
  const found = new Map<string, SecretValue>();
  const { roots } = readDocuments(file);
  const strings = roots.flatMap(({ node }) => [...stringNodes(node)].map(({ value }) => value));
  const isRead = strings.length > 0;
  // A value may be recognised by its key, outside the string; a key of several lines is only whole within its string.
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

/** The secret that begins at `offset`; undefined where none does. */
export function secretAt(text: string, offset: number): string | undefined {
  const found = findSecrets(text).find(({ start }) => start === offset);
  return found && plain(text.slice(found.start, found.end));
}

/** Unescapes the line breaks of a private key in JSON within strings. */
function plain(written: string): string {
  return written
    .replace(/\\{1,8}n/g, '\n')
    .replace(/\\{1,8}r/g, '\r')
    .trimEnd();
}
