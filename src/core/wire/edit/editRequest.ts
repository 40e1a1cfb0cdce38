import { compactJson, type Json, jsonEqual } from '../../json/json';
import { valueAt } from '../../json/jsonPath';
import { parseExactJson } from '../../json/readJson';
import type { HttpExchange } from '../../model/http';
import type { ChatRequest } from '../../model/message';
import { t } from '../../text/l10n';
import { applySplices } from '../../text/splice';
import { withModelInUrl } from '../endpoints';
import type { Protocol } from '../protocol';
import { type ExchangeReading, readExchange } from '../read/readExchange';
import { protocolById } from '../registry';
import { ALL_MEMBERS } from '../requestMembers';
import type { EditRefusal } from './editBody';
import {
  firstSystemMessage,
  modelEdits,
  resultEdits,
  sameResult,
  systemEdits,
  toolsEdits,
  withoutFirstSystem,
} from './requestSites';
import { type JsonEdit, jsonTextSplices } from './textEdits';

/** Changes of a request to a model, independent of its protocol. */
export interface RequestEdits {
  readonly model?: string;
  /** The system prompt; one is added where there is none. */
  readonly system?: string;
  /** The whole list of tools, as the protocol of the request writes them. */
  readonly tools?: readonly Json[];
  /** The results of tools, by the ids of their calls. */
  readonly toolResults?: Readonly<Record<string, string>>;
}

/** A request over HTTP whose body is JSON, as text. */
export interface RequestText {
  readonly url: string;
  readonly body: string;
}

/** Part of an edit: the ways to make it, the likeliest first, and how the request reads when it has been made. */
interface EditStep {
  readonly what: string;
  candidates(request: RequestText, body: Json, read: ReadRequest): readonly Candidate[];
  isMade(before: ChatRequest, after: ChatRequest): boolean;
}

interface ReadRequest {
  readonly reading: ExchangeReading;
  readonly protocol: Protocol;
}

interface Candidate {
  readonly url?: string | undefined;
  readonly edits?: readonly JsonEdit[];
}

/**
 * Changes a request to a model in its URL and body, and keeps the rest of them as it is. Every change is verified by reading
 * the request again. Requests to other endpoints, such as embeddings, stay as they are.
 */
export function editRequest(request: RequestText, edits: RequestEdits): RequestText | EditRefusal {
  const isCall = readRequest(request).kind === 'llm';
  if (!isCall) return request;
  let edited = request;
  for (const step of stepsOf(edits)) {
    const made = make(edited, step);
    if (made === undefined)
      return {
        refused: t('Tapedeck cannot change {0} in a request of this protocol{1}.', step.what, protocolOf(request)),
      };
    edited = made;
  }
  return edited;
}

/** The model that a request asks for. */
export function modelOf(request: RequestText): string | undefined {
  return readRequest(request).request?.model;
}

/** The calls among `ids` whose results are in the request. */
export function resultsIn(request: RequestText, ids: readonly string[]): readonly string[] {
  const found = new Set(readRequest(request).request?.messages.map(({ toolCallId }) => toolCallId));
  return ids.filter((id) => found.has(id));
}

function make(request: RequestText, step: EditStep): RequestText | undefined {
  const body = parseExactJson(request.body);
  const reading = readRequest(request);
  const protocol = protocolById(reading.api);
  if (body === undefined || reading.request === undefined || protocol === undefined) return undefined;
  for (const { url = request.url, edits = [] } of step.candidates(request, body, { reading, protocol })) {
    const made = { url, body: applySplices(request.body, [...jsonTextSplices(request.body, edits)]) };
    const after = readRequest(made);
    if (after.api === reading.api && after.request !== undefined && step.isMade(reading.request, after.request))
      return made;
  }
  return undefined;
}

function stepsOf({ model, system, tools, toolResults = {} }: RequestEdits): readonly EditStep[] {
  return [
    ...Object.entries(toolResults).map(([id, text]) => resultStep(id, text)),
    ...(system === undefined ? [] : [systemStep(system)]),
    ...(tools === undefined ? [] : [toolsStep(tools)]),
    ...(model === undefined ? [] : [modelStep(model)]),
  ];
}

function modelStep(model: string): EditStep {
  return {
    what: t('the model'),
    candidates: ({ url }, body) => {
      const inUrl = withModelInUrl(url, model);
      const inBody = modelEdits(body, model);
      return inUrl === undefined && inBody.length === 0 ? [] : [{ url: inUrl, edits: inBody }];
    },
    isMade: (before, after) => after.model === model && jsonEqual({ ...before, model }, after),
  };
}

function systemStep(text: string): EditStep {
  return {
    what: t('the system prompt'),
    candidates: (_, body, { protocol }) => systemEdits(body, protocol, text).map((edit) => ({ edits: [edit] })),
    isMade: (before, after) =>
      firstSystemMessage(after)?.content === text && jsonEqual(withoutFirstSystem(before), withoutFirstSystem(after)),
  };
}

function toolsStep(tools: readonly Json[]): EditStep {
  return {
    what: t('the tools'),
    candidates: (_, body, { protocol }) => toolsEdits(body, protocol, tools).map((edit) => ({ edits: [edit] })),
    isMade: ({ messages, model }, after) =>
      jsonEqual({ messages, model }, { messages: after.messages, model: after.model }) &&
      after.tools.length > 0 === tools.length > 0,
  };
}

/** A request without the call stays as it is: an agent may shorten its history. */
function resultStep(id: string, text: string): EditStep {
  return {
    what: t('the result of the tool call {0}', id),
    candidates: (_, body, { reading: { request }, protocol }) => {
      const at = request?.messages.findIndex(({ toolCallId }) => toolCallId === id) ?? -1;
      return at === -1 ? [{}] : resultEdits(body, protocol, id, text).map((edit) => ({ edits: [edit] }));
    },
    isMade: (before, after) => {
      const at = before.messages.findIndex(({ toolCallId }) => toolCallId === id);
      if (at === -1) return true;
      const rest = ({ messages, ...others }: ChatRequest) => ({ ...others, messages: messages.toSpliced(at, 1) });
      const { toolCallId, content } = after.messages[at] ?? {};
      return toolCallId === id && sameResult(content, text) && jsonEqual(rest(before), rest(after));
    },
  };
}

function readRequest({ url, body }: RequestText): ExchangeReading {
  return readExchange(exchangeOf({ url, body }));
}

function exchangeOf({ url, body }: RequestText): HttpExchange {
  return {
    method: 'POST',
    url,
    requestHeaders: [],
    requestBody: { type: 'text', text: body },
    responseHeaders: [],
    responseBody: { type: 'none' },
  };
}

function protocolOf(request: RequestText): string {
  const { api } = readRequest(request);
  return api === undefined ? '' : ` (${api})`;
}

/** The tools of a request as its protocol writes them; undefined if it has none. */
export function writtenTools(body: Json | undefined): readonly Json[] | undefined {
  return ALL_MEMBERS.tools.map((path) => valueAt(body, path)).find(Array.isArray);
}

/** A JSON text of tools, one a line. */
export function toolsText(tools: readonly Json[]): string {
  return `[\n${tools.map((tool) => `  ${compactJson(tool)}`).join(',\n')}\n]`;
}
