import { isRecord, type Json, type JsonRecord } from '../json/json';
import type { Message, Part, ToolCall } from '../tapes/tape';
import { listOf, present, recordsOf, textOf, without } from './fields';
import { openaiContent } from './openaiContent';
import { mediaAt, mediaOf, reasoningParts, type Said, said, unknownPart } from './parts';
import { toolCall } from './toolCalls';

/** What a model says in one go is several items in the Responses protocol, and one message here. */
export interface Turn extends Said {
  readonly toolCalls: readonly ToolCall[];
}

/** The items of an answer as one message. */
export function readOutput(items: readonly Json[]): Turn {
  const turn = new OpenTurn();
  for (const item of items) turn.take(item);
  return turn.whole();
}

/** The items of a request as messages. */
export function readInput(items: readonly Json[]): Message[] {
  const messages: Message[] = [];
  let turn = new OpenTurn();
  const close = () => {
    if (!turn.isEmpty) messages.push({ role: 'assistant', ...turn.whole() });
    turn = new OpenTurn();
  };
  for (const item of items) {
    const message = inputMessage(item);
    if (message === undefined) turn.take(item);
    else {
      close();
      messages.push(message);
    }
  }
  close();
  return messages;
}

/** What the model did not say: undefined for an item of its own. */
function inputMessage(item: Json): Message | undefined {
  if (typeof item === 'string') return { role: 'user', content: item, toolCalls: [] };
  if (!isRecord(item)) return { role: 'unknown', ...said([unknownPart(item)]), toolCalls: [] };
  const type = textOf(item.type) ?? 'message';
  if (type.endsWith('_output')) return toolResult(item);
  if (type === 'mcp_approval_response') return { role: 'user', ...said([unknownPart(item)]), toolCalls: [] };
  const role = textOf(item.role);
  if (type !== 'message' || role === undefined || role === 'assistant') return undefined;
  return { role, ...said(openaiContent(item.content)), toolCalls: [] };
}

function toolResult(item: JsonRecord): Message {
  return present({
    role: 'tool',
    ...said(resultParts(item.output)),
    toolCalls: [],
    toolCallId: textOf(item.call_id) ?? '',
    isError: item.status === 'failed' || undefined,
  });
}

function resultParts(output: Json | undefined): Part[] {
  if (isRecord(output) && output.type === 'computer_screenshot' && typeof output.image_url === 'string') {
    return [mediaAt('image', output.image_url)];
  }
  return openaiContent(output);
}

class OpenTurn {
  readonly #parts: Part[] = [];
  readonly #calls: ToolCall[] = [];

  get isEmpty(): boolean {
    return this.#parts.length === 0 && this.#calls.length === 0;
  }

  take(item: Json): void {
    const call = isRecord(item) ? clientCall(item) : undefined;
    if (call === undefined) for (const part of itemParts(item)) this.#parts.push(part);
    else this.#calls.push(call);
  }

  whole(): Turn {
    return { ...said(this.#parts), toolCalls: this.#calls };
  }
}

/** A call that the caller is to answer has a `call_id`; what the provider runs itself has none. */
function clientCall(item: JsonRecord): ToolCall | undefined {
  const type = textOf(item.type) ?? '';
  if (!type.endsWith('_call') || typeof item.call_id !== 'string') return undefined;
  if (type === 'function_call') return toolCall(item.call_id, item.name, item.arguments);
  const name = textOf(item.name) ?? type.slice(0, -'_call'.length);
  const wanted = item.input ?? item.operation ?? item.action ?? item.actions ?? item.arguments;
  // The input of a custom tool is text of any kind.
  return { id: item.call_id, name, arguments: wanted ?? without(item, 'type', 'id', 'call_id', 'status') };
}

function itemParts(item: Json): Part[] {
  if (!isRecord(item)) return [unknownPart(item)];
  const type = textOf(item.type) ?? 'message';
  if (type === 'message') return openaiContent(item.content);
  if (type === 'reasoning') return reasoningItem(item);
  if (type === 'image_generation_call') return generatedImage(item);
  if (type === 'mcp_list_tools') return [{ type: 'server_tool', name: type, payload: item }];
  if (!type.endsWith('_call')) return [unknownPart(item)];
  return [{ type: 'server_tool', name: textOf(item.name) ?? type.slice(0, -'_call'.length), payload: item }];
}

/** Where neither a summary nor a sealed form was asked for, only that there was reasoning is known. */
function reasoningItem({ summary, content, encrypted_content: sealed }: JsonRecord): Part[] {
  const texts = [...recordsOf(summary), ...recordsOf(content)].flatMap(({ text }) => textOf(text) ?? []);
  const parts = reasoningParts(texts.join('\n\n'), textOf(sealed));
  return parts.length > 0 ? parts : [{ type: 'reasoning', text: '', encrypted: true }];
}

function generatedImage(item: JsonRecord): Part[] {
  const payload = without(item, 'result');
  const image = textOf(item.result);
  const tool: Part = { type: 'server_tool', name: 'image_generation', payload };
  return image === undefined ? [tool] : [tool, mediaOf(`image/${textOf(item.output_format) ?? 'png'}`, image)];
}

/** The items of a list, or the one text that stands in its place. */
export function itemsOf(input: Json | undefined): readonly Json[] {
  return typeof input === 'string' ? [input] : listOf(input);
}
