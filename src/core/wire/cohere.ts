import { isRecord, type Json, type JsonRecord } from '../json/json';
import type { ChatRequest, ChatResponse, Part } from '../tapes/tape';
import { joinCohereEvents } from './cohereStream';
import { cohereUsage } from './cohereUsage';
import { isCohereV1Answer, isCohereV1Request, readCohereV1Request, readCohereV1Response } from './cohereV1';
import { compactJson } from './compactJson';
import { errorOf } from './failure';
import { isBlank, listOf, present, recordOf, textOf, without } from './fields';
import { openaiContent } from './openaiContent';
import { openaiTools } from './openaiTools';
import { reasoningParts, said, textParts, unknownPart } from './parts';
import { functionCalls, roleMessage } from './roleMessage';
import type { WireProtocol } from './wireProtocol';

/** Cohere's Chat, version 2, and version 1 with a protocol of its own behind the same name. */
export const cohere: WireProtocol = {
  api: 'cohere',
  kind: 'llm',
  path: /\/v2\/chat\/?$/,
  maybePath: /\/chat\/?$|\/model\/.+\/invoke(-with-response-stream)?$/,
  isRequest: (body) => isRecord(body) && isCohereV1Request(body),
  isResponse: (body) => isRecord(body) && (isCohereV1Answer(body) || isAnswer(body)),
  isEvent: ({ json }) => EVENTS.test(textOf(json.type) ?? textOf(json.event_type) ?? ''),
  readRequest: (body) => (isCohereV1Request(body) ? readCohereV1Request(body) : readRequest(body)),
  readResponse: (body) =>
    isCohereV1Answer(recordOf(body)) ? readCohereV1Response(recordOf(body)) : readResponse(recordOf(body)),
  join: joinCohereEvents,
};

const EVENTS =
  /^(message-(start|end)|content-(start|delta|end)|tool-plan-delta|tool-call-(start|delta|end)|citation-(start|end)|stream-(start|end)|text-generation|tool-calls-(generation|chunk)|search-(queries-generation|results)|citation-generation)$/;

/** An answer has one message, not in a list of choices, with content in parts. */
function isAnswer({ message, finish_reason: reason }: JsonRecord): boolean {
  return isRecord(message) && typeof reason === 'string' && ('content' in message || 'tool_calls' in message);
}

function readRequest(body: JsonRecord): ChatRequest {
  return present({
    model: textOf(body.model),
    messages: listOf(body.messages).map((message) => roleMessage(message, messageParts)),
    tools: openaiTools(body.tools),
    params: without(body, 'model', 'messages', 'tools'),
  });
}

/** The plan is what the model thinks before it calls a tool. */
function messageParts({ content, tool_plan: plan, citations }: JsonRecord): Part[] {
  return [
    ...reasoningParts(textOf(plan) ?? ''),
    ...(Array.isArray(content) ? content : [content ?? null]).flatMap(contentPart),
    ...(isBlank(citations) ? [] : [unknownPart({ citations: citations ?? null })]),
  ];
}

/** The result of a tool may be a document: its data is what the model reads. */
function contentPart(part: Json): Part[] {
  const { type, document } = recordOf(part);
  if (type !== 'document' || !isRecord(document)) return openaiContent(typeof part === 'string' ? part : [part]);
  const { data } = document;
  return textParts(typeof data === 'string' ? data : compactJson(data ?? document));
}

function readResponse(answer: JsonRecord): ChatResponse {
  const message = recordOf(answer.message);
  return present({
    ...said(messageParts(message)),
    toolCalls: functionCalls(message),
    usage: cohereUsage(recordOf(answer.usage)),
    finishReason: textOf(answer.finish_reason),
    error: errorOf(answer),
  });
}
