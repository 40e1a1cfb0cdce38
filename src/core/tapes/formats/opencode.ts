import { type JsonNode, member } from '../../json/jsonDocument';
import { jsonOutline } from '../../json/jsonOutline';
import { nodeAt } from '../../json/jsonPath';
import { present } from '../../wire/fields';
import { readHttpInteraction } from '../httpInteraction';
import type { InteractionContent } from '../lazyTape';
import type { Chunk, HttpExchange, Timing } from '../tape';
import type { TapeFile } from '../tapeFile';
import type { TapeFormat } from '../tapeFormat';
import { EXCHANGES, writing } from './holdings';
import { httpEdits } from './httpEdits';
import {
  type BodyPlace,
  type HttpLayout,
  REQUEST_AND_RESPONSE,
  readJsonHttpTape,
  storedHeaders,
  textAt,
} from './jsonHttp';
import { editJsonHttpTape, followJsonHttpTape } from './jsonHttpEdit';
import { writeOpencode } from './opencodeWrite';
import { base64Body, type StoredBody, textBody } from './storedBody';

/** Cassettes of opencode's http-recorder, version 1 (anomalyco/opencode, `packages/http-recorder/src/schema.ts`). */
export const opencodeFormat = {
  id: 'opencode',
  label: 'opencode http-recorder cassette',
  syntax: 'json',
  looksLike,
  read: (file) => readJsonHttpTape(layout, file),
  ...writing(EXCHANGES, writeOpencode),
  ...httpEdits((file, edit) => editJsonHttpTape(layout, file, edit)),
  follow: (file, changes) => followJsonHttpTape(layout, file, changes),
} satisfies TapeFormat;

const layout: HttpLayout = {
  format: 'opencode',
  entries: ['interactions'],
  name: ['metadata', 'name'],
  version: ['version'],
  ...REQUEST_AND_RESPONSE,
  readRequestBody: ({ node }) => textBody(node),
  readResponseBody,
  timing,
  readOther: readSocket,
};

function looksLike({ text }: TapeFile): boolean {
  const paths = jsonOutline(text);
  if (!paths.has('version') || !paths.has('interactions[]') || paths.has('case_name')) return false;
  return (
    paths.has('interactions[].request.url') || paths.has('interactions[].transport') || paths.has('metadata.recordedAt')
  );
}

function readResponseBody({ entry, node }: BodyPlace): StoredBody {
  return textAt(entry, ['response', 'bodyEncoding']) === 'base64' ? base64Body(node) : textBody(node);
}

function timing(_: JsonNode, root: JsonNode): Timing {
  return present({ recordedAt: textAt(root, ['metadata', 'recordedAt']) });
}

/**
 * What went over a WebSocket: the frames of the server are the answer. The last thing the client said is the request;
 * a socket on which several questions were asked shows only that one.
 */
function readSocket(entry: JsonNode): InteractionContent | undefined {
  if (textAt(entry, ['transport']) !== 'websocket') return undefined;
  const exchange: HttpExchange = {
    method: 'GET',
    url: textAt(entry, ['open', 'url']) ?? textAt(entry, ['connection', 'url']) ?? '',
    requestHeaders: storedHeaders(nodeAt(entry, ['open', 'headers'])).map(({ name, value }) => [name, value]),
    requestBody: asked(frames(entry, 'client')),
    status: 101,
    responseHeaders: [],
    responseBody: { type: 'chunks', chunks: frames(entry, 'server') },
  };
  const { content } = readHttpInteraction({ exchange, source: entry });
  return content.kind === 'http' ? { ...content, kind: 'frame' } : content;
}

function asked(sent: readonly Chunk[]): HttpExchange['requestBody'] {
  const last = sent.findLast(({ data }) => /^\s*\{/.test(data));
  return last === undefined ? { type: 'none' } : { type: 'text', text: last.data };
}

/** The frames of one side: in a list of their own or, in newer files, among all events. Binary ones stay in base64. */
function frames(entry: JsonNode, side: 'client' | 'server'): Chunk[] {
  const events = member(entry, 'events') ?? member(entry, side);
  if (events?.type !== 'array') return [];
  return events.items.flatMap((frame) => {
    const data = textAt(frame, ['body']);
    return data === undefined || (textAt(frame, ['direction']) ?? side) !== side ? [] : [{ data }];
  });
}
