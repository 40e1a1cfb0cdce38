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
import { changesInFrames, changesInJson, jsonTextSplices, type TextChange } from './changeText';
import { editEventStream } from './editEventStream';
import { framesOf } from './frames';
import { looksLikeNdjson, readNdjson } from './ndjson';
import { parseJson } from './parseJson';
import { readExchange } from './readExchange';
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
 * Changes the text of a recorded answer, and of its body only what tells this text: in a stream as few pieces as
 * possible, and all places where the stream repeats it. What was compressed is compressed again, what has checksums gets
 * new ones. The new body is read before it is handed out: it tells exactly the text.
 */
export function editResponseText(exchange: HttpExchange, text: string): BodyEdit | Refusal {
  const { api, response } = readExchange(exchange);
  if (api === undefined || response === undefined) return { refused: 'This is no answer of a model that can be read.' };
  const { content } = response;
  if (content === null) return { refused: 'This answer has no text that could be changed.' };
  const edit = editBody(exchange, { api, content, text });
  if ('refused' in edit) return edit;
  const after = readExchange({ ...exchange, responseBody: edit.body }).response;
  if (after?.content === text) return edit;
  return { refused: 'The text of this answer does not stand in its body as it is; change the body itself.' };
}

function editBody({ responseBody: body, responseHeaders }: HttpExchange, change: TextChange): BodyEdit | Refusal {
  switch (body.type) {
    case 'none':
      return { refused: 'This answer has no body.' };
    case 'json':
      return { body: { type: 'json', json: editJson(body.json, change) }, dependents: [] };
    case 'chunks':
      return { body: { type: 'chunks', chunks: editChunks(body.chunks, change) }, dependents: [] };
    default:
      return editPacked(body, decodeBody(body, responseHeaders), change);
  }
}

function editJson(json: Json, change: TextChange): Json {
  return changesInJson(json, change).reduce((value, { path, text }) => withValueAt(value, path, text), json);
}

/** Chunks are events, or what came over the network at a time, which may be cut anywhere. */
function editChunks(chunks: readonly Chunk[], change: TextChange): Chunk[] {
  const pieces = chunks.map(({ data }) => data);
  const text = pieces.join('');
  const isNetwork = chunks.every(({ event }) => event === undefined) && (looksLikeSse(text) || looksLikeNdjson(text));
  const changed = isNetwork
    ? changePieces(pieces, editText(text, change))
    : changesInFrames(framesOf(chunks).frames, change).map((changes, index) => {
        const data = pieces[index] ?? '';
        return applySplices(data, jsonTextSplices(data, changes));
      });
  return chunks.map((chunk, index) => ({ ...chunk, data: changed[index] ?? chunk.data }));
}

function editPacked(
  body: HttpBody & { type: 'text' | 'base64' },
  decoded: DecodedBody,
  change: TextChange,
): BodyEdit | Refusal {
  const { decodedFrom: layers } = decoded;
  if (body.type === 'text' && layers.length === 0) {
    return { body: { type: 'text', text: editText(body.text, change) }, dependents: [] };
  }
  const isStream = looksLikeEventStream(decoded.bytes);
  const bytes = isStream ? editEventStream(decoded.bytes, change) : editBytes(decoded, change);
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
function editBytes({ bytes, text }: DecodedBody, change: TextChange): Uint8Array | undefined {
  if (text === undefined) return undefined;
  const encoder = new TextEncoder();
  const mark = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? BYTE_ORDER_MARK : new Uint8Array();
  const isSame = encoder.encode(text).length + mark.length === bytes.length;
  return isSame ? concatBytes([mark, encoder.encode(editText(text, change))]) : undefined;
}

function editText(text: string, change: TextChange): string {
  return applySplices(text, splicesInText(text, change));
}

/** The changes in a text that is a stream of events, lines of JSON, or JSON. */
function splicesInText(text: string, change: TextChange): readonly Splice[] {
  if (looksLikeSse(text)) {
    const events = readSse(text);
    const changes = changesInFrames(framesOf(events).frames, change);
    return events.flatMap(({ data, dataLines }, index) =>
      jsonTextSplices(data, changes[index] ?? []).map((splice) => inLines(splice, dataLines, text)),
    );
  }
  if (looksLikeNdjson(text)) {
    const lines = readNdjson(text);
    const changes = changesInFrames(framesOf(lines).frames, change);
    return lines.flatMap(({ data, start }, index) =>
      jsonTextSplices(data, changes[index] ?? []).map((splice) => moved(splice, start)),
    );
  }
  const json = parseJson(text);
  return json === undefined ? [] : jsonTextSplices(text, changesInJson(json, change));
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
