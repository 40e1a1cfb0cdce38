import type { JsonRecord } from '../json/json';
import type { Interaction, Message } from '../tapes/tape';
import { present } from '../wire/fields';
import { callShape, spokenAnswer, spokenMessage, spokenShape } from './messageShape';

/** What an interaction says beside what was asked, without what is new with every recording anyway. */
export function exchangeShape(interaction: Interaction): JsonRecord {
  const { kind, response } = interaction;
  const { usage, error, finishReason, model } = response ?? {};
  return plain({
    kind,
    response: response && { ...spokenShape(spokenAnswer(response)), ...present({ usage, error, finishReason, model }) },
    http: httpShape(interaction),
  });
}

/** What was asked, without the messages; the wire where the request could not be read. Undefined when nothing is kept. */
export function requestHead({ request, http }: Interaction): JsonRecord | undefined {
  if (request === undefined) return http && plain({ method: http.method, url: http.url, body: http.requestBody });
  const { model, tools, params, messages } = request;
  return messages.length === 0 && tools.length === 0 ? undefined : plain({ model, tools, params });
}

/** What came back. Undefined when nothing did that could tell one answer from another. */
export function answerShape({ response, http }: Interaction): JsonRecord | undefined {
  if (response === undefined) return http && plain({ status: http.status, body: http.responseBody });
  if (!response.content && response.toolCalls.length === 0 && !response.parts?.length) return undefined;
  return spokenShape(spokenAnswer(response));
}

/** What tells an interaction from its neighbours, as text: what was said last, and the answer. */
export function gist({ request, response, http, summary }: Interaction): string {
  const last = request?.messages.at(-1);
  const calls = response?.toolCalls.map((call) => JSON.stringify(callShape(call), bigintText)) ?? [];
  const usage = Object.values(response?.usage ?? {}).join(' ');
  const said = [usage, response?.content, ...calls, response?.error, summary, last?.content];
  const text = said.filter((part) => typeof part === 'string').join('\n');
  return text === '' && http !== undefined
    ? JSON.stringify([http.url, http.requestBody, http.responseBody], bigintText)
    : text;
}

/** For a reader: the last thing that was said, and the answer. Earlier turns are other interactions' matter. */
export function interactionExcerpt(interaction: Interaction): JsonRecord {
  const { request, response, http, kind, summary } = interaction;
  const asked = request?.messages.slice(request.messages.findLastIndex(({ role }) => role === 'assistant') + 1);
  const { usage, error, finishReason } = response ?? {};
  return plain({
    kind,
    model: request?.model ?? response?.model,
    asked: asked && messageShapes(asked),
    answered: response && { ...spokenShape(spokenAnswer(response)), ...present({ error, finishReason, usage }) },
    http: http && (request ?? response) === undefined ? httpShape(interaction) : undefined,
    summary,
  });
}

function messageShapes(messages: readonly Message[]): readonly JsonRecord[] {
  return messages.map((message) => spokenShape(spokenMessage(message)));
}

function httpShape({ http, request, response }: Interaction): JsonRecord | undefined {
  if (http === undefined) return undefined;
  const { method, url, status } = http;
  const bodies = (request ?? response) ? {} : { requestBody: http.requestBody, responseBody: http.responseBody };
  return plain({ method, url, status, ...bodies });
}

/** Our model is JSON all through, though its interfaces do not say so. */
function plain(fields: object): JsonRecord {
  return present(fields) as JsonRecord;
}

function bigintText(_key: string, value: unknown): unknown {
  return typeof value === 'bigint' ? String(value) : value;
}
