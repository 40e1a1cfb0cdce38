import type { Json, JsonRecord } from '../../../json/json';
import { toNode } from '../../../json/jsonNode';
import { pythonJson } from '../../../json/pythonJson';
import { parseExactJson } from '../../../json/readJson';
import { rememberText } from '../../../json/writtenNumbers';
import type { RecordedInteraction } from '../../../model/interaction';
import type { ChatRequest, ChatResponse } from '../../../model/message';
import { message } from '../../../text/l10n';
import { applySplices } from '../../../text/splice';
import { writeChatMessage, writeChatResponse, writeChatTool } from '../../../wire/openaiChat/write';
import type { WritableSubset } from '../../format';
import { tapeFileFromText } from '../../tapeFile';
import { isModelResponse } from '../../writableFormat';
import { finaliseCassette } from './edit';

export const WRITABLE_CALLS: WritableSubset = {
  description: message('calls of models and of tools'),
  select: (interactions) =>
    interactions.filter((one) => one.kind === 'tool' || one.kind === 'embedding' || isModelResponse(one)),
};

/** A whole cassette as `Cassette.save` writes it: pydantic's order of fields, all defaults, no final newline. */
export function writeCassette(name: string, interactions: readonly RecordedInteraction[]): string {
  const meta = {
    schema_version: 1,
    checkagent_version: '',
    recorded_at: interactions.find(({ timing }) => timing?.recordedAt)?.timing?.recordedAt ?? '',
    content_hash: '',
    test_id: name,
  };
  const cassette = { meta, interactions: interactions.map(writeInteraction) };
  const written = pythonJson(toNode(cassette), { indent: 2, ensureAscii: false, floats: 'pydantic' });
  // Python writes floats with a fraction: 12.0. No other member of this name is on this level.
  const text = written.replace(/^( {8}"duration_ms": -?\d+)(?=,?$)/gm, '$1.0');
  return applySplices(text, finaliseCassette(tapeFileFromText(text)));
}

function writeInteraction({ request, response, kind, timing }: RecordedInteraction, sequence: number): JsonRecord {
  return {
    id: '',
    sequence,
    request: kind === 'tool' ? writeToolRequest(request) : writeRequest(request, kind),
    response: writeResponse(response, timing?.durationMs),
    metadata: {},
  };
}

function writeResponse(response: ChatResponse | undefined, durationMs: number | undefined): JsonRecord {
  const written = {
    status: response?.error === undefined ? 'ok' : 'error',
    body: writeBody(response),
    prompt_tokens: response?.usage?.promptTokens ?? null,
    completion_tokens: response?.usage?.completionTokens ?? null,
    duration_ms: durationMs ?? null,
  };
  if (response?.isJson) rememberText(written, 'body', response.content);
  return written;
}

function writeToolRequest(request: ChatRequest | undefined): JsonRecord {
  const call = request?.messages.flatMap(({ toolCalls }) => toolCalls)[0];
  return { kind: 'tool', method: call?.name ?? '', model: null, body: toolBody(call?.arguments ?? {}) };
}

/** A body must be an object. */
function toolBody(args: Json): JsonRecord {
  return typeof args === 'object' && args !== null && !Array.isArray(args) ? (args as JsonRecord) : { arguments: args };
}

function writeRequest(request: ChatRequest | undefined, kind: RecordedInteraction['kind']): JsonRecord {
  const method = kind === 'embedding' ? 'embeddings.create' : 'chat.completions.create';
  const { messages = [], tools = [], params = {} } = request ?? {};
  const body: Record<string, Json> =
    kind === 'embedding'
      ? { input: messages.map(({ content }) => content ?? '') }
      : { messages: messages.map(writeChatMessage) };
  if (tools.length > 0) body.tools = tools.map(writeChatTool);
  return { kind: 'llm', method, model: request?.model ?? null, body: { ...body, ...params } };
}

/** Plain text where the response has nothing else, as `ca_cassette.arun` records it; otherwise OpenAI's shape. */
function writeBody(response: ChatResponse | undefined): Json {
  if (response === undefined) return null;
  const { usage: _, ...withoutUsage } = response;
  const { content, toolCalls, finishReason, error, model } = response;
  if (error !== undefined) return error;
  if (response.isJson && content !== null) return parseExactJson(content) ?? content;
  if (toolCalls.length === 0 && finishReason === undefined && model === undefined) return content;
  return writeChatResponse(withoutUsage);
}
