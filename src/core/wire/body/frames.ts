import { decodeBase64 } from '../../bytes/base64';
import { asRecord, asString, isBlank, omitUndefined } from '../../json/fields';
import type { Json } from '../../json/json';
import { parseJson, salvageJson } from '../../json/readJson';
import type { Chunk, HttpBody } from '../../model/http';
import { t } from '../../text/l10n';
import type { DecodedBody } from './body';
import { parseBodyJson } from './bodyJson';
import { type EventMessage, eventHeader, looksLikeEventStream, readEventStream } from './eventStream';
import { looksLikeNdjson, readNdjson } from './ndjson';
import { looksLikeSse, readSse } from './sse';

/** A chunk of a stream with its parsed JSON, if it is JSON. */
export interface Frame extends Chunk {
  readonly json: Json | undefined;
}

export interface FramesReading {
  readonly frames: readonly Frame[];
  readonly problems: readonly string[];
}

/** The frames of a streamed body; undefined if the body is not a stream. */
export function readFrames(body: HttpBody, decoded: DecodedBody): FramesReading | undefined {
  const isBinary = body.type === 'base64' || (body.type === 'chunks' && body.chunks.some(({ base64 }) => base64));
  if (body.type === 'chunks' && !isBinary) return parseFrames(splitChunks(body.chunks));
  if (body.type === 'none' || body.type === 'json') return undefined;
  if (isBinary && looksLikeEventStream(decoded.bytes)) return readEventStreamFrames(decoded.bytes);
  const pieces = splitText(decoded.text ?? '');
  return pieces && parseFrames(pieces);
}

/** Parses the JSON of chunks that are stored separately. */
export function parseFrames(chunks: readonly Chunk[]): FramesReading {
  const broken: number[] = [];
  const frames = chunks.map((chunk, index): Frame => {
    const json = parseBodyJson(chunk.data);
    if (json !== undefined || !/^\s*\{/.test(chunk.data)) return toFrame(chunk, json);
    broken.push(index + 1);
    return toFrame(chunk, salvageJson(chunk.data));
  });
  return { frames, problems: broken.length === 0 ? [] : [brokenFramesProblem(broken)] };
}

/** Drops the members that a subtype of `Chunk` adds, such as its position in the text. */
function toFrame({ event, data, delayMs }: Chunk, json: Json | undefined): Frame {
  return {
    ...(event === undefined ? {} : { event }),
    data,
    ...(delayMs === undefined ? {} : { delayMs }),
    json,
  };
}

function brokenFramesProblem([first = 0, ...others]: readonly number[]): string {
  return others.length === 0
    ? t('Frame {0} of the streamed response is not valid JSON; it was read up to the first error.', first)
    : t(
        'Frame {0} (and {1} more) of the streamed response is not valid JSON; it was read up to the first error.',
        first,
        others.length,
      );
}

/** A chunk with the offset of its end in the text. */
interface Piece extends Chunk {
  readonly end: number;
}

function splitText(text: string): readonly Piece[] | undefined {
  if (looksLikeSse(text)) return readSse(text).map(({ event, data, end }) => omitUndefined({ event, data, end }));
  if (looksLikeNdjson(text)) return readNdjson(text);
  return undefined;
}

/** Stored chunks are either events or network data, which may be split anywhere. */
function splitChunks(chunks: readonly Chunk[]): readonly Chunk[] {
  const pieces = chunks.some(({ event }) => event !== undefined)
    ? undefined
    : splitText(chunks.map(({ data }) => data).join(''));
  return pieces === undefined ? chunks : withDelays(pieces, chunks);
}

/** The delays of events, each of which was complete when the last chunk with a part of it arrived. */
function withDelays(pieces: readonly Piece[], chunks: readonly Chunk[]): Chunk[] {
  let taken = 0;
  let received = 0;
  return pieces.map(({ end, ...piece }) => {
    let delayMs: number | undefined;
    for (; received < end && taken < chunks.length; taken += 1) {
      const chunk = chunks[taken];
      received += chunk?.data.length ?? 0;
      if (chunk?.delayMs !== undefined) delayMs = (delayMs ?? 0) + chunk.delayMs;
    }
    return omitUndefined({ ...piece, delayMs });
  });
}

export function readEventStreamFrames(bytes: Uint8Array): FramesReading {
  const { messages, problems } = readEventStream(bytes);
  const read = parseFrames(messages.map(toChunk));
  return { frames: read.frames, problems: [...problems, ...read.problems] };
}

function toChunk(message: EventMessage): Chunk {
  const payload = new TextDecoder().decode(message.payload);
  const code = eventHeader(message, ':error-code');
  const errorMessage = eventHeader(message, ':error-message');
  const event = eventHeader(message, ':event-type') ?? eventHeader(message, ':exception-type') ?? code;
  // An error that is no modelled exception stands in the headers alone.
  if (payload === '' && (code ?? errorMessage) !== undefined) {
    return omitUndefined({ event, data: JSON.stringify({ error: { code, message: errorMessage } }) });
  }
  return omitUndefined({ event, data: unwrapInvocationChunk(event, payload) ?? payload });
}

/** `invoke-with-response-stream` wraps the model's own frames: `{"bytes": base64, "p": padding}`. */
function unwrapInvocationChunk(event: string | undefined, payload: string): string | undefined {
  if (event !== 'chunk') return undefined;
  const wrapped = asString(asRecord(parseJson(payload)).bytes);
  const bytes = isBlank(wrapped) ? undefined : decodeBase64(wrapped ?? '');
  return bytes && new TextDecoder().decode(bytes);
}
