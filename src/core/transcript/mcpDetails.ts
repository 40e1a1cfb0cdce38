import { type JsonRecord, prettyJson } from '../json/json';
import { messageKind, messageTitle, methodOf } from '../mcp/message';
import type { McpExchange, McpStep } from '../model/mcp';
import { t } from '../text/l10n';
import type { MessageExtra } from './messageExtras';

/** What was asked of an MCP server, in a line: `files tools/call write_file`. */
export function describeMcp({ server, message }: McpExchange, error: string | undefined): string {
  const asked = messageTitle(message) || t('message');
  return [`\`${server.replaceAll('`', '') || t('server')}\` ${asked}`, ...(error === undefined ? [] : [error])].join(
    ': ',
  );
}

/** What a client says to an MCP server beside the conversation: it sets up the connection, or carries out a call that is shown. */
export interface McpAside {
  readonly server: string;
  /** `initialize`, or `tools/call lookup, called in #4`. */
  readonly text: string;
}

const SETUP_METHODS: readonly string[] = [
  'initialize',
  'notifications/initialized',
  'ping',
  'logging/setLevel',
  'tools/list',
  'prompts/list',
  'resources/list',
  'resources/templates/list',
];

/** Undefined for a message that is a step of its own. `carriesOut` is the interaction whose call it carries out. */
export function mcpAside({ server, message }: McpExchange, carriesOut: number | undefined): McpAside | undefined {
  if (carriesOut !== undefined)
    return { server, text: t('{0}, called in #{1}', messageTitle(message), carriesOut + 1) };
  const method = methodOf(message);
  return SETUP_METHODS.includes(method) ? { server, text: method.replace('notifications/', '') } : undefined;
}

/** The messages of an exchange, one after the other. */
export function mcpDetails({ message, steps }: McpExchange): readonly MessageExtra[] {
  return [{ label: t('Message'), text: prettyJson(message) }, ...steps.map(stepDetail)];
}

function stepDetail({ from, message }: McpStep): MessageExtra {
  const what = whatOf(message);
  return { label: from === 'server' ? t('Server: {0}', what) : t('Client: {0}', what), text: prettyJson(message) };
}

function whatOf(message: JsonRecord): string {
  if (messageKind(message) !== 'response') return methodOf(message);
  return 'error' in message ? t('error') : t('result');
}
