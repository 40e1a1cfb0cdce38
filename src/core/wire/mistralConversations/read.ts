import { asList, asRecord, asRecords, asString, isBlank, omitKeys, omitUndefined } from '../../json/fields';
import { isRecord, type Json, type JsonRecord } from '../../json/json';
import type { ChatRequest, ChatResponse, Message, Part, ToolCall } from '../../model/message';
import type { Usage } from '../../model/usage';
import { responseError } from '../shared/errors';
import { textContent, textParts, unknownPart } from '../shared/messages';
import { readOpenaiContent } from '../shared/openaiContent';
import { readOpenaiTools } from '../shared/openaiTools';
import { readToolCall } from '../shared/toolCalls';
import { usageFromCounts } from '../shared/usage';

export function readConversationRequest(body: JsonRecord): ChatRequest {
  const { model, agent_id: agent, instructions, inputs, completion_args: args } = body;
  const others = omitKeys(body, 'model', 'instructions', 'inputs', 'tools', 'completion_args');
  return omitUndefined({
    model: asString(model) ?? asString(agent),
    messages: [
      ...(isBlank(instructions) ? [] : [{ role: 'system', ...textContent(textParts(instructions)), toolCalls: [] }]),
      ...readInputs(typeof inputs === 'string' ? [inputs] : asList(inputs)),
    ],
    tools: readOpenaiTools(body.tools),
    params: { ...others, ...asRecord(args) },
  });
}

/** Reads entries of the user, of tools and of the model as messages. */
function readInputs(entries: readonly Json[]): Message[] {
  const messages: Message[] = [];
  let turn: JsonRecord[] = [];
  const close = () => {
    if (turn.length > 0) messages.push({ role: 'assistant', ...readEntries(turn) });
    turn = [];
  };
  for (const entry of entries) {
    if (isRecord(entry) && isOfModel(entry)) turn.push(entry);
    else {
      close();
      messages.push(readInput(entry));
    }
  }
  close();
  return messages;
}

const MODEL_ENTRIES = new Set(['message.output', 'function.call', 'tool.execution', 'agent.handoff']);

function isOfModel({ type, role }: JsonRecord): boolean {
  return MODEL_ENTRIES.has(asString(type) ?? '') || role === 'assistant';
}

function readInput(entry: Json): Message {
  if (typeof entry === 'string') return { role: 'user', content: entry, toolCalls: [] };
  if (!isRecord(entry)) return { role: 'unknown', ...textContent([unknownPart(entry)]), toolCalls: [] };
  if (entry.type === 'function.result')
    return {
      role: 'tool',
      ...textContent(readContent(entry.result)),
      toolCalls: [],
      toolCallId: asString(entry.tool_call_id) ?? '',
    };
  return { role: asString(entry.role) ?? 'user', ...textContent(entryParts(entry)), toolCalls: [] };
}

/** Reads the entries of one turn of the model. */
function readEntries(entries: readonly JsonRecord[]): Pick<Message, 'content' | 'parts' | 'toolCalls'> {
  return { ...textContent(entries.flatMap(entryParts)), toolCalls: entries.flatMap(entryCalls) };
}

function entryCalls({ type, tool_call_id: id, name, arguments: args }: JsonRecord): ToolCall[] {
  return type === 'function.call' ? [readToolCall(id, name, args)] : [];
}

function entryParts(entry: JsonRecord): Part[] {
  const { type, name, content } = entry;
  if (type === 'function.call') return [];
  if (type === 'tool.execution') return [{ type: 'server_tool', name: asString(name) ?? type, payload: entry }];
  if (type === 'agent.handoff') return [{ type: 'server_tool', name: type, payload: entry }];
  return 'content' in entry ? readContent(content) : [unknownPart(entry)];
}

function readContent(content: Json | undefined): Part[] {
  return Array.isArray(content) ? content.flatMap(readChunk) : readOpenaiContent(content);
}

/** Reads a chunk; those of the server's tools say what they found. */
function readChunk(chunk: Json): Part[] {
  const { type, tool, file_id: id, file_name: name } = asRecord(chunk);
  if (type === 'tool_file') return [{ type: 'file', name: asString(name) ?? asString(id) ?? '' }];
  if (type === 'tool_reference') return [{ type: 'server_tool', name: asString(tool) ?? type, payload: chunk }];
  return readOpenaiContent(chunk);
}

export function readConversationResponse(body: Json): ChatResponse {
  const response = asRecord(body);
  const outputs = asRecords(response.outputs);
  return omitUndefined({
    ...readEntries(outputs),
    model: outputs.map(({ model }) => asString(model)).find((model) => model !== undefined),
    usage: readUsage(asRecord(response.usage)),
    error: responseError(response),
  });
}

function readUsage(usage: JsonRecord): Usage | undefined {
  return usageFromCounts({
    prompt: usage.prompt_tokens,
    completion: usage.completion_tokens,
    total: usage.total_tokens,
    besidePrompt: [usage.connector_tokens],
  });
}
