import { asList, asRecord, asRecords, asString, isBlank, omitKeys, omitUndefined } from '../../json/fields';
import { isRecord, type Json, type JsonRecord } from '../../json/json';
import type { ChatRequest, ChatResponse, Message, Part, ToolCall } from '../../model/message';
import { responseError } from '../shared/errors';
import {
  mediaFromBase64,
  mediaFromUrl,
  reasoningParts,
  type TextAndParts,
  textContent,
  unknownPart,
} from '../shared/messages';
import { readOpenaiContent } from '../shared/openaiContent';
import { readOpenaiTools } from '../shared/openaiTools';
import { reportedCost } from '../shared/reportedCost';
import { readToolCall } from '../shared/toolCalls';
import { usageFromCounts } from '../shared/usage';

export function readResponsesRequest(body: JsonRecord): ChatRequest {
  return omitUndefined({
    model: asString(body.model),
    messages: [...instructions(body.instructions), ...readInput(asItems(body.input))],
    tools: readOpenaiTools(body.tools),
    params: omitKeys(body, 'model', 'instructions', 'input', 'tools'),
  });
}

function instructions(text: Json | undefined): Message[] {
  return isBlank(text) ? [] : [{ role: 'system', ...textContent(readOpenaiContent(text)), toolCalls: [] }];
}

export function readResponsesResponse(body: Json): ChatResponse {
  const response = asRecord(body);
  const { output, output_text: text, usage } = response;
  return omitUndefined({
    ...readOutput(isBlank(output) && typeof text === 'string' ? [{ content: text }] : asItems(output)),
    model: asString(response.model),
    usage: readUsage(asRecord(usage)),
    reportedCost: reportedCost(asRecord(usage)),
    finishReason: finishReason(response),
    error: responseError(response),
  });
}

function readUsage(usage: JsonRecord): ChatResponse['usage'] {
  const input = asRecord(usage.input_tokens_details);
  return usageFromCounts({
    prompt: usage.input_tokens,
    completion: usage.output_tokens,
    total: usage.total_tokens,
    cached: input.cached_tokens,
    cacheWrite: input.cache_write_tokens,
    reasoning: asRecord(usage.output_tokens_details).reasoning_tokens,
  });
}

/** The status, or the reason why a response is incomplete; undefined while it is in progress. */
function finishReason({ status, incomplete_details: details }: JsonRecord): string | undefined {
  if (status === 'in_progress' || status === 'queued') return undefined;
  return asString(asRecord(details).reason) ?? asString(status);
}

/** A turn of the model: several items in the Responses protocol, one message here. */
interface AssistantTurn extends TextAndParts {
  readonly toolCalls: readonly ToolCall[];
}

/** Reads the items of a response as one message. */
export function readOutput(items: readonly Json[]): AssistantTurn {
  const turn = new TurnBuilder();
  for (const item of items) turn.add(item);
  return turn.build();
}

/** Reads the items of a request as messages. */
export function readInput(items: readonly Json[]): Message[] {
  const messages: Message[] = [];
  let turn = new TurnBuilder();
  const close = () => {
    if (!turn.isEmpty) messages.push({ role: 'assistant', ...turn.build() });
    turn = new TurnBuilder();
  };
  for (const item of items) {
    const message = inputMessage(item);
    if (message === undefined) turn.add(item);
    else {
      close();
      messages.push(message);
    }
  }
  close();
  return messages;
}

/** Reads an item that is not the model's; undefined for one that is. */
function inputMessage(item: Json): Message | undefined {
  if (typeof item === 'string') return { role: 'user', content: item, toolCalls: [] };
  if (!isRecord(item)) return { role: 'unknown', ...textContent([unknownPart(item)]), toolCalls: [] };
  const type = asString(item.type) ?? 'message';
  if (type.endsWith('_output')) return toolResult(item);
  if (type === 'mcp_approval_response') return { role: 'user', ...textContent([unknownPart(item)]), toolCalls: [] };
  const role = asString(item.role);
  if (type !== 'message' || role === undefined || role === 'assistant') return undefined;
  return { role, ...textContent(readOpenaiContent(item.content)), toolCalls: [] };
}

function toolResult(item: JsonRecord): Message {
  return omitUndefined({
    role: 'tool',
    ...textContent(resultParts(item.output)),
    toolCalls: [],
    toolCallId: asString(item.call_id) ?? '',
    isError: item.status === 'failed' || undefined,
  });
}

function resultParts(output: Json | undefined): Part[] {
  if (isRecord(output) && output.type === 'computer_screenshot' && typeof output.image_url === 'string') {
    return [mediaFromUrl('image', output.image_url)];
  }
  return readOpenaiContent(output);
}

class TurnBuilder {
  readonly #parts: Part[] = [];
  readonly #calls: ToolCall[] = [];

  get isEmpty(): boolean {
    return this.#parts.length === 0 && this.#calls.length === 0;
  }

  add(item: Json): void {
    const call = isRecord(item) ? clientCall(item) : undefined;
    if (call === undefined) for (const part of itemParts(item)) this.#parts.push(part);
    else this.#calls.push(call);
  }

  build(): AssistantTurn {
    return { ...textContent(this.#parts), toolCalls: this.#calls };
  }
}

/** Reads a call that the client executes, which has a `call_id`. Calls executed by the provider have none. */
function clientCall(item: JsonRecord): ToolCall | undefined {
  const type = asString(item.type) ?? '';
  if (!type.endsWith('_call') || typeof item.call_id !== 'string') return undefined;
  if (type === 'function_call') return readToolCall(item.call_id, item.name, item.arguments);
  const name = asString(item.name) ?? type.slice(0, -'_call'.length);
  const args = item.input ?? item.operation ?? item.action ?? item.actions ?? item.arguments;
  // The input of a custom tool is free text.
  return { id: item.call_id, name, arguments: args ?? omitKeys(item, 'type', 'id', 'call_id', 'status') };
}

function itemParts(item: Json): Part[] {
  if (!isRecord(item)) return [unknownPart(item)];
  const type = asString(item.type) ?? 'message';
  if (type === 'message') return readOpenaiContent(item.content);
  if (type === 'reasoning') return reasoningItem(item);
  if (type === 'image_generation_call') return generatedImage(item);
  if (type === 'mcp_list_tools') return [{ type: 'server_tool', name: type, payload: item }];
  if (!type.endsWith('_call')) return [unknownPart(item)];
  return [{ type: 'server_tool', name: asString(item.name) ?? type.slice(0, -'_call'.length), payload: item }];
}

/** Reads reasoning. Without a summary and encrypted content, all that is known is that there was some. */
function reasoningItem({ summary, content, encrypted_content: encrypted }: JsonRecord): Part[] {
  const texts = [...asRecords(summary), ...asRecords(content)].flatMap(({ text }) => asString(text) ?? []);
  const parts = reasoningParts(texts.join('\n\n'), asString(encrypted));
  return parts.length > 0 ? parts : [{ type: 'reasoning', text: '', encrypted: true }];
}

function generatedImage(item: JsonRecord): Part[] {
  const payload = omitKeys(item, 'result');
  const image = asString(item.result);
  const tool: Part = { type: 'server_tool', name: 'image_generation', payload };
  return image === undefined
    ? [tool]
    : [tool, mediaFromBase64(`image/${asString(item.output_format) ?? 'png'}`, image)];
}

/** The items of a list, or a string as the only item. */
function asItems(input: Json | undefined): readonly Json[] {
  return typeof input === 'string' ? [input] : asList(input);
}
