import { isRecord, type Json } from '../../json/json';
import { readJson } from '../../json/jsonDocument';
import type { Problem, Span } from '../../text/source';
import { present } from '../../wire/fields';
import { parseJson } from '../../wire/parseJson';
import { readResponseFrames, readResponseJson } from '../../wire/readResponse';
import type { WireReading } from '../../wire/wireReading';
import type { Tape } from '../tape';
import type { TapeFile } from '../tapeFile';
import type { TapeFormat } from '../tapeFormat';
import { readJsonLines, textLines } from './jsonLines';
import { wireProblems } from './wireProblems';

/**
 * The fixtures of Vercel's AI SDK: what a provider answered, and nothing else. `X.chunks.txt` has the data of one
 * server-sent event a line, `X.json` a whole body. Both are known by what providers answer like; the answers that are
 * no model's (a transcription, a job) by the folder `__fixtures__`. Asked last: every other format knows itself better.
 */
export const vercelAiFormat = { id: 'vercel-ai', label: 'AI SDK fixture', looksLike, read } satisfies TapeFormat;

const CHUNKS = /\.chunks\.txt$/;
/** Where the packages of the SDK keep them; `__` stands for `/` where a path was made a name. */
const FIXTURE = /\bpackages(?:\/|__).+(?:\/|__)src(?:\/|__).*__fixtures__.*\.json$/;
/** A body larger than this is no fixture; telling what it is would cost more than it is worth. */
const MAX_BODY = 32 * 2 ** 20;
/** One of these stands in every body that some protocol knows; in most other JSON none of them does. */
const TELLING =
  /"(?:choices|candidates|content|output|outputs|steps|message|embeddings?|data|results|response|completion|generation|generated_text|error|promptFeedback)"\s*:/;

function looksLike({ text, path }: TapeFile): boolean {
  if (!/^\s*\{/.test(text.slice(0, 4096))) return false;
  const pieces = firstPieces(text);
  if (CHUNKS.test(path) && pieces.every((piece) => piece.startsWith('{'))) return true;
  if (isObject(pieces[0]) && pieces.length > 1) return readResponseFrames(pieces).kind !== 'http';
  if (text.length > MAX_BODY || (!FIXTURE.test(path) && !TELLING.test(text))) return false;
  const body = parseJson(text);
  return isRecord(body) && (FIXTURE.test(path) || readResponseJson(body).kind !== 'http');
}

const LOOKED_AT = 8;

function firstPieces(text: string): string[] {
  return textLines(text, 0, LOOKED_AT).map(({ start, end }) => text.slice(start, end));
}

function isObject(line = ''): boolean {
  return line.startsWith('{') && line.trimEnd().endsWith('}') && isRecord(parseJson(line));
}

function read({ text, path }: TapeFile): Tape {
  const pieces = firstPieces(text);
  return CHUNKS.test(path) || (isObject(pieces[0]) && pieces.length > 1) ? readChunks(text) : readBody(text);
}

function readChunks(text: string): Tape {
  const pieces = textLines(text).map(({ start, end }) => text.slice(start, end));
  return tapeOf(readResponseFrames(pieces), wholeOf(text), readJsonLines(text).problems, pieces.length);
}

function readBody(text: string): Tape {
  const body: Json | undefined = parseJson(text);
  if (body !== undefined) return tapeOf(readResponseJson(body), wholeOf(text), []);
  return { format: 'vercel-ai', interactions: [], problems: readJson(text).problems };
}

function wholeOf(text: string): Span {
  return { start: 0, end: text.length };
}

function tapeOf(reading: WireReading, source: Span, problems: readonly Problem[], records?: number): Tape {
  const { problems: sentences, ...rest } = reading;
  return present({
    format: 'vercel-ai' as const,
    interactions: [{ index: 0, ...rest, source }],
    problems: [...problems, ...wireProblems(sentences, source)],
    records,
  });
}
