import { isRecord, type Json } from '../../json/json';
import { jsonValue } from '../../json/jsonDocument';
import { compactJson } from '../../wire/compactJson';
import { present } from '../../wire/fields';
import { readChatMessage } from '../../wire/openaiChat';
import type { ChatResponse, Interaction, Message } from '../tape';
import type { ReplaySession, ToolResponse } from './flakestormModel';

/** What `flakestorm replay` does with the responses of tools that a session lists: nothing. */
const DECLARED = 'declared, not injected by flakestorm';

/** A session as interactions: what is said to the agent, which has no answer here, and each tool's declared response. */
export function readSession(session: ReplaySession, first: number): Interaction[] {
  const { node, id, name, capturedAt, context, input, expectedFailure, file } = session;
  const messages = [...context.map((item) => contextMessage(jsonValue(item))), ...inputMessage(input)];
  const told = [name, expectedFailure && `expected failure: ${expectedFailure}`, file && `in ${file}`];
  const script: Interaction = present({
    index: first,
    kind: 'script' as const,
    request: { messages, tools: [], params: {} },
    timing: capturedAt === undefined ? undefined : { recordedAt: capturedAt },
    summary: told.filter(Boolean).join('; ') || undefined,
    id: id || undefined,
    source: { start: node.start, end: node.end },
  });
  return [script, ...session.toolResponses.map((tool, index) => readTool(tool, first + 1 + index))];
}

function inputMessage(input: string): Message[] {
  return input === '' ? [] : [{ role: 'user', content: input, toolCalls: [] }];
}

/** Flakestorm does not say what a context is made of; where it looks like a message it is one. */
function contextMessage(item: Json): Message {
  if (isRecord(item) && typeof item.role === 'string') return readChatMessage(item);
  return { role: 'context', content: compactJson(item), toolCalls: [] };
}

function readTool(tool: ToolResponse, index: number): Interaction {
  const call = { id: '', name: tool.tool, arguments: {} };
  return present({
    index,
    kind: 'tool' as const,
    request: { messages: [{ role: 'assistant', content: null, toolCalls: [call] }], tools: [], params: {} },
    response: toolAnswer(tool),
    timing: tool.latencyMs === undefined ? undefined : { durationMs: tool.latencyMs },
    summary: DECLARED,
    source: { start: tool.node.start, end: tool.node.end },
  });
}

const FIRST_FAILURE = 400;

function toolAnswer({ response, status }: ToolResponse): ChatResponse {
  const text =
    response === undefined ? null : response.type === 'string' ? response.value : compactJson(jsonValue(response));
  const failed = status !== undefined && (status === 0 || status >= FIRST_FAILURE);
  const label = status === 0 ? 'the tool failed' : `HTTP ${status}`;
  return present({ content: text, toolCalls: [], error: failed ? label : undefined });
}
