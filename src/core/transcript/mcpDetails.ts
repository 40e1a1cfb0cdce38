import { type JsonRecord, prettyJson } from '../json/json';
import { messageKind, messageTitle, methodOf } from '../mcp/message';
import type { McpExchange, McpStep } from '../model/mcp';
import type { MessageExtra } from './messageExtras';

/** What was asked of an MCP server, in a line: `files tools/call write_file`. */
export function describeMcp({ server, message }: McpExchange, error: string | undefined): string {
  const asked = messageTitle(message) || 'message';
  return [`\`${server.replaceAll('`', '') || 'server'}\` ${asked}`, ...(error === undefined ? [] : [error])].join(': ');
}

/** The messages of an exchange, one after the other. */
export function mcpDetails({ message, steps }: McpExchange): readonly MessageExtra[] {
  return [{ label: 'Message', text: prettyJson(message) }, ...steps.map(stepDetail)];
}

function stepDetail({ from, message }: McpStep): MessageExtra {
  const who = from === 'server' ? 'Server' : 'Client';
  return { label: `${who}: ${whatOf(message)}`, text: prettyJson(message) };
}

function whatOf(message: JsonRecord): string {
  if (messageKind(message) !== 'response') return methodOf(message);
  return 'error' in message ? 'error' : 'result';
}
