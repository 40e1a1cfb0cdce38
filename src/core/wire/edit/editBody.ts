import { decodeBase64, encodeBase64 } from '../../bytes/base64';
import { concatBytes } from '../../bytes/concatBytes';
import { recompress } from '../../bytes/recompress';
import { asRecord, asString } from '../../json/fields';
import type { Json } from '../../json/json';
import { withValueAt } from '../../json/jsonPath';
import { parseJson } from '../../json/readJson';
import type { Chunk, HttpBody, HttpExchange } from '../../model/http';
import { t } from '../../text/l10n';
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
  /** Descriptions of other parts that had to change, such as checksums. */
  readonly dependents: readonly string[];
}

export interface EditRefusal {
  /** The reason, as a sentence. */
  readonly refused: string;
}

/**
 * Edits a response in its body and keeps the rest of the body as it is. Compressed bodies are compressed again, and
 * checksums are recomputed.
 */
export function editBody(
  { responseBody: body, responseHeaders }: HttpExchange,
  editor: ResponseEditor,
): BodyEdit | EditRefusal {
  switch (body.type) {
    case 'none':
      return { refused: t('This response has no body.') };
    case 'json':
      return { body: { type: 'json', json: editJson(body.json, editor) }, dependents: [] };
    case 'chunks':
      return { body: { type: 'chunks', chunks: editChunks(body.chunks, editor) }, dependents: [] };
    default:
      return editPacked(body, decodeBody(body, responseHeaders), editor);
  }
}

function editJson(json: Json, editor: ResponseEditor): Json {
  return editor.inJson(json).reduce<Json>((whole, { path, value }) => withValueAt(whole, path, value), json);
}

/** Chunks are either events or network data, which may be split anywhere. */
function editChunks(chunks: readonly Chunk[], editor: ResponseEditor): Chunk[] {
  const pieces = chunks.map(({ data }) => data);
  const text = pieces.join('');
  const isNetwork = chunks.every(({ event }) => event === undefined) && (looksLikeSse(text) || looksLikeNdjson(text));
  const edited = isNetwork
    ? rewritePieces(pieces, editText(text, editor))
    : editor.inFrames(parseFrames(chunks).frames).map((edits, index) => {
        const data = pieces[index] ?? '';
        return applySplices(data, jsonTextSplices(data, edits));
      });
  return chunks.map((chunk, index) => ({ ...chunk, data: edited[index] ?? chunk.data }));
}

function editPacked(
  body: HttpBody & { type: 'text' | 'base64' },
  decoded: DecodedBody,
  editor: ResponseEditor,
): BodyEdit | EditRefusal {
  const { decodedFrom: layers } = decoded;
  if (body.type === 'text' && layers.length === 0) {
    return { body: { type: 'text', text: editText(body.text, editor) }, dependents: [] };
  }
  const isStream = looksLikeEventStream(decoded.bytes);
  const bytes = isStream ? editEventStream(decoded.bytes, editor) : editBytes(decoded, editor);
  if (bytes === undefined) return { refused: t('The body of this response is not UTF-8; edit the body directly.') };
  const compressed = layers.filter((layer) => layer !== 'base64');
  const packed = recompress(bytes, compressed, storedBytes(body, layers));
  if (packed === undefined)
    return { refused: t('Bodies compressed with {0} cannot be written.', compressed.join(', ')) };
  return {
    body: body.type === 'base64' ? { type: 'base64', base64: encodeBase64(packed) } : textBody(packed, layers),
    dependents: isStream ? [t('the checksums of the event stream')] : [],
  };
}

/** Some formats keep compressed bytes in text: as base64, or one character per byte. */
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

/** Undefined if the text does not encode to the bytes it was decoded from. */
function editBytes({ bytes, text }: DecodedBody, editor: ResponseEditor): Uint8Array | undefined {
  if (text === undefined) return undefined;
  const encoder = new TextEncoder();
  const mark = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? BYTE_ORDER_MARK : new Uint8Array();
  const isSame = encoder.encode(text).length + mark.length === bytes.length;
  return isSame ? concatBytes([mark, encoder.encode(editText(text, editor))]) : undefined;
}

function editText(text: string, editor: ResponseEditor): string {
  return applySplices(text, textSplices(text, editor));
}

/** The splices in a text that is server-sent events, JSON lines, or JSON. */
function textSplices(text: string, editor: ResponseEditor): readonly Splice[] {
  if (looksLikeSse(text)) {
    const events = readSse(text);
    const edits = editor.inFrames(parseFrames(events).frames);
    return events.flatMap(({ data, dataLines }, index) =>
      jsonTextSplices(data, edits[index] ?? []).map((splice) => spliceDataLines(splice, dataLines, text)),
    );
  }
  if (looksLikeNdjson(text)) {
    const lines = readNdjson(text);
    const edits = editor.inFrames(parseFrames(lines).frames);
    return lines.flatMap(({ data, start }, index) =>
      jsonTextSplices(data, edits[index] ?? []).map((splice) => moveSplice(splice, start)),
    );
  }
  const json = parseJson(text);
  return json === undefined ? [] : jsonTextSplices(text, editor.inJson(json));
}

function moveSplice({ start, end, text }: Splice, by: number): Splice {
  return { start: start + by, end: end + by, text };
}

/** Converts a splice in an event's data into one in the text. In the data, lines are joined by one line feed. */
function spliceDataLines(splice: Splice, lines: readonly Span[], source: string): Splice {
  let at = 0;
  for (const { start, end } of lines) {
    if (splice.start >= at && splice.end <= at + end - start && !splice.text.includes('\n'))
      return moveSplice(splice, start - at);
    at += end - start + 1;
  }
  // A splice across lines occurs only in data that is not JSON, which is replaced as a whole.
  const [first = splice, second] = lines;
  const separator = second === undefined ? '\ndata: ' : source.slice(first.end, second.start);
  return { start: first.start, end: lines.at(-1)?.end ?? first.end, text: splice.text.replaceAll('\n', separator) };
}

/** Edits a response in the messages of an AWS event stream. Edited messages get new checksums. */
function editEventStream(bytes: Uint8Array, editor: ResponseEditor): Uint8Array {
  const { messages } = readEventStream(bytes);
  const edits = editor.inFrames(readEventStreamFrames(bytes).frames);
  const end = messages.at(-1)?.end ?? 0;
  const written = messages.map((message, index) => {
    const inFrame = edits[index] ?? [];
    if (inFrame.length === 0) return bytes.subarray(message.start, message.end);
    return writeEventStream([{ ...message, payload: editPayload(message, inFrame) }]);
  });
  return concatBytes([...written, bytes.subarray(end)]);
}

function editPayload({ payload }: EventMessage, edits: readonly JsonEdit[]): Uint8Array {
  const text = new TextDecoder().decode(payload);
  return new TextEncoder().encode(editWrapped(text, edits) ?? editJsonText(text, edits));
}

/** `invoke-with-response-stream` wraps the model's own frames: `{"bytes": base64, "p": padding}`. */
function editWrapped(text: string, edits: readonly JsonEdit[]): string | undefined {
  const wrapped = asString(asRecord(parseJson(text)).bytes);
  const bytes = wrapped === undefined ? undefined : decodeBase64(wrapped);
  if (bytes === undefined) return undefined;
  const inner = editJsonText(new TextDecoder().decode(bytes), edits);
  return editJsonText(text, [{ path: ['bytes'], value: encodeBase64(new TextEncoder().encode(inner)) }]);
}

function editJsonText(text: string, edits: readonly JsonEdit[]): string {
  return applySplices(text, jsonTextSplices(text, edits));
}
