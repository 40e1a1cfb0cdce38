import { isRecord, type Json, type JsonRecord } from '../json/json';
import type { ChatRequest, ChatResponse, Message } from '../tapes/tape';
import { errorOf } from './failure';
import { isBlank, present, recordOf, recordsOf, textOf, without } from './fields';
import { openaiContent } from './openaiContent';
import { openaiTools } from './openaiTools';
import { said } from './parts';
import { itemsOf, readInput, readOutput } from './responsesItems';
import { joinResponseEvents } from './responsesStream';
import { usageOf } from './usage';
import type { WireProtocol } from './wireProtocol';

/** OpenAI's Responses, which Azure, xAI, DeepSeek, LM Studio and others speak as well. */
export const openaiResponses: WireProtocol = {
  api: 'openai-responses',
  kind: 'llm',
  path: /\/responses\/?$/,
  // From there a stream goes on as well; at other names beside it, tokens are counted.
  maybePath: /\/responses\/resp_[^/]+\/?$/,
  fetched: /\/responses\/[^/]+\/?$/,
  isRequest,
  isResponse: (body) =>
    isRecord(body) && (body.object === 'response' || (Array.isArray(body.output) && typeof body.status === 'string')),
  isEvent: ({ json }) => typeof json.type === 'string' && json.type.startsWith('response.'),
  readRequest,
  readResponse,
  join: joinResponseEvents,
};

/** Requests for embeddings have an `input` and a model too. */
function isRequest(body: Json): boolean {
  if (!isRecord(body) || isBlank(body.input) || 'messages' in body) return false;
  const telling = ['instructions', 'max_output_tokens', 'previous_response_id', 'store', 'stream', 'tools', 'text'];
  return recordsOf(body.input).length > 0 || telling.some((key) => key in body);
}

function readRequest(body: JsonRecord): ChatRequest {
  return present({
    model: textOf(body.model),
    messages: [...instructions(body.instructions), ...readInput(itemsOf(body.input))],
    tools: openaiTools(body.tools),
    params: without(body, 'model', 'instructions', 'input', 'tools'),
  });
}

function instructions(text: Json | undefined): Message[] {
  return isBlank(text) ? [] : [{ role: 'system', ...said(openaiContent(text)), toolCalls: [] }];
}

function readResponse(body: Json): ChatResponse {
  const answer = recordOf(body);
  const { output, output_text: text, usage } = answer;
  return present({
    ...readOutput(isBlank(output) && typeof text === 'string' ? [{ content: text }] : itemsOf(output)),
    model: textOf(answer.model),
    usage: readUsage(recordOf(usage)),
    finishReason: finishReason(answer),
    error: errorOf(answer),
  });
}

function readUsage(usage: JsonRecord): ChatResponse['usage'] {
  const input = recordOf(usage.input_tokens_details);
  return usageOf({
    prompt: usage.input_tokens,
    completion: usage.output_tokens,
    total: usage.total_tokens,
    cached: input.cached_tokens,
    cacheWrite: input.cache_write_tokens,
    reasoning: recordOf(usage.output_tokens_details).reasoning_tokens,
  });
}

/** The status, or what an incomplete answer lacks. An answer that is under way has none. */
function finishReason({ status, incomplete_details: details }: JsonRecord): string | undefined {
  if (status === 'in_progress' || status === 'queued') return undefined;
  return textOf(recordOf(details).reason) ?? textOf(status);
}
