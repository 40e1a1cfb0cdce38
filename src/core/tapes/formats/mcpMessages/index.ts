import { asString, omitUndefined } from '../../../json/fields';
import { compactJson, isRecord, type JsonRecord } from '../../../json/json';
import { headLines, readLineNodes, startsWithObjectLine } from '../../../json/jsonLines';
import type { JsonNode } from '../../../json/jsonNode';
import { beginningOutline, looksLikeJson } from '../../../json/jsonOutline';
import { nodeAt } from '../../../json/jsonPath';
import { exactValue, member } from '../../../json/readJson';
import type { McpStep, McpTransport } from '../../../model/mcp';
import type { Tape } from '../../../model/tape';
import { readTextDocument } from '../../../syntax/textDocument';
import type { ParseResult, Span } from '../../../text/source';
import type { TextParts } from '../../../text/textParts';
import type { TapeFormat } from '../../format';
import { interactionProblems, jsonTreeBytes, LazyInteraction, LazyTape } from '../../lazyTape';
import { any, hasMark, type Mark, outlineOf } from '../../marks';
import { unreadRecords } from '../../notRead';
import { type TapeFile, textParts } from '../../tapeFile';
import { numberAt, stringAt } from '../shared/httpTape';
import { mcpContent } from '../shared/mcpCall';

/**
 * Recordings of what an MCP client and its server said, message by message in their order, as several recorders write them: they differ in
 * the names that they give to the list, to a message, and to its direction.
 */
export const mcpMessagesFormat = {
  id: 'mcp-messages',
  label: 'MCP message log',
  family: 'frames',
  extensions: ['json', 'jsonl', 'ndjson', 'yaml', 'yml', 'vcr'],
  ownEndings: ['vcr'],
  looksLike,
  read,
} satisfies TapeFormat;

/** Who said a message, by what recorders write. */
const SENDERS: Readonly<Record<string, McpStep['from']>> = {
  client: 'client',
  server: 'server',
  c2s: 'client',
  s2c: 'server',
  'client->server': 'client',
  'server->client': 'server',
};

/** Of mcp-cassette, mcp-vcr and agent-vcr. */
const DOCUMENTS: Mark = any(
  ['format_version', 'messages[].sender', 'messages[].payload'],
  ['meta.schema_version', 'messages[].dir', 'messages[].payload'],
  [
    'format_version',
    'session.interactions',
    any('session.initialize_request', 'session.interactions[].request.jsonrpc'),
  ],
);
/** Of mcp-rec and mcp-vcr. */
const LINES: Mark = any(['ts', 'dir', 'msg'], ['dir', 't', 'payload.jsonrpc']);

function looksLike(file: TapeFile): boolean {
  const text = textParts(file);
  if (isLines(text)) return true;
  return hasMark(text, outlineOf(text), DOCUMENTS);
}

function isLines(text: TextParts): boolean {
  if (!looksLikeJson(text) || !startsWithObjectLine(text)) return false;
  return headLines(text, 2).some((line) => hasMark(line, beginningOutline(line), LINES));
}

interface Said {
  readonly from: McpStep['from'];
  readonly message: JsonRecord;
  readonly place: Span;
  readonly afterMs?: number | undefined;
}

interface Exchange {
  readonly asked: Said;
  readonly steps: Said[];
}

