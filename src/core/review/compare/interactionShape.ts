import { omitUndefined } from '../../json/fields';
import { isRecord, type Json, type JsonRecord, jsonEqual } from '../../json/json';
import { type JsonPath, valueAt } from '../../json/jsonPath';
import { differingOrder } from '../../json/memberOrder';
import type { Interaction } from '../../model/interaction';
import type { ChatRequest, ChatResponse, Message, Part, ToolCall } from '../../model/message';

/** Everything that is compared. Most interactions are the same, which takes little time to see. */
export const COMPARED_PARTS = ['kind', 'request', 'response', 'http', 'timing', 'declared', 'id'] as const;

/** Whether two interactions have no difference, not even in what differs in every recording. */
export function isEqualInteraction(before: Interaction, after: Interaction): boolean {
  return COMPARED_PARTS.every((part) => jsonEqual(before[part], after[part])) && isInSameOrder(before, after);
}

/** Where requests have the schema of a response, by their names on the wire. */
export const SCHEMA_PARAMETERS: readonly JsonPath[] = [
  ['response_format'],
  ['text', 'format'],
  ['format'],
  ['output_config', 'format'],
  ['output_format'],
  ['generationConfig', 'responseSchema'],
  ['generationConfig', 'responseJsonSchema'],
];

/** Whether the members of schemas are in the same order. */
function isInSameOrder({ request: old }: Interaction, { request: now }: Interaction): boolean {
  if (old === undefined || now === undefined || old === now) return true;
  const schemas = ({ tools, params }: ChatRequest) => [
    tools,
    ...SCHEMA_PARAMETERS.map((path) => valueAt(params, path)),
  ];
  return differingOrder(schemas(old), schemas(now)) === undefined;
}

/** The content of an interaction besides its request, without values that differ in every recording. */
export function exchangeShape(interaction: Interaction): JsonRecord {
  const { kind, response, declared } = interaction;
  const { usage, error, finishReason, model } = response ?? {};
  return asRecord({
    kind,
    response: response && {
      ...contentShape(responseContent(response)),
      ...omitUndefined({ usage, error, finishReason, model }),
    },
    http: httpShape(interaction),
    declared,
  });
}

/** The request without its messages, or the HTTP request if it is not a model call. Undefined if neither was recorded. */
export function requestHead({ request, http }: Interaction): JsonRecord | undefined {
  if (request === undefined) return http && asRecord({ method: http.method, url: http.url, body: http.requestBody });
  const { model, tools, params, messages } = request;
  return messages.length === 0 && tools.length === 0 ? undefined : asRecord({ model, tools, params });
}

/** The response. Undefined if it has no content that would distinguish it. */
export function responseShape({ response, http }: Interaction): JsonRecord | undefined {
  if (response === undefined) return http && asRecord({ status: http.status, body: http.responseBody });
  if (!response.content && response.toolCalls.length === 0 && !response.parts?.length) return undefined;
  return contentShape(responseContent(response));
}

const JSON_SIGNS = /[{}[\],:"]+/g;

/** The text that distinguishes an interaction from its neighbours: the last message, and the response. */
export function distinguishingText({ kind, request, response, http, summary }: Interaction): string {
  const last = request?.messages.at(-1);
  // What is said of vectors is the same for all of a model.
  if (kind === 'embedding' && typeof last?.content === 'string') return last.content;
  // The signs of JSON are the same in every call.
  const calls = response?.toolCalls.map((call) => JSON.stringify(callShape(call), bigintText).replace(JSON_SIGNS, ' '));
  const usage = Object.values(response?.usage ?? {}).join(' ');
  const parts = [usage, response?.content, ...(calls ?? []), response?.error, summary, last?.content];
  const text = parts.filter((part) => typeof part === 'string').join('\n');
  return text === '' && http !== undefined
    ? JSON.stringify([http.url, http.requestBody, http.responseBody], bigintText)
    : text;
}

/** An excerpt for users: the last messages, and the response. Earlier turns belong to other interactions. */
export function interactionExcerpt(interaction: Interaction): JsonRecord {
  const { request, response, http, kind, summary } = interaction;
  const asked = request?.messages.slice(request.messages.findLastIndex(({ role }) => role === 'assistant') + 1);
  const { usage, error, finishReason } = response ?? {};
  return asRecord({
    kind,
    model: request?.model ?? response?.model,
    asked: asked && messageShapes(asked),
    answered: response && {
      ...contentShape(responseContent(response)),
      ...omitUndefined({ error, finishReason, usage }),
    },
    http: http && (request ?? response) === undefined ? httpShape(interaction) : undefined,
    summary,
  });
}

function messageShapes(messages: readonly Message[]): readonly JsonRecord[] {
  return messages.map((message) => contentShape(messageContent(message)));
}

function httpShape({ http, request, response }: Interaction): JsonRecord | undefined {
  if (http === undefined) return undefined;
  const { method, url, status } = http;
  const bodies = (request ?? response) ? {} : { requestBody: http.requestBody, responseBody: http.responseBody };
  return asRecord({ method, url, status, ...bodies });
}

/** The model consists of JSON values, though its interfaces do not declare that. */
function asRecord(fields: object): JsonRecord {
  return omitUndefined(fields) as JsonRecord;
}

function bigintText(_key: string, value: unknown): unknown {
  return typeof value === 'bigint' ? String(value) : value;
}

/** The compared content of a message or response, without ids of tool calls: the order shows which result is whose. */
export interface ComparedMessage {
  readonly role?: string;
  readonly name?: string;
  readonly isError?: boolean;
  readonly text: string;
  /** The parts besides plain text and tool calls, in order. */
  readonly parts: readonly Part[];
  readonly calls: readonly ToolCall[];
  readonly callId?: string;
  /** The kinds of parts in order, with the lengths of texts; absent for plain text. */
  readonly layout?: readonly string[];
}

export function messageContent({
  role,
  content,
  parts,
  toolCalls,
  toolCallId,
  isError,
  name,
}: Message): ComparedMessage {
  const rest = omitUndefined({ role, name, isError, callId: toolCallId });
  const layout = parts && {
    layout: parts.map((part) => (part.type === 'text' ? `text ${part.text.length}` : part.type)),
  };
  return { ...rest, text: content ?? '', parts: otherParts(parts), calls: toolCalls, ...layout };
}

export function responseContent({
  content,
  parts,
  toolCalls,
}: Pick<ChatResponse, 'content' | 'parts' | 'toolCalls'>): ComparedMessage {
  return { text: content ?? '', parts: otherParts(parts), calls: toolCalls };
}

function otherParts(parts: readonly Part[] = []): readonly Part[] {
  return parts.filter((part) => part.type !== 'text' && !isFinishMessage(part));
}

/** Gemini's explanation of an end, which is read as a part after some ends only. */
function isFinishMessage(part: Part): boolean {
  return part.type === 'unknown' && isRecord(part.raw) && Object.keys(part.raw).join() === 'finishMessage';
}

/** A call without its id. */
export function callShape({ name, arguments: given }: ToolCall): JsonRecord {
  return { name, arguments: given };
}

/** A part without encrypted data, which differs in every response. */
export function partShape(part: Part): Json {
  if (part.type !== 'reasoning') return { ...part };
  return { type: part.type, text: part.text };
}

/** A message or response as one value, equal for equal content. */
export function contentShape({ role, name, isError, text, parts, calls }: ComparedMessage): JsonRecord {
  return omitUndefined({ role, name, isError, text, parts: parts.map(partShape), calls: calls.map(callShape) });
}
