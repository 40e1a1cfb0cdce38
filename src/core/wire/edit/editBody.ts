import { decodeBase64, encodeBase64 } from '../../bytes/base64';
import { concatBytes } from '../../bytes/concatBytes';
import { recompress } from '../../bytes/recompress';
import { asRecord, asString } from '../../json/fields';
import type { Json } from '../../json/json';
import { withValueAt } from '../../json/jsonPath';
import { parseJson } from '../../json/readJson';
import type { Chunk, HttpBody, HttpExchange } from '../../model/http';
import type { Span } from '../../text/source';
import { applySplices, type Splice } from '../../text/splice';
import { rewritePieces } from '../../text/splicesBetween';
import { type DecodedBody, decodeBody } from '../body/body';
import { type EventMessage, looksLikeEventStream, readEventStream, writeEventStream } from '../body/eventStream';
import { parseFrames, readEventStreamFrames } from '../body/frames';
import { looksLikeNdjson, readNdjson } from '../body/ndjson';
import { looksLikeSse, readSse } from '../body/sse';
import { type JsonEdit, jsonTextSplices, type ResponseEditor } from './textEdits';

/** A new body in the form of the old one. */
export interface BodyEdit {
  readonly body: HttpBody;
  /** What else had to change, in words. */
  readonly dependents: readonly string[];
}

/** Why something cannot be done, as a sentence. */
export interface EditRefusal {
  readonly refused: string;
}

/**
 * Changes an answer in its body, and of the body only what has to change: in a stream as few pieces as possible. What was
 * compressed is compressed again, what has checksums gets new ones.
 */
export function editBody(
  { responseBody: body, responseHeaders }: HttpExchange,
  changer: ResponseEditor,
): BodyEdit | EditRefusal {
  switch (body.type) {
    case 'none':
      return { refused: 'This answer has no body.' };
    case 'json':
      return { body: { type: 'json', json: editJson(body.json, changer) }, dependents: [] };
    case 'chunks':
      return { body: { type: 'chunks', chunks: editChunks(body.chunks, changer) }, dependents: [] };
    default:
      return editPacked(body, decodeBody(body, responseHeaders), changer);
  }
}

function editJson(json: Json, changer: ResponseEditor): Json {
  return changer.inJson(json).reduce<Json>((whole, { path, value }) => withValueAt(whole, path, value), json);
}

/** Chunks are events, or what came over the network at a time, which may be cut anywhere. */
function editChunks(chunks: readonly Chunk[], changer: ResponseEditor): Chunk[] {
  const pieces = chunks.map(({ data }) => data);
  const text = pieces.join('');
  const isNetwork = chunks.every(({ event }) => event === undefined) && (looksLikeSse(text) || looksLikeNdjson(text));
  const changed = isNetwork
    ? rewritePieces(pieces, editText(text, changer))
    : changer.inFrames(parseFrames(chunks).frames).map((changes, index) => {
        const data = pieces[index] ?? '';
        return applySplices(data, jsonTextSplices(data, changes));
      });
  return chunks.map((chunk, index) => ({ ...chunk, data: changed[index] ?? chunk.data }));
}

function editPacked(
  body: HttpBody & { type: 'text' | 'base64' },
  decoded: DecodedBody,
  changer: ResponseEditor,
): BodyEdit | EditRefusal {
  const { decodedFrom: layers } = decoded;
  if (body.type === 'text' && layers.length === 0) {
    return { body: { type: 'text', text: editText(body.text, changer) }, dependents: [] };
  }
  const isStream = looksLikeEventStream(decoded.bytes);
  const bytes = isStream ? editEventStream(decoded.bytes, changer) : editBytes(decoded, changer);
  if (bytes === undefined) return { refused: 'The body of this answer is not UTF-8; change the body itself.' };
  const compressed = layers.filter((layer) => layer !== 'base64');
  const packed = recompress(bytes, compressed, storedBytes(body, layers));
  if (packed === undefined)
    return { refused: `Nothing can be written here that is compressed with ${compressed.join(', ')}.` };
  return {
    body: body.type === 'base64' ? { type: 'base64', base64: encodeBase64(packed) } : textBody(packed, layers),
    dependents: isStream ? ['the checksums of the event stream'] : [],
  };
}

/** Some recorders keep compressed bytes in text, as base64 or as a character each. */
function textBody(bytes: Uint8Array, layers: readonly string[]): HttpBody {
  const isBase64 = layers[0] === 'base64';
  return {
    type: 'text',
    text: isBase64 ? encodeBase64(bytes) : Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''),
  };
}

