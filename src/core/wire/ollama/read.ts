import { asList, asRecord, asString, isBlank, omitKeys, omitUndefined } from '../../json/fields';
import { isRecord, type Json, type JsonRecord } from '../../json/json';
import type { Timing } from '../../model/interaction';
import type { ChatRequest, ChatResponse, Message, Part } from '../../model/message';
import { responseError } from '../shared/errors';
import {
  mediaFromBase64,
  readFunctionCalls,
  readRoleMessage,
  reasoningParts,
  textContent,
  textParts,
  unknownPart,
} from '../shared/messages';
import { readOpenaiTools } from '../shared/openaiTools';
import { milliseconds, usageFromCounts } from '../shared/usage';

export function readOllamaRequest(body: JsonRecord): ChatRequest {
  const others = omitKeys(body, 'model', 'messages', 'tools', 'options', 'prompt', 'system', 'images');
  return omitUndefined({
    model: asString(body.model),
    messages: Array.isArray(body.messages) ? body.messages.map(readMessage) : prompt(body),
    tools: readOpenaiTools(body.tools),
    params: { ...others, ...asRecord(body.options) },
  });
}

/** Reads the prompt of `/api/generate`. */
function prompt({ system, prompt: text, images }: JsonRecord): Message[] {
  const user = textContent([...textParts(text), ...imageParts(images)]);
  return [
    ...(isBlank(system) ? [] : [{ role: 'system', ...textContent(textParts(system)), toolCalls: [] }]),
    { role: 'user', ...user, toolCalls: [] },
  ];
}

function readMessage(message: Json): Message {
  const { tool_name: tool, name } = asRecord(message);
  return omitUndefined({ ...readRoleMessage(message, messageParts), name: asString(tool) ?? asString(name) });
}

function messageParts({ content, thinking, images }: JsonRecord): Part[] {
  return [...reasoningParts(asString(thinking) ?? ''), ...textParts(content), ...imageParts(images)];
}

function imageParts(images: Json | undefined): Part[] {
  return asList(images).map((image) =>
    typeof image === 'string' ? mediaFromBase64('image/*', image) : unknownPart(image),
  );
}

export function readOllamaResponse(body: Json): ChatResponse {
  const response = asRecord(body);
  const message = isRecord(response.message)
    ? response.message
    : { content: response.response ?? null, thinking: response.thinking ?? null };
  return omitUndefined({
    ...textContent(messageParts(message)),
    toolCalls: readFunctionCalls(message),
    model: asString(response.model),
    usage: usageFromCounts({ prompt: response.prompt_eval_count, completion: response.eval_count }),
    finishReason: asString(response.done_reason),
    error: responseError(response),
  });
}

/** `total_duration` is in nanoseconds. `/api/embed` reports it too. */
export function ollamaTiming(response: Json): Timing {
  return omitUndefined({ durationMs: milliseconds(asRecord(response).total_duration, 1e6) });
}
