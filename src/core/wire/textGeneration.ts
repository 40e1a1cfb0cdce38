import { isRecord, type Json, type JsonRecord } from '../json/json';
import type { ChatRequest, ChatResponse, Message, Usage } from '../tapes/tape';
import { errorOf } from './failure';
import { indexOf, isBlank, listOf, present, recordOf, recordsOf, textOf, without } from './fields';
import { CHOICE_LISTS, generatedChoices } from './generatedChoices';
import { chatUsage, readChatMessage } from './openaiChat';
import { said, textParts, unknownPart } from './parts';
import { usageOf } from './usage';
import type { StreamEvent, WireProtocol } from './wireProtocol';

/**
 * A prompt in, its continuation out: OpenAI's and others' `/completions`, Anthropic's `/complete`, Cohere's
 * `/generate`, Hugging Face, Replicate, watsonx, Cloudflare, llama.cpp, PaLM, and the models behind Bedrock's
 * `invoke` that have no messages. They differ in the names of the members, and in little else.
 */
export const textGeneration: WireProtocol = {
  api: 'text-generation',
  kind: 'llm',
  path: /(?<!\/chat)\/completions\/?$|\/v1\/complete\/?$|\/ml\/v1\/text\/generation(_stream)?\/?$/,
  maybePath:
    /\/(complete|completion|generate|predictions|invocations|streams\/[^/]+)\/?$|\/ai\/run\/|\/models?\/|:(generateText|predict)$/,
  fetched: /\/predictions\/[^/]+\/?$/,
  isRequest: (body) => isRecord(body) && (promptOf(body) ?? promptOf(recordOf(body.input))) !== undefined,
  isResponse: (body) => textIn(body) !== undefined,
  isEvent: (event) => event.event === 'output' || textIn(event.json) !== undefined,
  readRequest,
  readResponse,
  join,
};

const PROMPTS = ['prompt', 'inputText', 'inputs', 'input_text', 'input'];
const SYSTEM = ['system', 'system_prompt', 'context'];
/** Where the parameters stand that others keep beside the prompt. */
const PARAMS = ['textGenerationConfig', 'parameters'];

function promptOf(body: JsonRecord): { readonly key: string; readonly prompt: Json } | undefined {
  const key = PROMPTS.find((name) => typeof body[name] === 'string' || isPromptList(body[name]));
  return key === undefined ? undefined : { key, prompt: body[key] ?? '' };
}

/** Several prompts, or the tokens of one. */
function isPromptList(value: Json | undefined): boolean {
  return Array.isArray(value) && value.length > 0 && value.every((item) => !isRecord(item));
}

function readRequest(body: JsonRecord): ChatRequest {
  const [instance] = recordsOf(body.instances);
  // Replicate and Vertex wrap what the model gets.
  const inner = isRecord(body.input) ? body.input : (instance ?? body);
  const found = promptOf(inner) ?? { key: 'content', prompt: inner.content ?? null };
  const read = [found.key, ...SYSTEM, ...PARAMS, 'images', 'messages', 'model', 'model_id', 'input', 'instances'];
  const own = inner === body ? {} : without(inner, ...read);
  const nested = PARAMS.flatMap((name) => Object.entries(recordOf(body[name])));
  return present({
    model: textOf(body.model) ?? textOf(body.model_id),
    messages: Array.isArray(inner.messages)
      ? inner.messages.map(readChatMessage)
      : [...system(inner), ...prompts(found.prompt)],
    tools: [],
    params: { ...without(body, ...read), ...own, ...Object.fromEntries(nested) },
  });
}

function system(body: JsonRecord): Message[] {
  const text = SYSTEM.map((name) => textOf(body[name])).find((value) => value !== undefined && value !== '');
  return text === undefined ? [] : [{ role: 'system', content: text, toolCalls: [] }];
}

function prompts(prompt: Json): Message[] {
  if (isBlank(prompt)) return [];
  const list = Array.isArray(prompt) && prompt.every((item) => typeof item === 'string') ? prompt : [prompt];
  return list.map((item) => ({
    role: 'user',
    ...said(typeof item === 'string' ? textParts(item) : [unknownPart(item)]),
    toolCalls: [],
  }));
}

const TEXTS = ['completion', 'generation', 'generated_text', 'outputText', 'value'];
const ITEM_TEXTS = ['text', 'output', ...TEXTS];

/** The text of an answer or of a piece of one; undefined where it has none. */
function textIn(body: Json | undefined): string | undefined {
  if (Array.isArray(body)) return isRecord(body[0]) && 'generated_text' in body[0] ? textIn(body[0]) : undefined;
  if (!isRecord(body)) return undefined;
  const token = textOf(recordOf(body.token).text);
  const plain = TEXTS.map((name) => textOf(body[name])).find((text) => text !== undefined);
  const listed = CHOICE_LISTS.map((name) => itemText(listOf(body[name])[0])).find((text) => text !== undefined);
  return token ?? listed ?? plain ?? outputText(body) ?? localText(body) ?? textOf(recordOf(body.result).response);
}

