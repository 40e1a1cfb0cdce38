import { type JsonStringNode, stringNodes } from '../json/jsonNode';
import { jsonValue } from '../json/readJson';
import type { HttpBody, HttpHeader } from '../model/http';
import type { Interaction } from '../model/interaction';
import type { Tape } from '../model/tape';
import { type DocumentRoot, readDocuments } from '../tapes/documents';
import { readTape } from '../tapes/readTape';
import { formatById } from '../tapes/registry';
import type { TapeFile } from '../tapes/tapeFile';
import type { Span } from '../text/source';
import { decodeBody } from '../wire/body/body';
import { type Frame, parseFrames, readFrames } from '../wire/body/frames';
import { joinableStrings } from '../wire/body/joinedStrings';
import { framesOfArray } from '../wire/read/readResponse';
import { looseStringSecrets } from './looseStrings';
import { unpackString } from './packedString';
import type { SecretFinding } from './secretHit';
import { SecretSearch } from './secretSearch';

/** A secret in a tape. Its span is that of the encoded string or of the interaction that contains it, if it is not plain text. */
export interface SecretLeft extends SecretFinding {
  readonly where: 'text' | 'encoded' | 'stream' | 'interaction';
  /** From 0, if the place is an interaction. */
  readonly interaction?: number;
}

/** A tape that has been read. */
export interface ReadTape {
  readonly file: TapeFile;
  readonly tape: Tape;
  readonly roots: readonly DocumentRoot[];
}

const DEFAULT_SEARCH = new SecretSearch();

/**
 * The secrets in a tape that a recorder with the same search would hide: in its text in every spelling, in its strings as
 * they are read, in compressed bodies, and in the pieces of streams put together. A file that is not a tape has none.
 */
export function secretsLeft(file: TapeFile, search = DEFAULT_SEARCH): SecretLeft[] {
  const tape = readTape(file);
  return tape === undefined ? [] : secretsInTape({ file, tape, roots: readDocuments(file).roots }, search);
}

export function secretsInTape({ file, tape, roots }: ReadTape, search = DEFAULT_SEARCH): SecretLeft[] {
  const found = new FoundSecrets();
  if (isBinary(file.text)) {
    for (const interaction of tape.interactions)
      found.add(search.find(interactionText(interaction)), interaction.source, 'interaction', interaction.index);
  } else {
    for (const { isEncoded, ...finding } of search.find(file.text))
      found.add([finding], finding, isEncoded ? 'encoded' : 'text');
    for (const { node, offset } of roots)
      for (const string of stringNodes(node)) searchString(string, offset, search, found);
  }
  for (const interaction of tape.interactions) searchExchange(interaction, search, found);
  if (formatById(tape.format).family === 'frames') {
    for (const { node, offset } of roots) {
      const frames = framesOfArray(jsonValue(node)) ?? [];
      found.add(acrossFrames(frames, search), { start: node.start + offset, end: node.end + offset }, 'stream');
    }
  }
  return found.all;
}

class FoundSecrets {
  readonly all: SecretLeft[] = [];
  /** What was found, with the secrets that say the same. */
  readonly #known = new Map<string, Span[]>();

  /** Adds what has not been found before in the same place. */
  add(findings: readonly SecretFinding[], place: Span, where: SecretLeft['where'], interaction?: number): void {
    const added: SecretLeft[] = [];
    for (const { rule, what, excerpt } of findings) {
      const key = `${rule} ${excerpt}`;
      const known = this.#known.get(key) ?? [];
      if (where !== 'text' && known.some(({ start, end }) => start < place.end && end > place.start)) continue;
      const { start, end } = place;
      added.push({ rule, what, excerpt, start, end, where, ...(interaction !== undefined && { interaction }) });
    }
    for (const { rule, excerpt, start, end } of added) {
      const key = `${rule} ${excerpt}`;
      const known = this.#known.get(key);
      if (known === undefined) this.#known.set(key, [{ start, end }]);
      else known.push({ start, end });
    }
    this.all.push(...added);
  }
}

/** The first bytes of gzip, as characters. */
const GZIP = '\u001f\u008b';

/** Searches a string whose text in the file is another one: escaped, folded over lines, or packed. */
function searchString(
  { value, start, end }: JsonStringNode,
  offset: number,
  search: SecretSearch,
  found: FoundSecrets,
): void {
  const place = { start: start + offset, end: end + offset };
  const length = end - start;
  if (length !== value.length && length !== value.length + 2) found.add(search.find(value), place, 'encoded');
  // Base64 has been searched where it stands, unless its lines are folded.
  if (!value.startsWith(GZIP) && !/^[A-Za-z0-9+/_-]+\r?\n/.test(value.slice(0, 200))) return;
  const packed = unpackString(value);
  if (packed !== undefined) found.add(search.find(packed.text), place, 'encoded');
}

/** Searches bodies that are compressed, and streams. */
function searchExchange(
  { http, response, source, index }: Interaction,
  search: SecretSearch,
  found: FoundSecrets,
): void {
  if (http === undefined) {
    if (response?.chunks !== undefined)
      found.add(acrossFrames(parseFrames(response.chunks).frames, search), source, 'stream', index);
    return;
  }
  searchBody(http.requestBody, http.requestHeaders);
  searchBody(http.responseBody, http.responseHeaders);

  function searchBody(body: HttpBody, headers: readonly HttpHeader[]): void {
    if (body.type === 'none') return;
    const decoded = decodeBody(body, headers);
    const isCompressed = decoded.decodedFrom.some((layer) => layer !== 'base64');
    if (isCompressed && decoded.text !== undefined) found.add(search.find(decoded.text), source, 'encoded', index);
    const frames =
      readFrames(body, decoded)?.frames ?? framesOfArray(/^\s*\[/.test(decoded.text ?? '') ? decoded.json : undefined);
    if (frames !== undefined) found.add(acrossFrames(frames, search), source, 'stream', index);
    else if (decoded.text !== undefined && decoded.json === undefined)
      found.add(looseStringSecrets(decoded.text, search), source, 'stream', index);
  }
}

/** The secrets in texts that are put together from several frames, and are not in one of them alone. */
function acrossFrames(frames: readonly Frame[], search: SecretSearch): SecretFinding[] {
  if (frames.length < 2) return [];
  return joinableStrings(frames).flatMap((sites) => {
    const findings = search.find(sites.map(({ text }) => text).join(''));
    if (findings.length === 0) return [];
    const alone = new Set(
      sites.flatMap(({ text }) => search.find(text)).map(({ rule, excerpt }) => `${rule} ${excerpt}`),
    );
    return findings.filter(({ rule, excerpt }) => !alone.has(`${rule} ${excerpt}`));
  });
}

/** The content of an interaction as one text. */
function interactionText({ request, response }: Interaction): string {
  return JSON.stringify([request, response], (_, value: unknown) => (typeof value === 'bigint' ? `${value}` : value));
}

function isBinary(text: string): boolean {
  return text.slice(0, 65_536).includes('\0');
}
