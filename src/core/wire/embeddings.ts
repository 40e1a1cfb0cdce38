import { isRecord, type Json, type JsonRecord } from '../json/json';
import type { ChatRequest, ChatResponse, Message, Part, Usage } from '../tapes/tape';
import { decodeBase64 } from './base64';
import { errorOf } from './failure';
import { countOf, isBlank, listOf, present, recordOf, recordsOf, textOf, without } from './fields';
import { either, geminiTurn } from './geminiParts';
import { openaiContent } from './openaiContent';
import { said, unknownPart } from './parts';
import { usageOf } from './usage';
import type { WireProtocol } from './wireProtocol';

/**
 * Embeddings of OpenAI and its kin, Gemini, Vertex, Cohere, Voyage, Ollama, Hugging Face and Bedrock's Titan. An input
 * is a message of the user; of the answer only the number and the length of the vectors are told.
 */
export const embeddings: WireProtocol = {
  api: 'embeddings',
  kind: 'embedding',
  path: /\/(multimodal)?embeddings?\/?$|\/v[12]\/embed\/?$|\/api\/embed\/?$|:(batch)?embedcontents?$|\/pipeline\/feature-extraction\/|\/model\/.*embed.*\/invoke$/i,
  maybePath: /\/embed[^/]*\/?$|:predict$|\/models\//i,
  isRequest: () => false,
  isResponse: (body) => vectorsOf(body).length > 0,
  isEvent: () => false,
  readRequest,
  readResponse,
  join: () => ({}),
};

const INPUTS = [
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
  const inputs = INPUTS.flatMap((name) => (isBlank(body[name]) ? [] : inputsOf(name, body[name] ?? null)));
  return present({
    model:
      textOf(body.model)?.replace(/^models\//, '') ??
      textOf(recordsOf(body.requests)[0]?.model)?.replace(/^models\//, ''),
    messages: inputs,
    tools: [],
    params: without(body, 'model', ...INPUTS),
  });
}

function inputsOf(name: string, value: Json): Message[] {
  // A list of numbers is one input, as its tokens.
  const isOne = !Array.isArray(value) || typeof value[0] === 'number';
  return (isOne ? [value] : value).map((item) => ({ role: 'user', ...said(inputParts(name, item)), toolCalls: [] }));
}

function inputParts(name: string, input: Json): Part[] {
  if (typeof input === 'string' && /image/i.test(name)) return [{ type: 'image', base64: input }];
  if (Array.isArray(input)) return [unknownPart({ tokens: input.length })];
  const content = isRecord(input) ? (input.content ?? input) : input;
  if (isRecord(content) && Array.isArray(content.parts)) return [...geminiTurn(content.parts).parts];
  return openaiContent(content);
}

function readResponse(body: Json): ChatResponse {
  const answer = recordOf(body);
  const vectors = vectorsOf(body);
  const dimensions = lengthOf(vectors[0]);
  const parts: Part[] =
    vectors.length === 0 ? [] : [present({ type: 'embeddings', count: vectors.length, dimensions })];
  return present({
    ...said(parts),
    toolCalls: [],
    model: textOf(answer.model),
    usage: readUsage(answer),
    error: errorOf(answer),
  });
}

/** The vectors of an answer, each a list of numbers or, in base64, of their bytes. */
function vectorsOf(body: Json): readonly Json[] {
  if (Array.isArray(body)) return isVector(body[0]) ? body : isVector(listOf(body[0])[0]) ? listOf(body[0]) : [];
  const { data, embedding, embeddings: list, predictions } = recordOf(body);
  const vectors = [
    ...recordsOf(data).map((item) => item.embedding ?? null),
    vectorIn(embedding),
    ...(isRecord(list) ? listOf(Object.values(list).find(Array.isArray)) : listOf(list)).map(vectorIn),
    ...recordsOf(predictions).flatMap((item) =>
      [item.embeddings, item.textEmbedding, item.imageEmbedding].map(vectorIn),
    ),
  ];
  return vectors.filter((vector) => lengthOf(vector) !== undefined);
}

/** Google and Nova wrap the numbers. */
function vectorIn(value: Json | undefined): Json {
  const { values, embedding } = recordOf(value);
  return values ?? embedding ?? value ?? null;
}

function isVector(value: Json | undefined): boolean {
  return Array.isArray(value) && value.length > 0 && typeof value[0] === 'number';
}

const FLOAT_BYTES = 4;

function lengthOf(vector: Json | undefined): number | undefined {
  if (typeof vector === 'string') {
    const bytes = vector === '' ? undefined : decodeBase64(vector)?.length;
    return bytes === undefined ? undefined : bytes / FLOAT_BYTES;
  }
  // A vector for each token of an input.
  if (Array.isArray(vector) && isVector(vector[0])) return lengthOf(vector[0]);
  return Array.isArray(vector) && isVector(vector) ? vector.length : undefined;
}

function readUsage(answer: JsonRecord): Usage | undefined {
  const { usage, meta, predictions } = answer;
  const counts = recordOf(usage);
  const google = recordOf(either(answer, 'usageMetadata'));
  const billed = recordOf(recordOf(meta).billed_units);
  return usageOf({
    prompt:
      counts.prompt_tokens ??
      google.promptTokenCount ??
      billed.input_tokens ??
      answer.inputTextTokenCount ??
      answer.prompt_eval_count ??
      vertexTokens(predictions) ??
      counts.total_tokens,
    total: counts.total_tokens ?? google.totalTokenCount,
  });
}

function vertexTokens(predictions: Json | undefined): number | undefined {
  const counts = recordsOf(predictions).map((item) =>
    countOf(recordOf(recordOf(item.embeddings).statistics).token_count),
  );
  return counts.some((count) => count !== undefined)
    ? counts.reduce<number>((sum, count) => sum + (count ?? 0), 0)
    : undefined;
}
