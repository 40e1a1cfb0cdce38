import { asCount, asString, isBlank, omitUndefined } from '../../../json/fields';
import { isRecord, type Json, type JsonRecord } from '../../../json/json';
import type { JsonNode } from '../../../json/jsonNode';
import { ARRAY, NodeReader, OBJECT, STRING } from '../../../json/nodeReader';
import { exactValue, member } from '../../../json/readJson';
import type { Timing } from '../../../model/interaction';
import type { McpStep, McpTransport } from '../../../model/mcp';
import { message, t } from '../../../text/l10n';
import type { InteractionContent } from '../../lazyTape';
import { writeSubset } from '../../writableFormat';
import { type DocumentReading, documentFormat, entriesOf } from '../shared/documentFormat';
import { mcpContent, readMcpCall } from '../shared/mcpCall';
import { MCP_EXCHANGES, writeMcpCassette } from './write';

/**
 * Cassettes of mcp-recorder (PyPI, 0.5.0), format version 1: the JSON-RPC messages between an MCP client and a server.
 */
export const mcpRecorderFormat = documentFormat({
  id: 'mcp-recorder',
  label: 'mcp-recorder cassette',
  family: 'frames',
  files: ['json'],
  syntax: 'json',
  marks: ['version', 'metadata.server_url', 'interactions'],
  reader: () => new CassetteReader(),
  document: (reader, root) => reader.cassette(root),
  ...writeSubset(MCP_EXCHANGES, writeMcpCassette),
  isHandWritten: true,
});

/** A cassette belongs to one server, whatever a client calls it. */
const ANY_SERVER = '';
const RECORD_AGAIN = message('Record the cassette again with mcp-recorder.');

class CassetteReader extends NodeReader {
  cassette(root: JsonNode): DocumentReading<CassetteReader> {
    const version = this.required(root, 'version', STRING, t('Use "version": "1.0".'));
    const versionNode = member(root, 'version');
    if (version !== undefined && versionNode !== undefined && version.split('.')[0] !== '1')
      this.report(versionNode, t('version {0} of the cassette format is not supported', version), t(RECORD_AGAIN));
    const metadata = this.required(root, 'metadata', OBJECT, t(RECORD_AGAIN));
    const recordedAt = metadata && asString(plain(member(metadata, 'recorded_at')));
    const transport = metadata && plain(member(metadata, 'transport_type')) === 'stdio' ? 'stdio' : 'http';
    const items = this.required(root, 'interactions', ARRAY, t('Use "interactions": [ … ].')) ?? [];
    return {
      name: metadata && serverName(plain(member(metadata, 'server_info'))),
      version,
      entries: entriesOf(items, (node) => ({
        place: node,
        read: (reader) => ({ ...reader.interaction(node, transport), timing: timingOf(node, recordedAt) }),
      })),
    };
  }

  interaction(node: JsonNode, transport: McpTransport): InteractionContent {
    const none: InteractionContent = { kind: 'http' };
    // The placeholder keeps the indexes of the other interactions.
    if (!this.record(node, t('an interaction'))) return none;
    const type = this.required(node, 'type', STRING, t('Use "jsonrpc_request", "notification" or "lifecycle".'));
    switch (type) {
      case 'jsonrpc_request':
        return this.#request(node, transport);
      case 'notification':
        return this.#notification(node, transport);
      case 'lifecycle':
        return { kind: 'http', summary: lifecycleSummary(node) };
      case undefined:
        return none;
      default:
        this.report(member(node, 'type') ?? node, t('unknown type of interaction: {0}', type), t(RECORD_AGAIN));
        return none;
    }
  }

  #request(node: JsonNode, transport: McpTransport): InteractionContent {
    const request = this.#message(node);
    if (request === undefined) return { kind: 'http' };
    const reply = this.#reply(node);
    // A failed HTTP response is no message of the server.
    if (reply !== undefined && reply.jsonrpc === undefined) return readMcpCall(request, reply);
    const steps: readonly McpStep[] = reply === undefined ? [] : [{ from: 'server', message: reply }];
    const content = mcpContent({ server: ANY_SERVER, transport, message: request, steps });
    return content;
  }

  #notification(node: JsonNode, transport: McpTransport): InteractionContent {
    const message = this.#message(node);
    if (typeof message?.method !== 'string') return { kind: 'http', summary: 'notification' };
    const mcp = { server: ANY_SERVER, transport, message, steps: [] };
    return { kind: 'mcp', summary: asString(message.method), mcp };
  }

  #message(node: JsonNode): JsonRecord | undefined {
    const request = this.required(
      node,
      'request',
      OBJECT,
      t('A batch is recorded as null: send its requests one by one.'),
    );
    return record(request);
  }

  /** The reply to a request. Without one, only the HTTP status shows that the request failed. */
  #reply(node: JsonNode): JsonRecord | undefined {
    const response = this.nullable(node, 'response', OBJECT);
    const message = record(response);
    if (message === undefined) return failure(plain(member(node, 'response_status')));
    if (response === undefined || 'result' in message || 'error' in message) return message;
    this.report(
      response,
      t('the recorded response is not the reply: mcp-recorder keeps the first message of a stream only'),
      t('Record it from a server that sends no notifications before its reply.'),
      'warning',
    );
    return undefined;
  }
}

function timingOf(node: JsonNode, recordedAt: string | undefined): Timing {
  return omitUndefined({ recordedAt, durationMs: asCount(plain(member(node, 'latency_ms'))) });
}

function failure(status: Json | undefined): JsonRecord | undefined {
  const code = asCount(status);
  return code === undefined || code < 400 ? undefined : { error: { message: 'HTTP status', code } };
}

function lifecycleSummary(node: JsonNode): string {
  const words = ['http_method', 'http_path', 'response_status'].map((key) => plain(member(node, key)));
  return words.filter((word) => typeof word === 'string' || typeof word === 'number').join(' ');
}

function serverName(info: Json | undefined): string | undefined {
  if (!isRecord(info)) return undefined;
  const name = [asString(info.name), asString(info.version)].filter((word) => !isBlank(word)).join(' ');
  return name === '' ? undefined : name;
}

function plain(node: JsonNode | undefined): Json | undefined {
  return node && exactValue(node);
}

function record(node: JsonNode | undefined): JsonRecord | undefined {
  const value = plain(node);
  return isRecord(value) ? value : undefined;
}
