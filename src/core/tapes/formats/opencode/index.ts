import { omitUndefined } from '../../../json/fields';
import { prettyJson } from '../../../json/json';
import type { JsonNode } from '../../../json/jsonNode';
import { nodeAt } from '../../../json/jsonPath';
import { member } from '../../../json/readJson';
import type { Chunk, HttpExchange } from '../../../model/http';
import type { RecordedInteraction } from '../../../model/interaction';
import { BodyBudget } from '../../../wire/body/bodyBudget';
import { decompressExchange } from '../../../wire/body/bodyContent';
import type { InteractionContent } from '../../lazyTape';
import { any, none } from '../../marks';
import { httpFormat } from '../shared/httpFormat';
import { readHttpInteraction } from '../shared/httpInteraction';
import { storedHeaders, stringAt } from '../shared/httpTape';
import { bodyBase64, bodyText, headerObject, recordedExchange } from '../shared/recordedHttp';
import { base64Body, textBody } from '../shared/storedBody';

/** Cassettes of opencode's http-recorder, version 1 (anomalyco/opencode, `packages/http-recorder/src/schema.ts`). */
export const opencodeFormat = httpFormat({
  id: 'opencode',
  label: 'opencode http-recorder cassette',
  files: ['json'],
  marks: [
    'version',
    'interactions[]',
    // Of CheckAgent's cassettes, of go-vcr's in JSON, and of standin's.
    none('case_name', 'interactions[].response.code', 'recorded_with'),
    any('interactions[].request.url', 'interactions[].transport', 'metadata.recordedAt'),
  ],
  at: { entries: 'interactions', name: 'metadata.name', version: 'version' },
  requestBody: ({ node }) => textBody(node),
  responseBody: ({ entry, node }) =>
    stringAt(entry, 'response.bodyEncoding') === 'base64' ? base64Body(node) : textBody(node),
  timing: (_, root) => omitUndefined({ recordedAt: stringAt(root, 'metadata.recordedAt') }),
  readOther: readTalk,
  // Of a WebSocket: where it was opened.
  isBeside: (key) => ['transport', 'open', 'connection', 'close'].includes(key),
  write,
});

/**
 * A WebSocket as an exchange: the frames of the server are the response, and the last frame of the client is the
 * request. A socket with several requests shows only the last one.
 */
function readTalk(entry: JsonNode): InteractionContent | undefined {
  if (stringAt(entry, 'transport') !== 'websocket') return undefined;
  const exchange: HttpExchange = {
    method: 'GET',
    url: stringAt(entry, 'open.url') ?? stringAt(entry, 'connection.url') ?? '',
    requestHeaders: storedHeaders(nodeAt(entry, 'open.headers')).map(({ name, value }) => [name, value]),
    requestBody: lastClientFrame(framesOf(entry, 'client')),
    status: 101,
    responseHeaders: [],
    responseBody: { type: 'chunks', chunks: framesOf(entry, 'server') },
  };
  const { content } = readHttpInteraction({ exchange, source: entry, budget: new BodyBudget(entry.end - entry.start) });
  return content.kind === 'http' ? { ...content, kind: 'frame' } : content;
}

function lastClientFrame(sent: readonly Chunk[]): HttpExchange['requestBody'] {
  const last = sent.findLast(({ data }) => /^\s*\{/.test(data));
  return last === undefined ? { type: 'none' } : { type: 'text', text: last.data };
}

/** The frames of one side: in a list of their own or, in newer files, among all events. Binary ones stay in base64. */
function framesOf(entry: JsonNode, side: 'client' | 'server'): Chunk[] {
  const events = member(entry, 'events') ?? member(entry, side);
  if (events?.type !== 'array') return [];
  return events.items.flatMap((frame) => {
    const data = stringAt(frame, 'body');
    return data === undefined || (stringAt(frame, 'direction') ?? side) !== side ? [] : [{ data }];
  });
}

/** A whole cassette as opencode's recorder writes it. Requests are text; the format has no place for binary ones. */
function write(name: string, interactions: readonly RecordedInteraction[]): string {
  const recordedAt = interactions.find(({ timing }) => timing?.recordedAt !== undefined)?.timing?.recordedAt;
  const entries = interactions.map(recordedExchange).map((exchange) => {
    const { requestHeaders, requestBody } = decompressExchange(exchange);
    const base64 = bodyBase64(exchange.responseBody);
    return {
      transport: 'http',
      request: {
        method: exchange.method.toUpperCase(),
        url: exchange.url,
        headers: headerObject(requestHeaders),
        body: bodyText(requestBody) ?? '',
      },
      response: {
        status: exchange.status ?? 0,
        headers: headerObject(exchange.responseHeaders),
        body: base64 ?? bodyText(exchange.responseBody) ?? '',
        ...(base64 === undefined ? {} : { bodyEncoding: 'base64' }),
      },
    };
  });
  const metadata = { name, ...(recordedAt === undefined ? {} : { recordedAt }) };
  return `${prettyJson({ version: 1, metadata, interactions: entries })}\n`;
}
