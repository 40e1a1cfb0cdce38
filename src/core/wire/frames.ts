import type { Json } from '../json/json';
import type { Chunk, HttpBody } from '../tapes/tape';
import { type EventMessage, eventHeader, looksLikeEventStream, readEventStream } from './awsEventStream';
import { decodeBase64 } from './base64';
import type { DecodedBody } from './body';
import { isBlank, present, recordOf, textOf } from './fields';
import { looksLikeNdjson, readNdjson } from './ndjson';
import { parseJson, salvageJson } from './parseJson';
import { looksLikeSse, readSse } from './sse';

/** A piece of a streamed answer with the JSON in it, where it is JSON. */
export interface Frame extends Chunk {
  readonly json: Json | undefined;
}

export interface FramesReading {
  readonly frames: readonly Frame[];
  readonly problems: readonly string[];
}

/** The pieces of a streamed body; undefined where the body is no stream. */
export function readFrames(body: HttpBody, decoded: DecodedBody): FramesReading | undefined {
  const isBinary = body.type === 'base64' || (body.type === 'chunks' && body.chunks.some(({ base64 }) => base64));
  if (body.type === 'chunks' && !isBinary) return framesOf(piecesOfChunks(body.chunks));
  if (body.type === 'none' || body.type === 'json') return undefined;
  if (isBinary && looksLikeEventStream(decoded.bytes)) return eventStreamFrames(decoded.bytes);
  const pieces = piecesOfText(decoded.text ?? '');
  return pieces && framesOf(pieces);
}

/** Reads the JSON of pieces that a format stores one by one. */
export function framesOf(chunks: readonly Chunk[]): FramesReading {
  const broken: number[] = [];
  const frames = chunks.map((chunk, index): Frame => {
    const json = parseJson(chunk.data);
    if (json !== undefined || !/^\s*\{/.test(chunk.data)) return frameOf(chunk, json);
    broken.push(index + 1);
    return frameOf(chunk, salvageJson(chunk.data));
  });
  return { frames, problems: broken.length === 0 ? [] : [brokenPieces(broken)] };
}

/** A chunk may know more than a frame is to have: where it stood in the text. */
function frameOf({ event, data, delayMs }: Chunk, json: Json | undefined): Frame {
  return {
    ...(event === undefined ? {} : { event }),
    data,
    ...(delayMs === undefined ? {} : { delayMs }),
    json,
  };
}

function brokenPieces([first, ...others]: readonly number[]): string {
  const more = others.length === 0 ? '' : ` (and ${others.length} more)`;
  return `Piece ${first}${more} of the streamed answer is no valid JSON; what comes before the mistake was read.`;
}

/** A chunk that knows where in the text it ends. */
interface Piece extends Chunk {
  readonly end: number;
}

function piecesOfText(text: string): readonly Piece[] | undefined {
  if (looksLikeSse(text)) return readSse(text).map(({ event, data, end }) => present({ event, data, end }));
  if (looksLikeNdjson(text)) return readNdjson(text);
  return undefined;
}

/** Recorders that keep pieces keep either events or what came over the network, which may be cut anywhere. */
function piecesOfChunks(chunks: readonly Chunk[]): readonly Chunk[] {
  const pieces = chunks.some(({ event }) => event !== undefined)
    ? undefined
    : piecesOfText(chunks.map(({ data }) => data).join(''));
  return pieces === undefined ? chunks : withDelays(pieces, chunks);
}

/** A piece was there when the last chunk with a part of it had come. */
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
    return present({ ...piece, delayMs });
  });
}

export function eventStreamFrames(bytes: Uint8Array): FramesReading {
  const { messages, problems } = readEventStream(bytes);
  const read = framesOf(messages.map(eventStreamChunk));
  return { frames: read.frames, problems: [...problems, ...read.problems] };
}

function eventStreamChunk(message: EventMessage): Chunk {
  const payload = new TextDecoder().decode(message.payload);
  const code = eventHeader(message, ':error-code');
  const said = eventHeader(message, ':error-message');
  const event = eventHeader(message, ':event-type') ?? eventHeader(message, ':exception-type') ?? code;
  // An error that is no modelled exception stands in the headers alone.
  if (payload === '' && (code ?? said) !== undefined) {
    return present({ event, data: JSON.stringify({ error: { code, message: said } }) });
  }
  return present({ event, data: invocationChunk(event, payload) ?? payload });
}

/** `invoke-with-response-stream` wraps the model's own frames: `{"bytes": base64, "p": padding}`. */
function invocationChunk(event: string | undefined, payload: string): string | undefined {
  if (event !== 'chunk') return undefined;
  const wrapped = textOf(recordOf(parseJson(payload)).bytes);
  const bytes = isBlank(wrapped) ? undefined : decodeBase64(wrapped ?? '');
  return bytes && new TextDecoder().decode(bytes);
}
