import { omitUndefined } from '../../../json/fields';
import { isRecord, type JsonRecord } from '../../../json/json';
import { nonBlankLines, readJsonLines } from '../../../json/jsonLines';
import { jsonOutline } from '../../../json/jsonOutline';
import { jsonValue, parseJson, readJson } from '../../../json/readJson';
import type { Tape } from '../../../model/tape';
import type { Problem, Span } from '../../../text/source';
import type { TextParts } from '../../../text/textParts';
import type { ExchangeReading } from '../../../wire/read/readExchange';
import { readResponseFrames, readResponseJson } from '../../../wire/read/readExchange';
import type { TapeFormat } from '../../format';
import { interactionProblems, LazyInteraction, LazyTape } from '../../lazyTape';
import { type TapeFile, textParts } from '../../tapeFile';
import { exchangeProblems } from '../shared/httpInteraction';

/**
 * The fixtures of Vercel's AI SDK: responses of a provider, and nothing else. `X.chunks.txt` has the data of one
 * server-sent event per line, `X.json` a whole body. Both are recognised by the shape of model responses, and responses
 * of other kinds (a transcription, a job) by the name of the package, in its folder `__fixtures__`. Lines that are whole responses are an interaction
 * each. Tried last: all other formats are more specific.
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
/** A fixture of one of the SDK's packages, which has its name; `__` replaces `/` where a path was made a name. */
const FIXTURE = /\bpackages(\/|__)([\w-]+?)\1src\1(?:.+\1)?__fixtures__\1\2[-.][^/]*\.json$/;
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
  if (pieces.length > 1 && isObject(pieces[0])) return isStream(pieces) || areResponses(pieces);
  if (text.length > MAX_BODY_LENGTH) return false;
  if (FIXTURE.test(path)) return jsonOutline(text).isOnly;
  const body = PROTOCOL_MARKERS.test(file.text) ? parseJson(file.text) : undefined;
  return isRecord(body) && !isReport(body) && isFixture(readResponseJson(body));
}

/** What Tapedeck's own commands print as JSON: its results have an output, as those of some models do. */
function isReport({ ok }: JsonRecord): boolean {
  return typeof ok === 'boolean';
}

/**
 * The SDK has no provider for Gemini Code Assist, whose wrapper is also how gemini-cli records a response, and none for the many
 * servers of texts, whose responses (`completion`, `value`) look like the records of any dataset or log.
 */
function isFixture({ kind, api }: ExchangeReading): boolean {
  return kind !== 'http' && api !== 'gemini-code-assist' && api !== 'text-generation';
}

/** Whether lines are the events of one response: most of them by themselves, as a log may have a line that looks like one. */
function isStream(pieces: readonly string[]): boolean {
  const events = pieces.filter((piece) => isFixture(readResponseFrames([piece])));
  return events.length * 2 > pieces.length && isFixture(readResponseFrames(pieces));
}

/** Whether each line is a whole response. Each piece of a stream of Gemini may say that it is finished, but all have one id. */
function areResponses(pieces: readonly string[]): boolean {
  const bodies = pieces.map((piece) => parseJson(piece)).filter(isRecord);
  const isWhole = (body: JsonRecord): boolean => {
    const reading = readResponseJson(body);
    return isFixture(reading) && reading.response?.finishReason !== undefined;
  };
  const ids = new Set(bodies.map(({ id, responseId, created_at: createdAt }) => id ?? responseId ?? createdAt));
  const isEach = ids.size === pieces.length && !ids.has(undefined);
  const isUnstreamed = !pieces.some((piece) => isFixture(readResponseFrames([piece])));
  return bodies.length === pieces.length && bodies.every(isWhole) && (isEach || isUnstreamed);
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
  if (CHUNKS.test(path)) return readChunks(text);
  if (pieces.length < 2 || !isObject(pieces[0])) return readBody(text);
  return areResponses(pieces) ? readLines(text) : readChunks(text);
}

/** A whole response a line. */
function readLines(text: TextParts): Tape {
  const { problems } = readJsonLines(text);
  const interactions = nonBlankLines(text).map(({ start, end }, index) =>
    interactionOf(index, { start, end }, () => readResponseJson(parseJson(text.slice(start, end)) ?? null)),
  );
  return tapeOf(interactions, problems);
}

function readChunks(text: TextParts): Tape {
  const { problems } = readJsonLines(text);
  const pieces = nonBlankLines(text);
  const interactions = streamsOf(text, pieces).map((own, index) => {
    const source = { start: own[0]?.start ?? 0, end: own.at(-1)?.end ?? text.length };
    return interactionOf(index, source, () => readResponseFrames(own.map(({ start, end }) => text.slice(start, end))));
  });
  return tapeOf(interactions, problems, pieces.length);
}

const BEGIN = /"type": ?"(?:message_start|response\.created)"/;
const END = /"type": ?"(?:message_stop|response\.(?:completed|failed|incomplete))"/;

/** The events of each response: where one ended, another may follow. */
function streamsOf(text: TextParts, pieces: readonly Span[]): readonly (readonly Span[])[] {
  const streams: Span[][] = [[]];
  let hasEnded = false;
  for (const piece of pieces) {
    const line = text.slice(piece.start, piece.end);
    if (hasEnded && BEGIN.test(line)) {
      streams.push([]);
      hasEnded = false;
    }
    streams.at(-1)?.push(piece);
    hasEnded ||= END.test(line);
  }
  return streams;
}

function readBody(text: TextParts): Tape {
  const { value: body, problems } = readJson(text);
  if (body === undefined || problems.length > 0) return { format: 'vercel-ai', interactions: [], problems };
  const source = { start: 0, end: text.length };
  return tapeOf([interactionOf(0, source, () => readResponseJson(jsonValue(body)))], []);
}

function tapeOf(interactions: readonly LazyInteraction[], problems: readonly Problem[], records?: number): Tape {
  return new LazyTape(omitUndefined({ format: 'vercel-ai' as const, interactions, records }), () => [
    ...problems,
    ...interactionProblems(interactions),
  ]);
}

function interactionOf(index: number, source: Span, read: () => ExchangeReading): LazyInteraction {
  return new LazyInteraction(index, source, () => {
    const { problems: sentences, ...content } = read();
    return { content, problems: exchangeProblems(sentences, source) };
  });
}