function itemText(item: Json | undefined): string | undefined {
  if (!isRecord(item)) return undefined;
  const own = ITEM_TEXTS.map((name) => textOf(item[name])).find((text) => text !== undefined);
  // PaLM on Vertex, where a prediction is the content itself.
  const content = 'safetyAttributes' in item || 'citationMetadata' in item ? textOf(item.content) : undefined;
  // Mistral fills in the middle, and answers as if in a chat; AI21; PaLM's chat.
  const nested = [recordOf(item.message).content, recordOf(item.data).text, recordsOf(item.candidates)[0]?.content];
  return own ?? content ?? nested.map(textOf).find((text) => text !== undefined);
}

/** Replicate's models give the pieces of a text, or where they have put something else. */
function outputText({ output, status }: JsonRecord): string | undefined {
  const text =
    Array.isArray(output) && output.every((piece) => typeof piece === 'string') ? output.join('') : textOf(output);
  return typeof status === 'string' && text !== undefined && !/^(https?|data):/.test(text) ? text : undefined;
}

/** llama.cpp. */
function localText(body: JsonRecord): string | undefined {
  return 'stop' in body && ('generation_settings' in body || 'tokens_predicted' in body)
    ? textOf(body.content)
    : undefined;
}

function readResponse(body: Json): ChatResponse {
  const answer = recordOf(Array.isArray(body) ? body[0] : body);
  const list = CHOICE_LISTS.map((name) => listOf(answer[name])).find((items) => items.length > 0) ?? [];
  const first = recordOf(list[0]);
  return present({
    ...said([...textParts(textIn(body)), ...list.slice(1).map(unknownPart)]),
    toolCalls: [],
    model: textOf(answer.model) ?? textOf(answer.model_id),
    usage: readUsage(answer, first),
    finishReason: finishReason(first) ?? finishReason(answer) ?? textOf(answer.status),
    error: errorOf(answer),
  });
}

const REASONS = ['finish_reason', 'stop_reason', 'completionReason', 'finishReason'];

function finishReason(item: JsonRecord): string | undefined {
  const found =
    REASONS.map((name) => item[name]).find((value) => !isBlank(value)) ?? recordOf(item.details).finish_reason;
  return textOf(found) ?? textOf(recordOf(found).reason);
}

function readUsage(answer: JsonRecord, item: JsonRecord): Usage | undefined {
  if (isRecord(answer.usage)) return chatUsage(answer.usage);
  const metrics = recordOf(answer['amazon-bedrock-invocationMetrics'] ?? answer.metrics);
  const billed = recordOf(recordOf(answer.meta).billed_units);
  return usageOf({
    prompt:
      answer.prompt_token_count ??
      answer.inputTextTokenCount ??
      answer.tokens_evaluated ??
      answer.num_tokens_prompt_total ??
      item.input_token_count ??
      billed.input_tokens ??
      metrics.inputTokenCount ??
      metrics.input_token_count,
    completion:
      answer.generation_token_count ??
      item.tokenCount ??
      answer.tokens_predicted ??
      answer.num_tokens_generated ??
      item.generated_token_count ??
      billed.output_tokens ??
      recordOf(answer.details).generated_tokens ??
      metrics.outputTokenCount ??
      metrics.output_token_count,
  });
}

/** Each piece is an answer with some of the text; the last members of a name hold. */
function join(events: readonly StreamEvent[]): JsonRecord {
  const whole = new Map<string, Json>();
  const choices = new Map<number, OpenChoice>();
  for (const { event, data, json } of events) {
    for (const [key, value] of Object.entries(json)) if (!isBlank(value)) whole.set(key, value);
    const listed = generatedChoices(json);
    for (const [at, item] of (listed.length > 0 ? listed : [{}]).entries()) {
      // Replicate streams the text itself.
      const text = event === 'output' ? data : at === 0 ? textIn(json) : itemText(item);
      const index = indexOf(item.index, at);
      const choice = choices.get(index) ?? new OpenChoice();
      choices.set(index, choice);
      choice.take(item, text ?? deltaText(item));
    }
  }
  for (const name of [...CHOICE_LISTS, 'token']) whole.delete(name);
  const ordered = [...choices].sort(([left], [right]) => left - right);
  return { ...Object.fromEntries(whole), choices: ordered.map(([, choice]) => choice.whole()) };
}

class OpenChoice {
  readonly #others = new Map<string, Json>();
  #text = '';

  take(item: JsonRecord, text: string): void {
    this.#text += text;
    for (const [key, value] of Object.entries(item))
      if (key !== 'delta' && !isBlank(value)) this.#others.set(key, value);
  }

  whole(): JsonRecord {
    return { ...Object.fromEntries(this.#others), text: this.#text };
  }
}

/** What Mistral fills in comes as the pieces of a chat. */
function deltaText({ delta }: JsonRecord): string {
  return textOf(recordOf(delta).content) ?? '';
}
