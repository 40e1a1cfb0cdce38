import { asList, asRecord, asRecords, asString, isBlank, omitKeys, omitUndefined } from '../../json/fields';
import { isRecord, type Json, type JsonRecord } from '../../json/json';
import type { ChatRequest, ChatResponse, Message, Part, ToolCall } from '../../model/message';
import { chatUsage, readChatMessage } from '../openaiChat/read';
import type { Protocol } from '../protocol';
import { responseError, writeOpenaiError } from '../shared/errors';
import { textContent, textParts, unknownPart } from '../shared/messages';
import { readOpenaiTools } from '../shared/openaiTools';
import { readToolCall } from '../shared/toolCalls';
import { joinRunEvents, runStreamTextSites } from './stream';

/**
 * Runs of OpenAI's Assistants. Only a streamed run contains a response; otherwise the client polls for the messages of
 * the thread.
 */
export const openaiAssistants: Protocol = {
  id: 'openai-assistants',
  kind: 'llm',
  endpoints: {
    shared: /\/threads\/(runs|[^/]+\/runs(\/[^/]+\/submit_tool_outputs)?)\/?$/,
    others: [
      {
        below: 'api',
        paths: [
          '/assistants',
          '/assistants/{id}',
          '/threads',
          '/threads/runs',
          '/threads/{id}',
          '/threads/{id}/messages',
          '/threads/{id}/messages/{id}',
          '/threads/{id}/runs',
          '/threads/{id}/runs/{id}',
          '/threads/{id}/runs/{id}/cancel',
          '/threads/{id}/runs/{id}/steps',
          '/threads/{id}/runs/{id}/steps/{id}',
          '/threads/{id}/runs/{id}/submit_tool_outputs',
        ],
      },
    ],
  },
  isRequest: () => false,
  isResponse: () => false,
  isEvent: ({ event }) => event?.startsWith('thread.') === true,
  endsStream: ({ event }) => event === 'done' || RUN_ENDS.test(event ?? ''),
  // The messages are on the thread; an addition to the instructions would replace those of the assistant.
  members: {
    system: [['instructions']],
    messages: [],
    tools: [['tools']],
    toolSettings: [['tool_choice'], ['parallel_tool_calls']],
    toolResults: ['output'],
  },
  callIds: ['/tool_outputs/*/tool_call_id'],
  results: ['/tool_outputs/*/output'],
  // https://platform.openai.com/docs/api-reference/runs/createRun
  defaults: {
    '/parallel_tool_calls': true,
    '/response_format': 'auto',
    '/stream': false,
    '/temperature': 1,
    '/tool_choice': 'auto',
    '/top_p': 1,
    '/truncation_strategy': { type: 'auto' },
  },
  readRequest,
  readResponse,
  joinStream: joinRunEvents,
  writeError: writeOpenaiError,
  streamTextSites: () => runStreamTextSites,
};

const RUN_ENDS = /^thread\.run\.(?:completed|failed|cancelled|expired|incomplete|requires_action)$/;

function readRequest(body: JsonRecord): ChatRequest {
  const { instructions, thread, additional_messages: added, tool_outputs: results } = body;
  const others = omitKeys(body, 'model', 'instructions', 'thread', 'additional_messages', 'tool_outputs', 'tools');
  return omitUndefined({
    model: asString(body.model),
    messages: [
      ...(isBlank(instructions) ? [] : [{ role: 'system', ...textContent(textParts(instructions)), toolCalls: [] }]),
      ...asList(asRecord(thread).messages).map(readChatMessage),
      ...asList(added).map(readChatMessage),
      ...asRecords(results).map(readResult),
    ],
    tools: readOpenaiTools(body.tools),
    params: others,
  });
}

function readResult({ tool_call_id: id, output }: JsonRecord): Message {
  return { role: 'tool', ...textContent(textParts(output)), toolCalls: [], toolCallId: asString(id) ?? '' };
}

/** Reads a run with the `messages` and `steps` that `joinRunEvents` adds to it. */
function readResponse(body: Json): ChatResponse {
  const run = asRecord(body);
  const steps = asRecords(run.steps).flatMap((step) => asRecords(asRecord(step.step_details).tool_calls));
  const requiredCalls = asRecords(asRecord(asRecord(run.required_action).submit_tool_outputs).tool_calls);
  const { last_error: lastError } = run;
  return omitUndefined({
    ...textContent([
      ...steps.flatMap(stepPart),
      ...asRecords(run.messages).flatMap(({ content }) => asList(content).flatMap(contentPart)),
    ]),
    toolCalls: requiredCalls.map(functionCall),
    model: asString(run.model),
    usage: chatUsage(asRecord(run.usage)),
    finishReason: asString(run.status),
    error: responseError(run) ?? responseError(isRecord(lastError) ? { error: lastError } : undefined),
  });
}

function functionCall({ id, function: definition }: JsonRecord): ToolCall {
  return readToolCall(id, asRecord(definition).name, asRecord(definition).arguments);
}

function stepPart(call: JsonRecord): Part[] {
  return call.type === 'function' ? [] : [{ type: 'server_tool', name: asString(call.type) ?? '', payload: call }];
}

function contentPart(part: Json): Part[] {
  const { value, annotations } = asRecord(asRecord(part).text);
  if (typeof value !== 'string') return [unknownPart(part)];
  return isBlank(annotations)
    ? textParts(value)
    : [...textParts(value), unknownPart({ annotations: annotations ?? null })];
}
