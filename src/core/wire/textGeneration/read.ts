import { asList, asRecord, asRecords, asString, isBlank, omitKeys, omitUndefined } from '../../json/fields';
import { isRecord, type Json, type JsonRecord } from '../../json/json';
import type { ChatRequest, ChatResponse, Message } from '../../model/message';
import type { Usage } from '../../model/usage';
import { chatUsage, readChatMessage } from '../openaiChat/read';
import { responseError } from '../shared/errors';
import { textContent, textParts, unknownPart } from '../shared/messages';
import { usageFromCounts } from '../shared/usage';

/** The members in which providers keep the choices. */
export const CHOICE_LISTS = [
  'choices',
  'completions',
  'generations',
  'results',
  'outputs',
  'predictions',
  'candidates',
];

/** The choices of a response, or of one event of a stream. */
export function generatedChoices(response: JsonRecord): readonly JsonRecord[] {
  return CHOICE_LISTS.map((name) => asRecords(response[name])).find((choices) => choices.length > 0) ?? [];
}

const PROMPTS = ['prompt', 'inputText', 'inputs', 'input_text', 'input'];
const SYSTEM = ['system', 'system_prompt', 'context'];
/** Members in which some providers nest the parameters. */
const PARAMS = ['textGenerationConfig', 'parameters'];

export function promptOf(body: JsonRecord): { readonly key: string; readonly prompt: Json } | undefined {
  const key = PROMPTS.find((name) => typeof body[name] === 'string' || isPromptList(body[name]));
  return key === undefined ? undefined : { key, prompt: body[key] ?? '' };
}

/** Whether a list is several prompts, or the tokens of one. */
function isPromptList(value: Json | undefined): boolean {
  return Array.isArray(value) && value.length > 0 && value.every((item) => !isRecord(item));
}

export function readGenerationRequest(body: JsonRecord): ChatRequest {
  const [instance] = asRecords(body.instances);
  // Replicate and Vertex wrap the input of the model.
  const inner = isRecord(body.input) ? body.input : (instance ?? body);
  const { key, prompt } = promptOf(inner) ?? { key: 'content', prompt: inner.content ?? null };
  const read = [key, ...SYSTEM, ...PARAMS, 'images', 'messages', 'model', 'model_id', 'input', 'instances'];
  const own = inner === body ? {} : omitKeys(inner, ...read);
  const nested = PARAMS.flatMap((name) => Object.entries(asRecord(body[name])));
  return omitUndefined({
    model: asString(body.model) ?? asString(body.model_id),
    messages: Array.isArray(inner.messages)
      ? inner.messages.map(readChatMessage)
      : [...system(inner), ...prompts(prompt)],
    tools: [],
    params: { ...omitKeys(body, ...read), ...own, ...Object.fromEntries(nested) },
  });
}

function system(body: JsonRecord): Message[] {
  const text = SYSTEM.map((name) => asString(body[name])).find((value) => value !== undefined && value !== '');
  return text === undefined ? [] : [{ role: 'system', content: text, toolCalls: [] }];
}

function prompts(prompt: Json): Message[] {
  if (isBlank(prompt)) return [];
  const list = Array.isArray(prompt) && prompt.every((item) => typeof item === 'string') ? prompt : [prompt];
  return list.map((item) => ({
    role: 'user',
    ...textContent(typeof item === 'string' ? textParts(item) : [unknownPart(item)]),
    toolCalls: [],
  }));
}

export const TEXTS = ['completion', 'generation', 'generated_text', 'outputText', 'value'];
export const ITEM_TEXTS = ['text', 'output', ...TEXTS];

/** The text of a response, or of one event of a stream; undefined if it has none. */
export function generatedText(body: Json | undefined): string | undefined {
  if (Array.isArray(body)) return isRecord(body[0]) && 'generated_text' in body[0] ? generatedText(body[0]) : undefined;
  if (!isRecord(body)) return undefined;
  const token = asString(asRecord(body.token).text);
  const plain = TEXTS.map((name) => asString(body[name])).find((text) => text !== undefined);
  const listed = CHOICE_LISTS.map((name) => itemText(asList(body[name])[0])).find((text) => text !== undefined);
  return token ?? listed ?? plain ?? outputText(body) ?? localText(body) ?? asString(asRecord(body.result).response);
}

