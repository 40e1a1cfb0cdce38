import type { Json, JsonRecord } from '../../json/json';
import { isBlank, listOf, present, recordOf, recordsOf, textOf, without } from '../../wire/fields';
import { parseJson } from '../../wire/parseJson';
import { mediaAt, reasoningParts, said, textParts, unknownPart } from '../../wire/parts';
import { toolCall } from '../../wire/toolCalls';
import { usageOf } from '../../wire/usage';
import type { ChatRequest, ChatResponse, Message, Part, ToolCall, ToolDefinition } from '../tape';

/** xAI's messages as `MessageToDict` of protobuf writes them: enums by name, members without a value left out. */

export function readXaiRequest(request: JsonRecord): ChatRequest {
  return present({
    model: textOf(request.model),
    messages: recordsOf(request.messages).map(readMessage),
    tools: recordsOf(request.tools).map(readTool),
    params: without(request, 'model', 'messages', 'tools'),
  });
}

function readMessage(message: JsonRecord): Message {
  const { calls, parts: tools } = splitCalls(message.tool_calls);
  return present({
    role: roleOf(message.role),
    ...said([...reasoning(message), ...contentParts(message.content), ...tools]),
    toolCalls: calls,
    toolCallId: textOf(message.tool_call_id),
    name: textOf(message.name),
  });
}

function roleOf(role: Json | undefined): string {
  return (
    textOf(role)
      ?.replace(/^ROLE_/, '')
      .toLowerCase() ?? 'unknown'
  );
}

function contentParts(content: Json | undefined): Part[] {
  if (typeof content === 'string') return content === '' ? [] : textParts(content);
  return listOf(content).flatMap((part) => {
    const { text, image_url: image, file } = recordOf(part);
    if (typeof text === 'string') return textParts(text);
    const url = textOf(recordOf(image).image_url);
    if (url !== undefined) return [mediaAt('image', url)];
    const name = textOf(recordOf(file).file_id);
    return [name === undefined ? unknownPart(part) : ({ type: 'file', name } as const)];
  });
}

function reasoning({ reasoning_content: text, encrypted_content: sealed }: JsonRecord): Part[] {
  const plain = textOf(text) ?? '';
  return plain === '' ? reasoningParts('', textOf(sealed)) : reasoningParts(plain);
}

/** Calls that the caller answers, and those that xAI ran itself. */
function splitCalls(list: Json | undefined): { calls: ToolCall[]; parts: Part[] } {
  const calls: ToolCall[] = [];
  const parts: Part[] = [];
  for (const call of recordsOf(list)) {
    const { name, arguments: args } = recordOf(call.function);
    const type = textOf(call.type) ?? CLIENT_SIDE;
    if (type === CLIENT_SIDE) calls.push(toolCall(call.id, name, args));
    else parts.push({ type: 'server_tool', name: textOf(name) ?? type, payload: call });
  }
  return { calls, parts };
}

const CLIENT_SIDE = 'TOOL_CALL_TYPE_CLIENT_SIDE_TOOL';

function readTool(tool: JsonRecord): ToolDefinition {
  const definition = recordOf(tool.function);
  if (tool.function === undefined) {
    const [name = 'unknown'] = Object.keys(tool);
    return { name, settings: tool };
  }
  const schema = typeof definition.parameters === 'string' ? parseJson(definition.parameters) : definition.parameters;
  return present({ name: textOf(definition.name) ?? '', description: textOf(definition.description), schema });
}

/** An answer has an output for every step of what xAI did itself: together they are one message. */
export function readXaiResponse(response: JsonRecord): ChatResponse {
  const outputs = recordsOf(response.outputs);
  const messages = outputs.map((output) => recordOf(output.message));
  const turns = messages.map((message) => splitCalls(message.tool_calls));
  const parts = messages.flatMap((message, index) => [
    // What xAI's own tools returned comes sealed, or not at all.
    ...(message.role === 'ROLE_TOOL' ? [] : [...reasoning(message), ...contentParts(message.content)]),
    ...(turns[index]?.parts ?? []),
  ]);
  const sources = isBlank(response.citations) ? [] : [unknownPart({ citations: response.citations ?? [] })];
  const reason = outputs.map(({ finish_reason: name }) => textOf(name)).findLast((name) => name !== undefined);
  return present({
    ...said([...parts, ...sources]),
    toolCalls: turns.flatMap(({ calls }) => calls),
    model: textOf(response.model),
    usage: readUsage(recordOf(response.usage)),
    finishReason: reason?.replace(/^REASON_/, '').toLowerCase(),
  });
}

function readUsage(usage: JsonRecord): ChatResponse['usage'] {
  return usageOf({
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

/** The pieces of a stream as the whole answer. Every output grows by itself; calls come whole. */
export function joinXaiChunks(pieces: readonly JsonRecord[]): JsonRecord {
  const outputs = new Map<number, OpenOutput>();
  for (const piece of pieces) for (const output of recordsOf(piece.outputs)) grow(outputs, output);
  const rest = Object.assign({}, ...pieces.map((piece) => without(piece, 'outputs'))) as JsonRecord;
  const ordered = [...outputs.values()].sort((left, right) => left.index - right.index);
  return { ...rest, outputs: ordered.map(closed) };
}

function grow(outputs: Map<number, OpenOutput>, output: JsonRecord): void {
  const index = typeof output.index === 'number' ? output.index : 0;
  const delta = recordOf(output.delta);
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
  open.content += textOf(delta.content) ?? '';
  open.reasoning += textOf(delta.reasoning_content) ?? '';
  open.sealed += textOf(delta.encrypted_content) ?? '';
  open.calls.push(...listOf(delta.tool_calls));
  open.reason = output.finish_reason ?? open.reason;
}

function closed({ index, role, content, reasoning: thought, sealed, calls, reason }: OpenOutput): JsonRecord {
  const message = { role, content, reasoning_content: thought, encrypted_content: sealed, tool_calls: calls };
  return present({ index, message, finish_reason: reason });
}
