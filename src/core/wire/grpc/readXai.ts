import { asList, asRecord, asRecords, asString, isBlank, omitKeys, omitUndefined } from '../../json/fields';
import type { Json, JsonRecord } from '../../json/json';
import { parseJson } from '../../json/readJson';
import type { ChatRequest, ChatResponse, Message, Part, ToolCall, ToolDefinition } from '../../model/message';
import { mediaFromUrl, reasoningParts, textContent, textParts, unknownPart } from '../shared/messages';
import { readToolCall } from '../shared/toolCalls';
import { usageFromCounts } from '../shared/usage';

/** xAI's messages as protobuf's `MessageToDict` writes them: enums by name, members without a value left out. */

export function readXaiRequest(request: JsonRecord): ChatRequest {
  return omitUndefined({
    model: asString(request.model),
    messages: asRecords(request.messages).map(readMessage),
    tools: asRecords(request.tools).map(readTool),
    params: omitKeys(request, 'model', 'messages', 'tools'),
  });
}

function readMessage(message: JsonRecord): Message {
  const { calls, parts: tools } = splitCalls(message.tool_calls);
  return omitUndefined({
    role: roleOf(message.role),
    ...textContent([...reasoning(message), ...contentParts(message.content), ...tools]),
    toolCalls: calls,
    toolCallId: asString(message.tool_call_id),
    name: asString(message.name),
  });
}

function roleOf(role: Json | undefined): string {
  return (
    asString(role)
      ?.replace(/^ROLE_/, '')
      .toLowerCase() ?? 'unknown'
  );
}

function contentParts(content: Json | undefined): Part[] {
  if (typeof content === 'string') return content === '' ? [] : textParts(content);
  return asList(content).flatMap((part) => {
    const { text, image_url: image, file } = asRecord(part);
    if (typeof text === 'string') return textParts(text);
    const url = asString(asRecord(image).image_url);
    if (url !== undefined) return [mediaFromUrl('image', url)];
    const name = asString(asRecord(file).file_id);
    return [name === undefined ? unknownPart(part) : ({ type: 'file', name } as const)];
  });
}

function reasoning({ reasoning_content: text, encrypted_content: sealed }: JsonRecord): Part[] {
  const plain = asString(text) ?? '';
  return plain === '' ? reasoningParts('', asString(sealed)) : reasoningParts(plain);
}

/** Calls for the caller, and those that xAI ran itself. */
function splitCalls(list: Json | undefined): { calls: ToolCall[]; parts: Part[] } {
  const calls: ToolCall[] = [];
  const parts: Part[] = [];
  for (const call of asRecords(list)) {
    const { name, arguments: args } = asRecord(call.function);
    const type = asString(call.type) ?? CLIENT_SIDE;
    if (type === CLIENT_SIDE) calls.push(readToolCall(call.id, name, args));
    else parts.push({ type: 'server_tool', name: asString(name) ?? type, payload: call });
  }
  return { calls, parts };
}

const CLIENT_SIDE = 'TOOL_CALL_TYPE_CLIENT_SIDE_TOOL';

function readTool(tool: JsonRecord): ToolDefinition {
  const definition = asRecord(tool.function);
  if (tool.function === undefined) {
    const [name = 'unknown'] = Object.keys(tool);
    return { name, settings: tool };
  }
  const schema = typeof definition.parameters === 'string' ? parseJson(definition.parameters) : definition.parameters;
  return omitUndefined({
    name: asString(definition.name) ?? '',
    description: asString(definition.description),
    schema,
  });
}

/** A response has an output for every step of xAI's own tools: together they are one message. */
export function readXaiResponse(response: JsonRecord): ChatResponse {
  const outputs = asRecords(response.outputs);
  const messages = outputs.map((output) => asRecord(output.message));
  const turns = messages.map((message) => splitCalls(message.tool_calls));
  const parts = messages.flatMap((message, index) => [
    // Results of xAI's own tools are encrypted, or missing.
    ...(message.role === 'ROLE_TOOL' ? [] : [...reasoning(message), ...contentParts(message.content)]),
    ...(turns[index]?.parts ?? []),
  ]);
  const sources = isBlank(response.citations) ? [] : [unknownPart({ citations: response.citations ?? [] })];
  const reason = outputs.map(({ finish_reason: name }) => asString(name)).findLast((name) => name !== undefined);
  return omitUndefined({
    ...textContent([...parts, ...sources]),
    toolCalls: turns.flatMap(({ calls }) => calls),
    model: asString(response.model),
    usage: readUsage(asRecord(response.usage)),
    finishReason: reason?.replace(/^REASON_/, '').toLowerCase(),
  });
}

function readUsage(usage: JsonRecord): ChatResponse['usage'] {
  return usageFromCounts({
    prompt: usage.prompt_tokens,
    completion: usage.completion_tokens,
    total: usage.total_tokens,
    cached: usage.cached_prompt_text_tokens,
    reasoning: usage.reasoning_tokens,
  });
}

interface OpenOutput {
  readonly index: number;
  role: Json;
  content: string;
  reasoning: string;
  sealed: string;
  calls: Json[];
  reason: Json | undefined;
}

/** The whole response of a stream's pieces. The text of each output is concatenated; calls arrive whole. */
export function joinXaiChunks(pieces: readonly JsonRecord[]): JsonRecord {
  const outputs = new Map<number, OpenOutput>();
  for (const piece of pieces) for (const output of asRecords(piece.outputs)) appendOutput(outputs, output);
  const rest = Object.assign({}, ...pieces.map((piece) => omitKeys(piece, 'outputs'))) as JsonRecord;
  const ordered = [...outputs.values()].sort((left, right) => left.index - right.index);
  return { ...rest, outputs: ordered.map(finishOutput) };
}

function appendOutput(outputs: Map<number, OpenOutput>, output: JsonRecord): void {
  const index = typeof output.index === 'number' ? output.index : 0;
  const delta = asRecord(output.delta);
  const open = outputs.get(index) ?? {
    index,
    role: 'ROLE_ASSISTANT',
    content: '',
    reasoning: '',
    sealed: '',
    calls: [],
    reason: undefined,
  };
  outputs.set(index, open);
  open.role = delta.role ?? open.role;
  open.content += asString(delta.content) ?? '';
  open.reasoning += asString(delta.reasoning_content) ?? '';
  open.sealed += asString(delta.encrypted_content) ?? '';
  open.calls.push(...asList(delta.tool_calls));
  open.reason = output.finish_reason ?? open.reason;
}

function finishOutput({ index, role, content, reasoning: thought, sealed, calls, reason }: OpenOutput): JsonRecord {
  const message = { role, content, reasoning_content: thought, encrypted_content: sealed, tool_calls: calls };
  return omitUndefined({ index, message, finish_reason: reason });
}
