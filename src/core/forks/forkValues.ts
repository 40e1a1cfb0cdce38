import { type Json, jsonEqual } from '../json/json';
import type { Interaction } from '../model/interaction';
import type { ChatRequest, Message } from '../model/message';
import { editableFields } from '../tapes/edits/editableResponse';
import { decodeBody } from '../wire/body/body';
import { writtenTools } from '../wire/edit/editRequest';
import type { ResponseEdit } from '../wire/edit/responseEdit';
import { writeChatTool } from '../wire/openaiChat/write';
import type { ForkEdits } from './forkEdits';

/** What can be changed in a fork, with its values: those of the tape, or those that a user has written in their place. */
export interface ForkValues {
  /** The number of shared interactions: the fork is at the one with this index. */
  readonly shared: number;
  readonly model?: string | undefined;
  readonly system?: string | undefined;
  /** As the protocol of the request writes them. */
  readonly tools?: readonly Json[] | undefined;
  /** The results that the first request after the fork sends. */
  readonly toolResults: readonly ToolResultValue[];
  /** The response of the last shared interaction. */
  readonly response?: ResponseValues | undefined;
}

export interface ToolResultValue {
  readonly call: string;
  readonly tool?: string | undefined;
  readonly text: string;
}

export interface ResponseValues {
  readonly text?: string | undefined;
  /** The arguments of its calls, as JSON. */
  readonly calls: readonly { readonly tool: string; readonly arguments: string }[];
}

/** The values at a fork of a tape; `shared` is at most the number of its interactions. */
export function forkValues(interactions: readonly Interaction[], shared: number): ForkValues {
  const next = interactions[shared];
  const last = interactions[shared - 1];
  const request = next?.request;
  return {
    shared,
    model: request?.model ?? next?.response?.model,
    system: request?.messages.find(({ role }) => role === 'system' || role === 'developer')?.content ?? undefined,
    tools: next && toolsOf(next),
    toolResults: request === undefined ? [] : newResults(request),
    response: last && responseValues(last),
  };
}

function toolsOf({ http, request }: Interaction): readonly Json[] | undefined {
  if (http === undefined) return request?.tools.map(writeChatTool);
  return writtenTools(decodeBody(http.requestBody, http.requestHeaders).json);
}

/** The results after the last message of the model. */
function newResults({ messages }: ChatRequest): readonly ToolResultValue[] {
  const from = messages.findLastIndex(({ toolCalls, role }) => role === 'assistant' || toolCalls.length > 0) + 1;
  const calls = messages.flatMap(({ toolCalls }) => toolCalls);
  return messages.slice(from).flatMap(({ toolCallId, content, name }: Message) => {
    if (toolCallId === undefined || toolCallId === '') return [];
    const tool = calls.find(({ id }) => id === toolCallId)?.name ?? name;
    return [{ call: toolCallId, tool, text: content ?? '' }];
  });
}

function responseValues(interaction: Interaction): ResponseValues | undefined {
  if (interaction.kind !== 'llm') return undefined;
  const { text, calls } = editableFields(interaction);
  if (text === undefined && calls.length === 0) return undefined;
  return { text, calls: calls.map(({ name, arguments: json }) => ({ tool: name, arguments: json })) };
}

/** What a user has changed. */
export function changedValues(before: ForkValues, after: Omit<ForkValues, 'shared'>): ForkEdits {
  const { model, system, tools } = after;
  const results = after.toolResults.filter(
    ({ call, text }) => before.toolResults.find((one) => one.call === call)?.text !== text,
  );
  const response = responseChanges(before.response, after.response);
  return {
    ...(model !== undefined && model !== '' && model !== before.model && { model }),
    ...(system !== undefined && system !== (before.system ?? '') && { system }),
    ...(tools !== undefined && !jsonEqual(tools, before.tools ?? []) && { tools }),
    ...(results.length > 0 && { toolResults: Object.fromEntries(results.map(({ call, text }) => [call, text])) }),
    ...(response.length > 0 && { response }),
  };
}

function responseChanges(
  before: ResponseValues = { calls: [] },
  after: ResponseValues = { calls: [] },
): readonly ResponseEdit[] {
  const text: readonly ResponseEdit[] =
    after.text === undefined || after.text === before.text ? [] : [{ type: 'response-text', text: after.text }];
  const calls = after.calls.flatMap(({ arguments: json }, call): ResponseEdit[] =>
    json === before.calls[call]?.arguments ? [] : [{ type: 'arguments', call, json }],
  );
  return [...text, ...calls];
}
