import { asRecord, asString } from '../../../json/fields';
import { compactJson, type Json, type JsonRecord, prettyJson } from '../../../json/json';
import type { RecordedInteraction } from '../../../model/interaction';
import type { McpExchange } from '../../../model/mcp';
import { message } from '../../../text/l10n';
import type { WritableSubset } from '../../format';

/** A cassette belongs to one server, and keeps the message and the reply of each exchange. */
export const MCP_EXCHANGES: WritableSubset = {
  description: message('messages to one MCP server and their replies'),
  select: (interactions) => {
    const server = interactions.find(({ mcp }) => mcp !== undefined)?.mcp?.server;
    return interactions.filter(({ mcp }) => mcp !== undefined && mcp.server === server);
  },
};

/** Writes a cassette as mcp-recorder 0.5.0 does. */
export function writeMcpCassette(_name: string, interactions: readonly RecordedInteraction[]): string {
  const items = interactions.flatMap(({ mcp, timing }) => (mcp === undefined ? [] : [itemOf(mcp, timing?.durationMs)]));
  const first = interactions.find(({ mcp }) => mcp !== undefined);
  const hello = asRecord(items.find(({ request }) => asRecord(request).method === 'initialize')?.response);
  const { protocolVersion, serverInfo } = asRecord(hello.result);
  const transport = first?.mcp?.transport ?? 'stdio';
  const metadata = {
    recorded_at: first?.timing?.recordedAt ?? '',
    server_url: `${transport === 'stdio' ? 'stdio' : 'http'}://${first?.mcp?.server ?? ''}`,
    transport_type: transport === 'stdio' ? 'stdio' : 'http',
    protocol_version: asString(protocolVersion) ?? null,
    server_info: serverInfo ?? null,
  };
  return `${prettyJson({ version: '1.0', metadata, interactions: items })}\n`;
}

function itemOf({ message, steps }: McpExchange, durationMs = 0): Readonly<Record<string, Json>> {
  const isRequest = message.id !== undefined;
  const id = compactJson(message.id ?? null);
  const reply = steps.find(({ from, message: one }) => from === 'server' && isReply(one, id))?.message;
  return {
    type: isRequest ? 'jsonrpc_request' : 'notification',
    request: message,
    response: (isRequest && reply) || null,
    response_is_sse: false,
    response_status: isRequest ? 200 : 202,
    latency_ms: Math.round(durationMs),
    http_method: null,
    http_path: null,
  };
}

function isReply(message: JsonRecord, id: string): boolean {
  return message.method === undefined && compactJson(message.id ?? null) === id;
}
