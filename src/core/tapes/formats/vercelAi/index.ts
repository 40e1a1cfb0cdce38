import { omitUndefined } from '../../../json/fields';
import { isRecord, type JsonRecord } from '../../../json/json';
import { nonBlankLines, readJsonLines } from '../../../json/jsonLines';
import { jsonOutline } from '../../../json/jsonOutline';
import { jsonValue, parseJson, readJson } from '../../../json/readJson';
import type { Tape } from '../../../model/tape';
import type { Problem } from '../../../text/source';
import type { TextParts } from '../../../text/textParts';
import type { ExchangeReading } from '../../../wire/read/readExchange';
import { readResponseFrames, readResponseJson } from '../../../wire/read/readExchange';
import type { TapeFormat } from '../../format';
import { LazyInteraction, LazyTape } from '../../lazyTape';
import { type TapeFile, textParts } from '../../tapeFile';
import { exchangeProblems } from '../shared/httpInteraction';

/**
 * The fixtures of Vercel's AI SDK: responses of a provider, and nothing else. `X.chunks.txt` has the data of one
 * server-sent event per line, `X.json` a whole body. Both are recognised by the shape of model responses, and responses
 * of other kinds (a transcription, a job) by the folder `__fixtures__`. Tried last: all other formats are more
 * specific.
 */
export const vercelAiFormat = {
  id: 'vercel-ai',
  label: 'AI SDK fixture',
  family: 'frames',
  tested: { recorder: 'fixture' },
  extensions: ['json', 'txt'],
  ownEndings: ['chunks.txt'],
  looksLike,
  read,
} satisfies TapeFormat;

const CHUNKS = /\.chunks\.txt$/;
/** The fixture folders of the SDK's packages; `__` replaces `/` where a path was made a name. */
const FIXTURE = /\bpackages(?:\/|__).+(?:\/|__)src(?:\/|__).*__fixtures__.*\.json$/;
/** A larger body is not a fixture, and its detection would cost too much. */
const MAX_BODY_LENGTH = 32 * 2 ** 20;
/** Every body of a known protocol has one of these; most other JSON has none. */
const PROTOCOL_MARKERS =
  /"(?:choices|candidates|content|output|outputs|steps|message|embeddings?|data|results|response|completion|generation|generated_text|error|promptFeedback)"\s*:/;

function looksLike(file: TapeFile): boolean {
  const { path } = file;
  const text = textParts(file);
  if (!/^\s*\{/.test(text.slice(0, 4096))) return false;
  const pieces = firstPieces(text);
  if (CHUNKS.test(path) && pieces.every((piece) => piece.startsWith('{'))) return true;
  if (pieces.length > 1 && isObject(pieces[0])) return isFixture(readResponseFrames(pieces));
  if (text.length > MAX_BODY_LENGTH) return false;
  if (FIXTURE.test(path)) return jsonOutline(text).isOnly;
  const body = PROTOCOL_MARKERS.test(file.text) ? parseJson(file.text) : undefined;
  return isRecord(body) && !isReport(body) && isFixture(readResponseJson(body));
}

/** What Tapedeck's own commands print as JSON: its results have an output, as those of some models do. */
function isReport({ ok }: JsonRecord): boolean {
  return typeof ok === 'boolean';
}

/** The SDK has no provider for Gemini Code Assist, whose wrapper is also how gemini-cli records a response. */
function isFixture({ kind, api }: ExchangeReading): boolean {
  return kind !== 'http' && api !== 'gemini-code-assist';
}

const MAX_PIECES = 8;

function firstPieces(text: TextParts): string[] {
  return nonBlankLines(text, 0, MAX_PIECES).map(({ start, end }) => text.slice(start, end));
}

function isObject(line = ''): boolean {
  return line.startsWith('{') && line.trimEnd().endsWith('}') && isRecord(parseJson(line));
}

function read(file: TapeFile): Tape {
  const { path } = file;
  const text = textParts(file);
  const pieces = firstPieces(text);
  return CHUNKS.test(path) || (pieces.length > 1 && isObject(pieces[0])) ? readChunks(text) : readBody(text);
}

function readChunks(text: TextParts): Tape {
  const { problems } = readJsonLines(text);
  const pieces = nonBlankLines(text);
  const readPieces = (): ExchangeReading => readResponseFrames(pieces.map(({ start, end }) => text.slice(start, end)));
  return tapeOf(text, readPieces, problems, pieces.length);
}

function readBody(text: TextParts): Tape {
  const { value: body, problems } = readJson(text);
  if (body === undefined || problems.length > 0) return { format: 'vercel-ai', interactions: [], problems };
  return tapeOf(text, () => readResponseJson(jsonValue(body)), []);
}

function tapeOf(text: TextParts, read: () => ExchangeReading, problems: readonly Problem[], records?: number): Tape {
  const source = { start: 0, end: text.length };
  const interaction = new LazyInteraction(0, source, () => {
    const { problems: sentences, ...content } = read();
    return { content, problems: exchangeProblems(sentences, source) };
  });
  return new LazyTape(omitUndefined({ format: 'vercel-ai' as const, interactions: [interaction], records }), () => [
    ...problems,
    ...interaction.problems,
  ]);
}
