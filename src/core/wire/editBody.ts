import type { Json } from '../json/json';
import { withValueAt } from '../json/jsonPath';
import type { Chunk, HttpBody, HttpExchange } from '../tapes/tape';
import { changePieces } from '../text/pieces';
import type { Span } from '../text/source';
import { applySplices, type Splice } from '../text/splice';
import { looksLikeEventStream } from './awsEventStream';
import { decodeBase64, encodeBase64 } from './base64';
import { type DecodedBody, decodeBody } from './body';
import { concatBytes } from './bytes';
import { type AnswerChanger, jsonTextSplices } from './changeText';
import { editEventStream } from './editEventStream';
import { framesOf } from './frames';
import { looksLikeNdjson, readNdjson } from './ndjson';
import { parseJson } from './parseJson';
import { repackBytes } from './repack';
import { looksLikeSse, readSse } from './sse';

/** A new body in the form of the old one. */
export interface BodyEdit {
  readonly body: HttpBody;
  /** What else had to change, in words. */
  readonly dependents: readonly string[];
}

/** Why something cannot be done, as a sentence. */
export interface Refusal {
  readonly refused: string;
}

/**
 * Changes an answer in its body, and of the body only what has to change: in a stream as few pieces as possible. What was
 * compressed is compressed again, what has checksums gets new ones.
 */
export function editBody(
  { responseBody: body, responseHeaders }: HttpExchange,
  changer: AnswerChanger,
): BodyEdit | Refusal {
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

function editJson(json: Json, changer: AnswerChanger): Json {
  return changer.inJson(json).reduce<Json>((whole, { path, value }) => withValueAt(whole, path, value), json);
}

/** Chunks are events, or what came over the network at a time, which may be cut anywhere. */
function editChunks(chunks: readonly Chunk[], changer: AnswerChanger): Chunk[] {
  const pieces = chunks.map(({ data }) => data);
  const text = pieces.join('');
  const isNetwork = chunks.every(({ event }) => event === undefined) && (looksLikeSse(text) || looksLikeNdjson(text));
  const changed = isNetwork
    ? changePieces(pieces, editText(text, changer))
    : changer.inFrames(framesOf(chunks).frames).map((changes, index) => {
        const data = pieces[index] ?? '';
        return applySplices(data, jsonTextSplices(data, changes));
      });
  return chunks.map((chunk, index) => ({ ...chunk, data: changed[index] ?? chunk.data }));
}

function editPacked(
  body: HttpBody & { type: 'text' | 'base64' },
  decoded: DecodedBody,
  changer: AnswerChanger,
): BodyEdit | Refusal {
  const { decodedFrom: layers } = decoded;
  if (body.type === 'text' && layers.length === 0) {
    return { body: { type: 'text', text: editText(body.text, changer) }, dependents: [] };
  }
  const isStream = looksLikeEventStream(decoded.bytes);
  const bytes = isStream ? editEventStream(decoded.bytes, changer) : editBytes(decoded, changer);
  if (bytes === undefined) return { refused: 'The body of this answer is not UTF-8; change the body itself.' };
  const compressed = layers.filter((layer) => layer !== 'base64');
  const packed = repackBytes(bytes, compressed, storedBytes(body, layers));
  if (packed === undefined)
    return { refused: `Nothing can be written here that is compressed with ${compressed.join(', ')}.` };
  return {
    body: body.type === 'base64' ? { type: 'base64', base64: encodeBase64(packed) } : textOf(packed, layers),
    dependents: isStream ? ['the checksums of the event stream'] : [],
  };
}

/** Some recorders keep compressed bytes in text, as base64 or as a character each. */
function textOf(bytes: Uint8Array, layers: readonly string[]): HttpBody {
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
function editBytes({ bytes, text }: DecodedBody, changer: AnswerChanger): Uint8Array | undefined {
  if (text === undefined) return undefined;
  const encoder = new TextEncoder();
  const mark = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? BYTE_ORDER_MARK : new Uint8Array();
  const isSame = encoder.encode(text).length + mark.length === bytes.length;
  return isSame ? concatBytes([mark, encoder.encode(editText(text, changer))]) : undefined;
}

function editText(text: string, changer: AnswerChanger): string {
  return applySplices(text, splicesInText(text, changer));
}

/** The changes in a text that is a stream of events, lines of JSON, or JSON. */
function splicesInText(text: string, changer: AnswerChanger): readonly Splice[] {
  if (looksLikeSse(text)) {
    const events = readSse(text);
    const changes = changer.inFrames(framesOf(events).frames);
    return events.flatMap(({ data, dataLines }, index) =>
      jsonTextSplices(data, changes[index] ?? []).map((splice) => inLines(splice, dataLines, text)),
    );
  }
  if (looksLikeNdjson(text)) {
    const lines = readNdjson(text);
    const changes = changer.inFrames(framesOf(lines).frames);
    return lines.flatMap(({ data, start }, index) =>
      jsonTextSplices(data, changes[index] ?? []).map((splice) => moved(splice, start)),
    );
  }
  const json = parseJson(text);
  return json === undefined ? [] : jsonTextSplices(text, changer.inJson(json));
}

function moved({ start, end, text }: Splice, by: number): Splice {
  return { start: start + by, end: end + by, text };
}

/** A splice in the data of an event, as one in the text: the lines of the data are joined by one character each. */
function inLines(splice: Splice, lines: readonly Span[], source: string): Splice {
  let at = 0;
  for (const { start, end } of lines) {
    if (splice.start >= at && splice.end <= at + end - start && !splice.text.includes('\n'))
      return moved(splice, start - at);
    at += end - start + 1;
  }
  // Only data that is no JSON goes over the end of a line, and then it is replaced as a whole.
  const [first = splice, second] = lines;
  const separator = second === undefined ? '\ndata: ' : source.slice(first.end, second.start);
  return { start: first.start, end: lines.at(-1)?.end ?? first.end, text: splice.text.replaceAll('\n', separator) };
}