export function itemText(item: Json | undefined): string | undefined {
  if (!isRecord(item)) return undefined;
  const own = ITEM_TEXTS.map((name) => asString(item[name])).find((text) => text !== undefined);
  // PaLM on Vertex: a prediction is the content itself.
  const content = 'safetyAttributes' in item || 'citationMetadata' in item ? asString(item.content) : undefined;
  // Mistral's fill-in-the-middle, which responds like a chat; AI21; PaLM's chat.
  const nested = [asRecord(item.message).content, asRecord(item.data).text, asRecords(item.candidates)[0]?.content];
  return own ?? content ?? nested.map(asString).find((text) => text !== undefined);
}

/** The output of Replicate's models: a text, or its pieces; not the URL of a file. */
function outputText({ output, status }: JsonRecord): string | undefined {
  const text =
    Array.isArray(output) && output.every((piece) => typeof piece === 'string') ? output.join('') : asString(output);
  return typeof status === 'string' && text !== undefined && !/^(https?|data):/.test(text) ? text : undefined;
}

/** The text of llama.cpp's own API. */
function localText(body: JsonRecord): string | undefined {
  return 'stop' in body && ('generation_settings' in body || 'tokens_predicted' in body)
    ? asString(body.content)
    : undefined;
}

/** The member with the text of a piece of a stream, where a whole response has it elsewhere: of Cohere, Cloudflare, and llama.cpp. */
export function pieceMember(json: JsonRecord): 'text' | 'response' | 'content' | undefined {
  if (typeof json.is_finished === 'boolean') return 'text';
  if (typeof json.response === 'string') return 'response';
  return typeof json.stop === 'boolean' ? 'content' : undefined;
}

export function readGenerationResponse(body: Json): ChatResponse {
  const response = asRecord(Array.isArray(body) ? body[0] : body);
  const list = CHOICE_LISTS.map((name) => asList(response[name])).find((items) => items.length > 0) ?? [];
  const first = asRecord(list[0]);
  return omitUndefined({
    ...textContent([...textParts(generatedText(body)), ...list.slice(1).map(unknownPart)]),
    toolCalls: [],
    model: asString(response.model) ?? asString(response.model_id),
    usage: readUsage(response, first),
    finishReason: finishReason(first) ?? finishReason(response) ?? asString(response.status),
    error: responseError(response),
  });
}

const REASONS = ['finish_reason', 'stop_reason', 'completionReason', 'finishReason'];

function finishReason(item: JsonRecord): string | undefined {
  const reason =
    REASONS.map((name) => item[name]).find((value) => !isBlank(value)) ?? asRecord(item.details).finish_reason;
  return asString(reason) ?? asString(asRecord(reason).reason);
}

function readUsage(response: JsonRecord, item: JsonRecord): Usage | undefined {
  if (isRecord(response.usage)) return chatUsage(response.usage);
  const metrics = asRecord(response['amazon-bedrock-invocationMetrics'] ?? response.metrics);
  const billed = asRecord(asRecord(response.meta).billed_units);
  return usageFromCounts({
    prompt:
      response.prompt_token_count ??
      response.inputTextTokenCount ??
      response.tokens_evaluated ??
      response.num_tokens_prompt_total ??
      item.input_token_count ??
      billed.input_tokens ??
      metrics.inputTokenCount ??
      metrics.input_token_count,
    completion:
      response.generation_token_count ??
      item.tokenCount ??
      response.tokens_predicted ??
      response.num_tokens_generated ??
      item.generated_token_count ??
      billed.output_tokens ??
      asRecord(response.details).generated_tokens ??
      metrics.outputTokenCount ??
      metrics.output_token_count,
  });
}
