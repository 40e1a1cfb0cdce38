import { parseJson } from '../json/readJson';
import { readDocuments } from '../tapes/documents';
import { readTape } from '../tapes/readTape';
import type { TapeFile } from '../tapes/tapeFile';
import { INSIDE_BASE64_RANK } from './knownValues';
import { SecretSearch } from './secretSearch';
import type { FoundSecret } from './spellingSearch';
import { visitTexts } from './tapeTexts';

const DEFAULT_SEARCH = new SecretSearch();

/**
 * The values of the secrets that `secretsLeft` finds in a tape, each once, in their original form: not escaped, folded or
 * encoded, and put together from the pieces of streams.
 */
export function secretValues(file: TapeFile, search = DEFAULT_SEARCH): string[] {
  const tape = readTape(file);
  if (tape === undefined) return [];
  const { roots } = readDocuments(file);
  const values = new Set<string>();
  const add = (text: string): void => {
    for (const found of search.secrets(text)) if (isWhole(found)) values.add(plain(found.secret));
  };
  const addWritten = (text: string): void => {
    for (const { hits, isEncoded } of search.replacements(text))
      for (const found of hits.filter((hit) => isWhole(hit) && !hit.isDoubtful))
        for (const value of isEncoded || roots.length === 0 || !isWritten(found, text)
          ? [plain(found.secret)]
          : unescaped(found.secret))
          values.add(value);
  };
  visitTexts({ file, tape, roots }, { file: addWritten, text: add, pieces: (texts) => add(texts.join('')) });
  return [...values];
}

/** Whether a secret stands in a text as it is, and was not decoded. */
function isWritten({ start, end, secret }: FoundSecret, text: string): boolean {
  return text.slice(start, end) === secret;
}

/** What a part of a file says. A key of several lines is only whole in its string. */
function unescaped(written: string): string[] {
  if (/[\r\n]/.test(written)) return [];
  if (!written.includes('\\')) return [written];
  const value = parseJson(`"${written}"`);
  return typeof value === 'string' ? [plain(value)] : [plain(written)];
}

/** Whether a hit is a value, and not a part of the base64 of other data. */
function isWhole({ rank }: FoundSecret): boolean {
  return rank < INSIDE_BASE64_RANK;
}

/** The secret that begins at `offset` in a text; undefined if none does. */
export function secretAt(text: string, offset: number, search = DEFAULT_SEARCH): string | undefined {
  const found = search
    .replacements(text)
    .flatMap(({ hits, isEncoded }) => (isEncoded ? [] : hits))
    .find((hit) => hit.start === offset && !hit.isDoubtful && isWhole(hit));
  return found && plain(found.secret);
}

/** Unescapes the line breaks of a private key in JSON within strings. */
function plain(written: string): string {
  return written
    .replace(/\\{1,8}n/g, '\n')
    .replace(/\\{1,8}r/g, '\r')
    .trimEnd();
}