function read(file: TapeFile): Tape {
  const text = textParts(file);
  const { value: root, problems } = rootOf(text);
  if (root === undefined) return { format: 'mcp-messages', interactions: [], problems };
  const messages = messagesOf(root);
  const transport: McpTransport = transportOf(root);
  const exchanges = exchangesOf(messages);
  const interactions = exchanges.map(({ asked, steps }, index) => {
    const place = { start: asked.place.start, end: Math.max(asked.place.end, steps.at(-1)?.place.end ?? 0) };
    const said = steps.map(({ from, message, afterMs }) => omitUndefined({ from, message, afterMs }));
    const content = () => mcpContent({ server: '', transport, message: asked.message, steps: said });
    return new LazyInteraction(index, place, () => ({ content: content(), problems: [] }));
  });
  const heard = new Set(exchanges.flatMap(({ asked, steps }) => [asked, ...steps]));
  const unheard = messages.filter((said) => !heard.has(said)).map(({ place }) => ({ place }));
  const version = stringAt(root, 'format_version') ?? stringAt(root, 'meta.schema_version');
  return new LazyTape(
    { format: 'mcp-messages', name: serverName(root), version, interactions, weight: jsonTreeBytes(root) },
    () => [...problems, ...interactionProblems(interactions), ...unreadRecords('mcp-messages', text, unheard)],
  );
}

function rootOf(text: TextParts): ParseResult<JsonNode> {
  if (isLines(text)) return readLineNodes(text);
  const { roots, problems } = readTextDocument(text);
  return { value: roots[0], problems };
}

function serverName(root: JsonNode): string | undefined {
  return stringAt(root, 'server_info.name') ?? stringAt(root, 'session.initialize_response.result.serverInfo.name');
}

function transportOf(root: JsonNode): McpTransport {
  const said = stringAt(root, 'transport') ?? stringAt(root, 'metadata.transport') ?? 'stdio';
  return said === 'stdio' ? 'stdio' : said === 'sse' ? 'sse' : 'http';
}

function messagesOf(root: JsonNode): readonly Said[] {
  const list = root.type === 'array' ? root : nodeAt(root, 'messages');
  if (list?.type === 'array') return list.items.flatMap(saidIn);
  const session = nodeAt(root, 'session');
  const pairs = nodeAt(session, 'interactions');
  const first = [
    ...saidBy('client', member(session, 'initialize_request')),
    ...saidBy('server', member(session, 'initialize_response')),
  ];
  return pairs?.type === 'array' ? [...first, ...pairs.items.flatMap(saidInPair)] : first;
}

function saidIn(node: JsonNode): Said[] {
  const from = SENDERS[stringAt(node, 'sender') ?? stringAt(node, 'dir') ?? ''];
  return from === undefined ? [] : saidBy(from, member(node, 'payload') ?? member(node, 'msg'), node);
}

/** A request with what came back; notifications came before the reply. */
function saidInPair(node: JsonNode): Said[] {
  const notes = member(node, 'notifications');
  const between = notes?.type === 'array' ? notes.items.flatMap((note) => saidBy('server', note)) : [];
  const reply = saidBy('server', member(node, 'response'));
  const latency = numberAt(node, 'latency_ms');
  return [
    ...saidBy('client', member(node, 'request')),
    ...between,
    ...reply.map((said) => ({ ...said, afterMs: latency })),
  ];
}

function saidBy(from: McpStep['from'], node: JsonNode | undefined, place: Span | undefined = node): Said[] {
  const message = node && exactValue(node);
  if (!isRecord(message) || place === undefined) return [];
  // agent-vcr writes members that a message does not have as null.
  const entries = Object.entries(message).filter(([key, value]) => value !== null || key === 'id');
  return [{ from, message: Object.fromEntries(entries), place }];
}

/** Each message of the client that asks or notes something, with what followed from it. */
function exchangesOf(messages: readonly Said[]): readonly Exchange[] {
  const exchanges: Exchange[] = [];
  const open = new Map<string, Exchange>();
  for (const said of messages) {
    const { method, id } = said.message;
    const key = compactJson(id ?? null);
    const isAsked = said.from === 'client' && asString(method) !== undefined;
    if (isAsked) {
      const exchange: Exchange = { asked: said, steps: [] };
      exchanges.push(exchange);
      if (id !== undefined) open.set(key, exchange);
      continue;
    }
    const isReply = said.from === 'server' && method === undefined;
    const answered = isReply ? open.get(key) : ([...open.values()].at(-1) ?? exchanges.at(-1));
    answered?.steps.push(said);
    if (isReply) open.delete(key);
  }
  return exchanges;
}
