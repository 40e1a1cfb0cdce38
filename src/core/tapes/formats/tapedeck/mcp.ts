import { asRecord, asString, omitUndefined } from '../../../json/fields';
import { compactJson, type JsonRecord } from '../../../json/json';
import type { JsonNode } from '../../../json/jsonNode';
import { exactValue, member, parseExactJson } from '../../../json/readJson';
import type { Chunk } from '../../../model/http';
import type { McpExchange, McpStep, McpTransport } from '../../../model/mcp';
import type { InteractionContent } from '../../lazyTape';
import { mcpContent } from '../shared/mcpCall';
import { type LineField, writeLine } from './body';

/** Exchanges with MCP servers: the client's message in the line of the request, and a line for each message that followed. */

const TRANSPORTS: readonly McpTransport[] = ['stdio', 'http', 'sse'];

/** The members of the line of a request. */
export function mcpFields({ server, transport, message }: McpExchange): LineField[] {
  return [
    ['mcp', JSON.stringify({ server, transport })],
    ['message', compactJson(message)],
  ];
}

export function stepLine({ from, message, afterMs }: McpStep): string {
  return writeLine([
    ['after', `${afterMs ?? null}`],
    [from, compactJson(message)],
  ]);
}

/** The content of an interaction; `request` has the members of its line. */
export function readMcpEntry(
  request: JsonNode,
  response: { readonly chunks: readonly Chunk[] } | undefined,
): InteractionContent {
  const { server, transport } = asRecord(valueAt(request, 'mcp'));
  return mcpContent({
    server: asString(server) ?? '',
    transport: TRANSPORTS.find((known) => known === transport) ?? 'stdio',
    message: asRecord(valueAt(request, 'message')),
    steps: (response?.chunks ?? []).flatMap(readStep),
  });
}

function valueAt(fields: JsonNode, key: string) {
  const node = member(fields, key);
  return node && exactValue(node);
}

function readStep({ event, data, delayMs }: Chunk): McpStep[] {
  if (event !== 'server' && event !== 'client') return [];
  const message: JsonRecord = asRecord(parseExactJson(data));
  return [omitUndefined({ from: event, message, afterMs: delayMs })];
}
