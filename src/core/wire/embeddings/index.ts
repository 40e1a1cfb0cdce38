import { decodeBase64 } from '../../bytes/base64';
import { asCount, asList, asRecord, asRecords, asString, isBlank, omitKeys, omitUndefined } from '../../json/fields';
import { isRecord, type Json, type JsonRecord } from '../../json/json';
import { formatJsonPath, type JsonPath } from '../../json/jsonPath';
import type { ChatRequest, ChatResponse, Message, Part } from '../../model/message';
import type { Usage } from '../../model/usage';
import { camelOrSnake, readGeminiParts } from '../gemini/parts';
import { ollamaTiming } from '../ollama/read';
import { NEW_REQUEST_TEXT, type Protocol } from '../protocol';
import { responseError, writeOpenaiError } from '../shared/errors';
import { textContent, unknownPart } from '../shared/messages';
import { readOpenaiContent } from '../shared/openaiContent';
import { usageFromCounts } from '../shared/usage';

/**
 * Embeddings of OpenAI and others like it, Gemini, Vertex, Cohere, Voyage, Ollama, Hugging Face and Bedrock. Each input
 * becomes a user message; of the response, only the number and the dimensions of the vectors are kept.
 */
export const embeddings: Protocol = {
  id: 'embeddings',
  kind: 'embedding',
  endpoints: {
    own: [
      {
        below: 'any',
        paths: [
          '/embeddings',
          '/v1/embed',
          '/v2/embed',
          '/api/embed',
          '/api/embeddings',
          '/multimodalembeddings',
          '/models/{model}:embedContent',
          '/models/{model}:batchEmbedContents',
        ],
      },
    ],
    ownPattern:
      /\/(multimodal)?embedding\/?$|:(batch)?embedcontents?$|\/pipeline\/feature-extraction\/|\/model\/.*embed.*\/invoke$/i,
    shared: /\/embed[^/]*\/?$|:predict$|\/models\//i,
  },
  isRequest: () => false,
  isResponse: (body) => vectorsOf(body).length > 0,
  isEvent: () => false,
  members: { messages: [['input'], ['texts'], ['prompt']] },
  // https://platform.openai.com/docs/api-reference/embeddings/create
  defaults: { '/encoding_format': 'float' },
  readRequest,
  readResponse,
  joinStream: () => ({}),
  writeError: writeOpenaiError,
  reportedTiming: ollamaTiming,
  blankBodies: (model) => ({
    request: { ...model, input: NEW_REQUEST_TEXT },
    response: { object: 'list', ...model, data: [], usage: { prompt_tokens: 0, total_tokens: 0 } },
  }),
};

const INPUT_MEMBERS = [
  'input',
  'inputs',
  'texts',
  'images',
  'inputText',
  'inputImage',
  'prompt',
  'content',
  'requests',
  'singleEmbeddingParams',
  'instances',
];