function storedBytes(body: HttpBody & { type: 'text' | 'base64' }, layers: readonly string[]): Uint8Array {
  if (body.type === 'base64') return decodeBase64(body.base64) ?? new Uint8Array();
  if (layers[0] === 'base64') return decodeBase64(body.text) ?? new Uint8Array();
  return Uint8Array.from(body.text, (char) => char.charCodeAt(0));
}

const BYTE_ORDER_MARK = new Uint8Array([0xef, 0xbb, 0xbf]);

/** Undefined where the text does not encode to the bytes that it was read from. */
function editBytes({ bytes, text }: DecodedBody, changer: ResponseEditor): Uint8Array | undefined {
  if (text === undefined) return undefined;
  const encoder = new TextEncoder();
  const mark = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? BYTE_ORDER_MARK : new Uint8Array();
  const isSame = encoder.encode(text).length + mark.length === bytes.length;
  return isSame ? concatBytes([mark, encoder.encode(editText(text, changer))]) : undefined;
}

function editText(text: string, changer: ResponseEditor): string {
  return applySplices(text, textSplices(text, changer));
}

/** The changes in a text that is a stream of events, lines of JSON, or JSON. */
function textSplices(text: string, changer: ResponseEditor): readonly Splice[] {
  if (looksLikeSse(text)) {
    const events = readSse(text);
    const changes = changer.inFrames(parseFrames(events).frames);
    return events.flatMap(({ data, dataLines }, index) =>
      jsonTextSplices(data, changes[index] ?? []).map((splice) => spliceDataLines(splice, dataLines, text)),
    );
  }
  if (looksLikeNdjson(text)) {
    const lines = readNdjson(text);
    const changes = changer.inFrames(parseFrames(lines).frames);
    return lines.flatMap(({ data, start }, index) =>
      jsonTextSplices(data, changes[index] ?? []).map((splice) => moveSplice(splice, start)),
    );
  }
  const json = parseJson(text);
  return json === undefined ? [] : jsonTextSplices(text, changer.inJson(json));
}

function moveSplice({ start, end, text }: Splice, by: number): Splice {
  return { start: start + by, end: end + by, text };
}

/** A splice in the data of an event, as one in the text: the lines of the data are joined by one character each. */
function spliceDataLines(splice: Splice, lines: readonly Span[], source: string): Splice {
  let at = 0;
  for (const { start, end } of lines) {
    if (splice.start >= at && splice.end <= at + end - start && !splice.text.includes('\n'))
      return moveSplice(splice, start - at);
    at += end - start + 1;
  }
  // Only data that is no JSON goes over the end of a line, and then it is replaced as a whole.
  const [first = splice, second] = lines;
  const separator = second === undefined ? '\ndata: ' : source.slice(first.end, second.start);
  return { start: first.start, end: lines.at(-1)?.end ?? first.end, text: splice.text.replaceAll('\n', separator) };
}

/** Changes an answer in the messages of an AWS event stream. Those that change get new checksums, the others stay. */
export function editEventStream(bytes: Uint8Array, changer: ResponseEditor): Uint8Array {
  const { messages } = readEventStream(bytes);
  const changes = changer.inFrames(readEventStreamFrames(bytes).frames);
  const end = messages.at(-1)?.end ?? 0;
  const written = messages.map((message, index) => {
    const inFrame = changes[index] ?? [];
    if (inFrame.length === 0) return bytes.subarray(message.start, message.end);
    return writeEventStream([{ ...message, payload: editPayload(message, inFrame) }]);
  });
  return concatBytes([...written, bytes.subarray(end)]);
}

function editPayload({ payload }: EventMessage, changes: readonly JsonEdit[]): Uint8Array {
  const text = new TextDecoder().decode(payload);
  return new TextEncoder().encode(editWrapped(text, changes) ?? editJsonText(text, changes));
}

/** `invoke-with-response-stream` wraps the model's own frames: `{"bytes": base64, "p": padding}`. */
function editWrapped(text: string, changes: readonly JsonEdit[]): string | undefined {
  const wrapped = asString(asRecord(parseJson(text)).bytes);
  const bytes = wrapped === undefined ? undefined : decodeBase64(wrapped);
  if (bytes === undefined) return undefined;
  const inner = editJsonText(new TextDecoder().decode(bytes), changes);
  return editJsonText(text, [{ path: ['bytes'], value: encodeBase64(new TextEncoder().encode(inner)) }]);
}

function editJsonText(text: string, changes: readonly JsonEdit[]): string {
  return applySplices(text, jsonTextSplices(text, changes));
}
