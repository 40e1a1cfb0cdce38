import { omitUndefined } from '../../../json/fields';
import { compactJson, isRecord, type Json } from '../../../json/json';
import { isNull } from '../../../json/nodeReader';
import { exactText, exactValue } from '../../../json/readJson';
import type { Interaction } from '../../../model/interaction';
import type { ChatResponse, Message } from '../../../model/message';
import { readChatMessage } from '../../../wire/openaiChat/read';
import type { DeclaredResponse, FlakestormSession } from './session';

/** `flakestorm replay` ignores the tool responses that a session lists. */
const DECLARED_SUMMARY = 'declared, not injected by flakestorm';

/** A session as interactions: the input of the agent, which has no response here, and each tool's declared response. */
export function readSession(session: FlakestormSession, first: number): Interaction[] {
  const { node, id, name, capturedAt, context, input, expectedFailure, contract, file } = session;
  const messages = [...context.map((item) => contextMessage(exactValue(item))), ...inputMessage(input)];
  const details = [name, expectedFailure && `expected failure: ${expectedFailure}`, file && `in ${file}`];
  const script: Interaction = omitUndefined({
    index: first,
    kind: 'script' as const,
    request: { messages, tools: [], params: {} },
    timing: capturedAt === undefined ? undefined : { recordedAt: capturedAt },
    summary: details.filter(Boolean).join('; ') || undefined,
    declared: omitUndefined({ name, 'expected failure': expectedFailure, contract, file }),
    id: id || undefined,
    source: { start: node.start, end: node.end },
  });
  return [script, ...session.toolResponses.map((tool, index) => readTool(tool, first + 1 + index))];
}

function inputMessage(input: string): Message[] {
  return input === '' ? [] : [{ role: 'user', content: input, toolCalls: [] }];
}

/** Flakestorm does not define the content of a context; an item in the shape of a message is read as one. */
function contextMessage(item: Json): Message {
  if (isRecord(item) && typeof item.role === 'string') return readChatMessage(item);
  return { role: 'context', content: compactJson(item), toolCalls: [] };
}

function readTool(tool: DeclaredResponse, index: number): Interaction {
  const call = { id: '', name: tool.tool, arguments: {} };
  return omitUndefined({
    index,
    kind: 'tool' as const,
    request: { messages: [{ role: 'assistant', content: null, toolCalls: [call] }], tools: [], params: {} },
    response: toolResponse(tool),
    timing: tool.latencyMs === undefined ? undefined : { durationMs: tool.latencyMs },
    summary: DECLARED_SUMMARY,
    source: { start: tool.node.start, end: tool.node.end },
  });
}

const FIRST_ERROR_STATUS = 400;

function toolResponse({ response, status }: DeclaredResponse): ChatResponse {
  const isJson =
    response !== undefined && response.type !== 'string' && !isNull(response) ? (true as const) : undefined;
  const text = response?.type === 'string' ? response.value : response && isJson ? exactText(response) : null;
  const failed = status !== undefined && (status === 0 || status >= FIRST_ERROR_STATUS);
  const label = status === 0 ? 'the tool failed' : `HTTP ${status}`;
  return omitUndefined({ content: text, isJson, toolCalls: [], error: failed ? label : undefined });
}
