import { asList, asRecord, asRecords, asString, isBlank, omitUndefined } from '../../../../json/fields';
import { compactJson, isRecord, type Json, type JsonRecord } from '../../../../json/json';
import type { ChatResponse } from '../../../../model/message';
import { readGeminiResponse } from '../../../../wire/gemini/read';
import { readChatCompletionResponse } from '../../../../wire/openaiChat/read';
import { readOutput, readResponsesResponse } from '../../../../wire/openaiResponses/read';
import { textContent, unknownPart } from '../../../../wire/shared/messages';
import { isCallAlone, readMemberCall, readTraceMessages, textOf } from './messages';
import { readTraceUsage } from './usage';

/** Reads what a model answered as SDKs write it into traces; undefined if nothing was written. */
export function readTraceOutput(output: Json | undefined): ChatResponse | undefined {
  if (output === undefined || output === null) return undefined;
  if (typeof output === 'string') return { content: output, toolCalls: [] };
  if (Array.isArray(output)) return outputList(output);
  if (!isRecord(output)) return { content: textOf(output), toolCalls: [] };
  if (Array.isArray(output.choices)) return withUsage(readChatCompletionResponse(output), output);
  if (Array.isArray(output.generations)) return readGenerations(output);
  if (Array.isArray(output.candidates)) return readGeminiResponse(output);
  // Google's ADK writes the only candidate as the response.
  if (isRecord(output.content) && Array.isArray(output.content.parts))
    return readGeminiResponse({ ...output, candidates: [output] });
  if (output.object === 'response' || isResponsesOutput(output.output)) return readResponsesResponse(output);
  if (Array.isArray(output.messages)) return outputList(output.messages);
  return isMessage(output) ? withUsage(firstMessage([output]), output) : wrapped(output);
}

function isResponsesOutput(output: Json | undefined): boolean {
  return asRecords(output).some(({ type }) => type === 'message' || type === 'function_call');
}

const MESSAGE_MEMBERS = ['role', 'content', 'parts', 'tool_calls', 'kwargs', 'message', 'contents', 'function_call'];

function isMessage(output: JsonRecord): boolean {
  return MESSAGE_MEMBERS.some((key) => key in output);
}

/** Decorators of functions put a returned value into `output`; anything else is shown as it is. */
function wrapped(output: JsonRecord): ChatResponse {
  const keys = Object.keys(output);
  const only = keys.length === 1 ? output[keys[0] ?? ''] : undefined;
  if (only !== undefined && keys[0] === 'output') return readTraceOutput(only) ?? { content: null, toolCalls: [] };
  return isBlank(output) ? { content: null, toolCalls: [] } : { content: textOf(output), toolCalls: [] };
}

/** Messages, of which the last is the answer if the conversation is repeated; items of OpenAI's Responses; or texts. */
function outputList(list: readonly Json[]): ChatResponse | undefined {
  if (list.length === 0) return undefined;
  const flat = list.flat(1);
  const calls = asRecords(flat).filter(isCallAlone);
  if (calls.length === flat.length) return { content: null, toolCalls: calls.map(readMemberCall) };
  const isItems = flat.some(
    (item) => isRecord(item) && item.role === undefined && /_call$|^reasoning$/.test(asString(item.type) ?? ''),
  );
  if (isItems) return readOutput(flat);
  const isConversation = asRecords(flat).some(({ role, type }) => role === 'user' || type === 'human');
  return firstMessage(isConversation ? flat.slice(-1) : flat);
}

/** The first of several choices; the others are shown as they are. As values, they would take many times their text. */
function firstMessage(items: readonly Json[]): ChatResponse {
  const [first = null, ...others] = items;
  const [message] = typeof first === 'string' ? [] : readTraceMessages([first]);
  const known: Pick<ChatResponse, 'content' | 'parts' | 'toolCalls'> = message ?? {
    content: asString(first) ?? null,
    toolCalls: [],
  };
  const parts = others.length === 0 ? known.parts : [...ownParts(known), unknownPart(compactJson(others))];
  return omitUndefined({
    ...(others.length === 0 ? omitUndefined({ content: known.content, parts }) : textContent(parts ?? [])),
    toolCalls: known.toolCalls,
    finishReason: finishReasonOf(asRecord(first)),
  });
}

function ownParts({ content, parts }: Pick<ChatResponse, 'content' | 'parts'>): NonNullable<ChatResponse['parts']> {
  return parts ?? (content === null ? [] : [{ type: 'text', text: content }]);
}

function finishReasonOf(message: JsonRecord): string | undefined {
  const fields = isRecord(message.kwargs) ? message.kwargs : message;
  const about = asRecord(fields.response_metadata);
  const found = message.finish_reason ?? message.stop_reason ?? message.finishReason ?? about.finish_reason;
  return asString(found ?? about.stop_reason) || undefined;
}

/** A result of LangChain: choices in lists of lists, with what the provider said beside them. */
function readGenerations(output: JsonRecord): ChatResponse {
  const [first = {}] = asRecords(asList(output.generations).flat(1));
  const about = asRecord(first.generation_info);
  const said = isRecord(first.message)
    ? firstMessage([first.message])
    : { content: asString(first.text) ?? null, toolCalls: [] };
  const details = asRecord(output.llm_output);
  const message = asRecord(isRecord(asRecord(first.message).kwargs) ? asRecord(first.message).kwargs : first.message);
  return omitUndefined({
    ...said,
    model: asString(details.model_name) ?? asString(asRecord(message.response_metadata).model_name),
    usage: readTraceUsage(details.token_usage) ?? readTraceUsage(message.usage_metadata),
    finishReason: asString(about.finish_reason) ?? said.finishReason,
  });
}

function withUsage(response: ChatResponse, output: JsonRecord): ChatResponse {
  const usage = response.usage ?? readTraceUsage(output.usage_metadata) ?? readTraceUsage(output.usage);
  return omitUndefined({ ...response, usage, model: response.model ?? asString(output.model) });
}
