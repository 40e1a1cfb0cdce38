import { asList, asRecord, asString, isBlank, omitKeys, omitUndefined } from '../../json/fields';
import { compactJson, isRecord, type Json, type JsonRecord } from '../../json/json';
import type { ChatRequest, ChatResponse, Part } from '../../model/message';
import { responseError } from '../shared/errors';
import {
  readFunctionCalls,
  readRoleMessage,
  reasoningParts,
  textContent,
  textParts,
  unknownPart,
} from '../shared/messages';
import { readOpenaiContent } from '../shared/openaiContent';
import { readOpenaiTools } from '../shared/openaiTools';
import { readCohereUsage } from './readV1';

export function readCohereV2Request(body: JsonRecord): ChatRequest {
  return omitUndefined({
    model: asString(body.model),
    messages: asList(body.messages).map((message) => readRoleMessage(message, messageParts)),
    tools: readOpenaiTools(body.tools),
    params: omitKeys(body, 'model', 'messages', 'tools'),
  });
}

/** The parts of a message. `tool_plan` is the model's reasoning before a tool call. */
function messageParts({ content, tool_plan: plan, citations }: JsonRecord): Part[] {
  return [
    ...reasoningParts(asString(plan) ?? ''),
    ...(Array.isArray(content) ? content : [content ?? null]).flatMap(contentPart),
    ...(isBlank(citations) ? [] : [unknownPart({ citations: citations ?? null })]),
  ];
}

/** Reads a content part. A tool result may be a document, of which the model reads `data`. */
function contentPart(part: Json): Part[] {
  const { type, document } = asRecord(part);
  if (type !== 'document' || !isRecord(document)) return readOpenaiContent(typeof part === 'string' ? part : [part]);
  const { data } = document;
  return textParts(typeof data === 'string' ? data : compactJson(data ?? document));
}

export function readCohereV2Response(response: JsonRecord): ChatResponse {
  const message = asRecord(response.message);
  return omitUndefined({
    ...textContent(messageParts(message)),
    toolCalls: readFunctionCalls(message),
    usage: readCohereUsage(asRecord(response.usage)),
    finishReason: asString(response.finish_reason),
    error: responseError(response),
  });
}
