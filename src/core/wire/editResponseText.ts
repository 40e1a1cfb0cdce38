import type { Json } from '../json/json';
import { type JsonNode, readJson } from '../json/jsonDocument';
import { type JsonPath, nodeAt, withValueAt } from '../json/jsonPath';
import { writeJsonString } from '../json/jsonScalar';
import type { Chunk, HttpBody, HttpExchange } from '../tapes/tape';
import { applySplices, type Splice } from '../text/splice';
import { type DecodedBody, decodeBody } from './body';
import { distributeText } from './distributeText';
import { editEventStream } from './editEventStream';
import { framesOf, readFrames } from './frames';
import { looksLikeNdjson, readNdjson } from './ndjson';
import { eventsOf, framesOfList } from './readAnswer';
import { readExchange } from './readExchange';
import { packedText, repackBytes } from './repack';
import { looksLikeSse, readSse } from './sse';
import { streamTextSites } from './streamTextSites';
import { below, type TextSite } from './textSites';
import type { WireApi } from './wireApi';
import { WHOLE_TEXT_SITES } from './wholeTextSites';

/** A string in the JSON of a body that gets another value. */
export interface JsonChange {
  readonly path: JsonPath;
  readonly text: string;
}

/** A new body in the form of the old one. */
export interface BodyEdit {
  readonly body: HttpBody;
  /** In a body that is kept parsed: the strings that changed. */
  readonly changes: readonly JsonChange[];
  /** In a body that is kept as text: the ranges of the old text that changed. */
  readonly splices: readonly Splice[];
  /** What else had to change, in words. */
  readonly dependents: readonly string[];
}

/** Why something cannot be done, as a sentence. */
export interface Refusal {
  readonly refused: string;
}

/**
 * Changes the text of a recorded answer, and of its body only what tells this text: in a stream as few pieces as
 * possible, and all places where the stream repeats it. What was compressed is compressed again, what was checksummed
 * gets new sums. The new body is read again before it is handed out.
 */
export function editResponseText(exchange: HttpExchange, text: string): BodyEdit | Refusal {
  const { api, response } = readExchange(exchange);
  if (api === undefined || response === undefined) return refuse('This is no answer of a model whose protocol is known.');
  const { content } = response;
  if (content === null) return refuse('This answer has no text that could be changed.');
  const edit = editBody(exchange, { api, content, text });
  if ('refused' in edit) return edit;
  const read = readExchange({ ...exchange, responseBody: edit.body }).response?.content;
  return read === text ? edit : refuse('The text of this answer does not stand in its body in a way that can be changed.');
}

function refuse(refused: string): Refusal {
  return { refused };
}

/** What is to be done: in an answer of this protocol, this text in place of that. */
export interface TextChange {
  readonly api: WireApi;
  readonly content: string;
  readonly text: string;
}

function editBody({ responseBody: body, responseHeaders }: HttpExchange, change: TextChange): BodyEdit | Refusal {
  switch (body.type) {
    case 'none':
      return refuse('There is no body to change.');
    case 'json':
      return editJson(body.json, change);
    case 'chunks':
      return editChunks(body.chunks, change);
    case 'text':
    case 'base64':
      return editPacked(body, decodeBody(body, responseHeaders), change);
  }
}

function editJson(json: Json, change: TextChange): BodyEdit {
  const changes = changesInWhole(json, change);
  const edited = changes.reduce((value, { path, text }) => withValueAt(value, path, text), json);
  return { body: { type: 'json', json: edited }, changes, splices: [], dependents: [] };
}

function editPacked(
  body: HttpBody & { type: 'text' | 'base64' },
  decoded: DecodedBody,
  change: TextChange,
): BodyEdit | Refusal {
  const { decodedFrom: layers, text } = decoded;
  if (body.type === 'text' && layers.length === 0) {
    const splices = splicesInText(body.text, change);
    return { body: { type: 'text', text: applySplices(body.text, splices) }, changes: [], splices, dependents: [] };
  }
  const isStream = body.type === 'base64' && text === undefined;
  const bytes = isStream ? editEventStream(decoded.bytes, change) : editedBytes(decoded, change);
  if (bytes === undefined) return refuse('This body is no UTF-8 text, and it would not be written back as it is.');
  const compressed = layers.filter((layer) => layer !== 'base64');
  const packed = repackBytes(bytes, compressed, packedBytes(body));
  if (packed === undefined) return refuse(`This body is compressed with ${compressed.join(', ')}, which is not written here.`);
  const dependents = [...(isStream ? ['checksums of the event stream'] : []), ...compressed.map((layer) => `${layer} data`)];
  const kept = packedText(packed, body.type === 'base64' ? ['base64'] : layers);
  const edited: HttpBody = body.type === 'base64' ? { type: 'base64', base64: kept } : { type: 'text', text: kept };
  return { body: edited, changes: [], splices: [], dependents };
}
