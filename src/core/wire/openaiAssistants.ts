import { isRecord, type Json, type JsonRecord } from '../json/json';
import type { ChatRequest, ChatResponse, Message, Part, ToolCall } from '../tapes/tape';
import { errorOf } from './failure';
import { isBlank, listOf, present, recordOf, recordsOf, textOf, without } from './fields';
import { chatUsage, readChatMessage } from './openaiChat';
import { openaiTools } from './openaiTools';
import { said, textParts, unknownPart } from './parts';
import { toolCall } from './toolCalls';
import type { StreamEvent, WireProtocol } from './wireProtocol';

/**
 * Runs of OpenAI's Assistants. Only a streamed run has an answer in it: otherwise it is polled for, and read as one of
 * the messages of the thread.
 */
export const openaiAssistants: WireProtocol = {
  api: 'openai-assistants',
  kind: 'llm',
  path: /(?!)/,
  maybePath: /\/threads\/(runs|[^/]+\/runs(\/[^/]+\/submit_tool_outputs)?)\/?$/,
  isRequest: () => false,
  isResponse: () => false,
  isEvent: ({ event }) => event?.startsWith('thread.') === true,
  readRequest,
  readResponse,
  join,
};

function readRequest(body: JsonRecord): ChatRequest {
  const { instructions, thread, additional_messages: added, tool_outputs: results } = body;
  const others = without(body, 'model', 'instructions', 'thread', 'additional_messages', 'tool_outputs', 'tools');
  return present({
    model: textOf(body.model),
    messages: [
      ...(isBlank(instructions) ? [] : [{ role: 'system', ...said(textParts(instructions)), toolCalls: [] }]),
      ...listOf(recordOf(thread).messages).map(readChatMessage),
      ...listOf(added).map(readChatMessage),
      ...recordsOf(results).map(readResult),
    ],
    tools: openaiTools(body.tools),
    params: others,
  });
}

function readResult({ tool_call_id: id, output }: JsonRecord): Message {
  return { role: 'tool', ...said(textParts(output)), toolCalls: [], toolCallId: textOf(id) ?? '' };
}

/** The run with its messages and its steps beside it. */
function readResponse(body: Json): ChatResponse {
  const run = recordOf(body);
  const steps = recordsOf(run.steps).flatMap((step) => recordsOf(recordOf(step.step_details).tool_calls));
  const wanted = recordsOf(recordOf(recordOf(run.required_action).submit_tool_outputs).tool_calls);
  const { last_error: failed } = run;
  return present({
    ...said([
      ...steps.flatMap(stepPart),
      ...recordsOf(run.messages).flatMap(({ content }) => listOf(content).flatMap(contentPart)),
    ]),
    toolCalls: wanted.map(functionCall),
    model: textOf(run.model),
    usage: chatUsage(recordOf(run.usage)),
    finishReason: textOf(run.status),
    error: errorOf(run) ?? errorOf(isRecord(failed) ? { error: failed } : undefined),
  });
}

function functionCall({ id, function: wanted }: JsonRecord): ToolCall {
  return toolCall(id, recordOf(wanted).name, recordOf(wanted).arguments);
}

function stepPart(call: JsonRecord): Part[] {
  return call.type === 'function' ? [] : [{ type: 'server_tool', name: textOf(call.type) ?? '', payload: call }];
}

function contentPart(part: Json): Part[] {
  const { value, annotations } = recordOf(recordOf(part).text);
  if (typeof value !== 'string') return [unknownPart(part)];
  return isBlank(annotations)
    ? textParts(value)
    : [...textParts(value), unknownPart({ annotations: annotations ?? null })];
}

/** Every event has the whole object as it is then, but for the deltas of a message whose end was not recorded. */
function join(events: readonly StreamEvent[]): JsonRecord {
  let run: JsonRecord = {};
  const messages = new Map<Json, JsonRecord>();
  const steps = new Map<Json, JsonRecord>();
  const texts = new Map<Json, string>();
  for (const { event = '', json } of events) {
    const id = json.id ?? '';
    if (json.object === 'thread.run') run = { ...run, ...json };
    else if (json.object === 'thread.run.step') steps.set(id, json);
    else if (json.object === 'thread.message') messages.set(id, json);
    else if (event === 'thread.message.delta') texts.set(id, (texts.get(id) ?? '') + deltaText(json));
  }
  for (const [id, value] of texts) {
    if (isBlank(messages.get(id)?.content)) messages.set(id, { content: [{ type: 'text', text: { value } }] });
  }
  return { ...run, messages: [...messages.values()], steps: [...steps.values()] };
}

function deltaText({ delta }: JsonRecord): string {
  return recordsOf(recordOf(delta).content)
    .map(({ text }) => textOf(recordOf(text).value) ?? '')
    .join('');
}
