import { isRecord, type Json, type JsonRecord } from '../json/json';
import type { ChatRequest, ChatResponse, Message, Part } from '../tapes/tape';
import { errorOf } from './failure';
import { isBlank, listOf, present, recordOf, textOf, without } from './fields';
import { openaiTools } from './openaiTools';
import { mediaOf, reasoningParts, said, textParts, unknownPart } from './parts';
import { functionCalls, roleMessage } from './roleMessage';
import { usageOf } from './usage';
import type { StreamEvent, WireProtocol } from './wireProtocol';

/** Ollama's own protocol, `/api/chat` and `/api/generate`. Its calls have no ids and arguments that are objects. */
export const ollama: WireProtocol = {
  api: 'ollama',
  kind: 'llm',
  path: /\/api\/(chat|generate)\/?$/,
  isRequest: (body) =>
    isRecord(body) && ('keep_alive' in body || ('options' in body && ('messages' in body || 'prompt' in body))),
  isResponse: (body) => isRecord(body) && isAnswer(body),
  isEvent: ({ json }) => isAnswer(json),
  readRequest,
  readResponse,
  join,
};

function isAnswer({ done, message, response }: JsonRecord): boolean {
  return typeof done === 'boolean' && (isRecord(message) || typeof response === 'string');
}

function readRequest(body: JsonRecord): ChatRequest {
  const others = without(body, 'model', 'messages', 'tools', 'options', 'prompt', 'system', 'images');
  return present({
    model: textOf(body.model),
    messages: Array.isArray(body.messages) ? body.messages.map(readMessage) : prompt(body),
    tools: openaiTools(body.tools),
    params: { ...others, ...recordOf(body.options) },
  });
}

/** `/api/generate` has one prompt. */
function prompt({ system, prompt: text, images }: JsonRecord): Message[] {
  const user = said([...textParts(text), ...imageParts(images)]);
  return [
    ...(isBlank(system) ? [] : [{ role: 'system', ...said(textParts(system)), toolCalls: [] }]),
    { role: 'user', ...user, toolCalls: [] },
  ];
}

function readMessage(message: Json): Message {
  const { tool_name: tool, name } = recordOf(message);
  return present({ ...roleMessage(message, messageParts), name: textOf(tool) ?? textOf(name) });
}

function messageParts({ content, thinking, images }: JsonRecord): Part[] {
  return [...reasoningParts(textOf(thinking) ?? ''), ...textParts(content), ...imageParts(images)];
}

function imageParts(images: Json | undefined): Part[] {
  return listOf(images).map((image) => (typeof image === 'string' ? mediaOf('image/*', image) : unknownPart(image)));
}

function readResponse(body: Json): ChatResponse {
  const answer = recordOf(body);
  const message = isRecord(answer.message)
    ? answer.message
    : { content: answer.response ?? null, thinking: answer.thinking ?? null };
  return present({
    ...said(messageParts(message)),
    toolCalls: functionCalls(message),
    model: textOf(answer.model),
    usage: usageOf({ prompt: answer.prompt_eval_count, completion: answer.eval_count }),
    finishReason: textOf(answer.done_reason),
    error: errorOf(answer),
  });
}

/** Each line is a whole answer with a piece of the text; the last one has the counts. */
function join(events: readonly StreamEvent[]): JsonRecord {
  let whole: JsonRecord = {};
  let message: JsonRecord = {};
  const texts = new Map<string, string>();
  const calls: Json[] = [];
  const add = (key: string, value: Json | undefined) => {
    if (typeof value === 'string') texts.set(key, (texts.get(key) ?? '') + value);
  };
  for (const { json } of events) {
    whole = { ...whole, ...json };
    const piece = recordOf(json.message);
    message = { ...message, ...piece };
    add('content', piece.content ?? json.response);
    add('thinking', piece.thinking ?? json.thinking);
    for (const call of listOf(piece.tool_calls)) calls.push(call);
  }
  return { ...whole, message: { ...message, ...Object.fromEntries(texts), tool_calls: calls } };
}