function readRequest(body: JsonRecord): ChatRequest {
  const inputs = INPUT_MEMBERS.flatMap((name) => (isBlank(body[name]) ? [] : inputsOf(name, body[name] ?? null)));
  return omitUndefined({
    model:
      asString(body.model)?.replace(/^models\//, '') ??
      asString(asRecords(body.requests)[0]?.model)?.replace(/^models\//, ''),
    messages: inputs,
    tools: [],
    params: omitKeys(body, 'model', ...INPUT_MEMBERS),
  });
}

function inputsOf(name: string, value: Json): Message[] {
  // A list of numbers is one input, given as tokens.
  const isOne = !Array.isArray(value) || typeof value[0] === 'number';
  return (isOne ? [value] : value).map((item) => ({
    role: 'user',
    ...textContent(inputParts(name, item)),
    toolCalls: [],
  }));
}

function inputParts(name: string, input: Json): Part[] {
  if (typeof input === 'string' && /image/i.test(name)) return [{ type: 'image', base64: input }];
  if (Array.isArray(input)) return [unknownPart({ tokens: input.length })];
  const content = isRecord(input) ? (input.content ?? input) : input;
  if (isRecord(content) && Array.isArray(content.parts)) return [...readGeminiParts(content.parts).parts];
  return readOpenaiContent(content);
}

function readResponse(body: Json): ChatResponse {
  const response = asRecord(body);
  const vectors = vectorsOf(body);
  const dimensions = dimensionsOf(vectors[0]);
  const parts: Part[] =
    vectors.length === 0 ? [] : [omitUndefined({ type: 'embeddings', count: vectors.length, dimensions })];
  return omitUndefined({
    ...textContent(parts),
    toolCalls: [],
    model: asString(response.model),
    usage: readUsage(response),
    error: responseError(response),
  });
}

/** The vectors of a response, each a list of numbers or base64 of 32-bit floats. */
function vectorsOf(body: Json): readonly Json[] {
  if (Array.isArray(body)) return isVector(body[0]) ? body : isVector(asList(body[0])[0]) ? asList(body[0]) : [];
  const { data, embedding, embeddings: list, predictions } = asRecord(body);
  const vectors = [
    ...asRecords(data).map((item) => item.embedding ?? null),
    vectorIn(embedding),
    ...(isRecord(list) ? asList(Object.values(list).find(Array.isArray)) : asList(list)).map(vectorIn),
    ...asRecords(predictions).flatMap((item) =>
      [item.embeddings, item.textEmbedding, item.imageEmbedding].map(vectorIn),
    ),
  ];
  return vectors.filter((vector) => dimensionsOf(vector) !== undefined);
}

/** The numbers of the first vector of a response; undefined if there is none. */
export function firstVector(body: Json): readonly number[] | undefined {
  const [first] = vectorsOf(body);
  return typeof first === 'string' || isVector(first) ? numbersOf(first) : undefined;
}

/** The numbers of each vector of a response. */
export function allVectors(body: Json): readonly (readonly number[])[] {
  return vectorsOf(body).map(numbersOf);
}

/** The members that hold a vector as text. */
const TEXT_MEMBERS: ReadonlySet<string> = new Set(['embedding', 'base64']);

/**
 * The numbers of every vector of a response, by its place: of each type too, where an input has vectors of several types.
 * What is not a vector is left out.
 */
export function vectorsByPlace(body: Json): ReadonlyMap<string, readonly number[]> {
  const found = new Map<string, readonly number[]>();
  const collect = (value: Json, path: JsonPath): void => {
    const name = path.findLast((key) => typeof key === 'string') ?? '';
    if (isVector(value) || (typeof value === 'string' && TEXT_MEMBERS.has(name) && dimensionsOf(value) !== undefined))
      found.set(formatJsonPath(path), numbersOf(value));
    else if (Array.isArray(value)) for (const [at, item] of value.entries()) collect(item, [...path, at]);
    else if (isRecord(value)) for (const [key, member] of Object.entries(value)) collect(member, [...path, key]);
  };
  collect(body, []);
  return found;
}

/** A vector for each token is one list of numbers. */
function numbersOf(vector: Json | undefined): readonly number[] {
  if (typeof vector === 'string') return floatsOf(decodeBase64(vector) ?? new Uint8Array());
  return asList(vector).flatMap((value) =>
    typeof value === 'number' ? [value] : Array.isArray(value) ? numbersOf(value) : [],
  );
}

function floatsOf(bytes: Uint8Array): number[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return Array.from({ length: Math.floor(bytes.length / FLOAT_BYTES) }, (_, at) =>
    view.getFloat32(at * FLOAT_BYTES, true),
  );
}

/** Google and Nova nest the numbers. */
function vectorIn(value: Json | undefined): Json {
  const { values, embedding } = asRecord(value);
  return values ?? embedding ?? value ?? null;
}

function isVector(value: Json | undefined): boolean {
  return Array.isArray(value) && value.length > 0 && typeof value[0] === 'number';
}

const FLOAT_BYTES = 4;

function dimensionsOf(vector: Json | undefined): number | undefined {
  if (typeof vector === 'string') {
    const bytes = vector === '' ? undefined : decodeBase64(vector)?.length;
    return bytes === undefined ? undefined : bytes / FLOAT_BYTES;
  }
  // Some models return a vector per token.
  if (Array.isArray(vector) && isVector(vector[0])) return dimensionsOf(vector[0]);
  return Array.isArray(vector) && isVector(vector) ? vector.length : undefined;
}

function readUsage(response: JsonRecord): Usage | undefined {
  const { usage, meta, predictions } = response;
  const counts = asRecord(usage);
  const google = asRecord(camelOrSnake(response, 'usageMetadata'));
  const billed = asRecord(asRecord(meta).billed_units);
  return usageFromCounts({
    prompt:
      counts.prompt_tokens ??
      google.promptTokenCount ??
      billed.input_tokens ??
      response.inputTextTokenCount ??
      response.prompt_eval_count ??
      vertexTokens(predictions) ??
      counts.total_tokens,
    total: counts.total_tokens ?? google.totalTokenCount,
  });
}

function vertexTokens(predictions: Json | undefined): number | undefined {
  const counts = asRecords(predictions).map((item) =>
    asCount(asRecord(asRecord(item.embeddings).statistics).token_count),
  );
  return counts.some((count) => count !== undefined)
    ? counts.reduce<number>((sum, count) => sum + (count ?? 0), 0)
    : undefined;
}
