import { asList, asRecord, asRecords, asString, isBlank, omitKeys, omitUndefined } from '../../../json/fields';
import { compactJson, type Json, type JsonRecord } from '../../../json/json';
import type { Timing } from '../../../model/interaction';
import type { ChatRequest, ChatResponse, Message, Part, ToolCall } from '../../../model/message';
import { readResponseJson } from '../../../wire/read/readExchange';
import { httpErrorMessage, responseError } from '../../../wire/shared/errors';
import { mediaFromBase64, mediaFromUrl, reasoningParts, textParts, unknownPart } from '../../../wire/shared/messages';
import { readToolCall } from '../../../wire/shared/toolCalls';
import { usageFromCounts } from '../../../wire/shared/usage';
import type { InteractionContent } from '../../lazyTape';

type Fixture = InteractionContent;

/**
 * A fixture as an interaction: its response, and a request with the messages and parameters that its conditions need.
 */
export function readFixture(fixture: JsonRecord, recordedAt: string | undefined): Fixture {
  const match = asRecord(fixture.match);
  const response = asRecord(fixture.response);
  const reading = readFixtureResponse(response);
  return omitUndefined({
    ...reading,
    kind: reading.kind === 'llm' && isEmbedding(match) ? 'embedding' : reading.kind,
    request: readMatch(match),
    timing: readTiming(fixture, recordedAt),
  });
}

function isEmbedding({ inputText, endpoint }: JsonRecord): boolean {
  return endpoint === 'embedding' || (inputText !== undefined && endpoint === undefined);
}

function readMatch(match: JsonRecord): ChatRequest {
  const { userMessage, systemMessage, inputText, toolCallId, toolResultContains, toolName, model, ...rest } = match;
  const { responseFormat, ...others } = omitKeys(rest, ...POSITIONS);
  const tool = asString(toolName);
  return omitUndefined({
    when: readWhen(match),
    model: asString(model),
    messages: [
      // A list matches if all of its texts are in the system message.
      ...(Array.isArray(systemMessage) ? systemMessage : [systemMessage]).flatMap((text) =>
        textMessages('system', text),
      ),
      ...textMessages('user', userMessage),
      ...textMessages('user', inputText),
      ...toolResult(asString(toolCallId), asString(toolResultContains)),
    ],
    tools: tool === undefined ? [] : [{ name: tool }],
    params: isBlank(responseFormat) ? others : { ...others, response_format: { type: responseFormat ?? null } },
  });
}

function readWhen({ turnIndex, hasToolResult, sequenceIndex }: JsonRecord): ChatRequest['when'] {
  const when = omitUndefined({
    turn: numberOf(turnIndex),
    hasToolResult: typeof hasToolResult === 'boolean' ? hasToolResult : undefined,
    occurrence: numberOf(sequenceIndex),
  });
  return Object.keys(when).length === 0 ? undefined : when;
}

/** Conditions on when a request comes and where, which are no part of its content. */
export const POSITIONS = ['sequenceIndex', 'turnIndex', 'hasToolResult', 'endpoint', 'context'];

function textMessages(role: string, text: Json | undefined): Message[] {
  return typeof text === 'string' ? [{ role, content: text, toolCalls: [] }] : [];
}

function toolResult(toolCallId: string | undefined, content: string | undefined): Message[] {
  if (toolCallId === undefined && content === undefined) return [];
  return [omitUndefined({ role: 'tool', content: content ?? null, toolCalls: [], toolCallId })];
}

function readTiming(
  { recordedTimings, streamingProfile }: JsonRecord,
  recordedAt: string | undefined,
): Timing | undefined {
  const { ttftMs, interChunkDelaysMs, totalDurationMs } = asRecord(recordedTimings);
  const delays = asList(interChunkDelaysMs).filter((delay) => typeof delay === 'number');
  // The duration is the time to the first piece and the delays between the others.
  const summed = delays.length === 0 ? undefined : delays.reduce((sum, delay) => sum + delay, numberOf(ttftMs) ?? 0);
  const timing = omitUndefined({
    recordedAt,
    durationMs: numberOf(totalDurationMs) ?? summed,
    firstTokenMs: numberOf(ttftMs) ?? numberOf(asRecord(streamingProfile).ttft),
  });
  return Object.keys(timing).length === 0 ? undefined : timing;
}

function numberOf(value: Json | undefined): number | undefined {
  return typeof value === 'number' ? value : undefined;
}

function readFixtureResponse(response: JsonRecord): Fixture {
  if (response.error !== undefined) return errorResponse(response);
  if (response.json !== undefined) return rawResponse(response);
  if (response.embedding !== undefined) return embeddingResponse(asList(response.embedding));
  if (response.transcription !== undefined) return transcriptionResponse(asRecord(response.transcription));
  return { kind: 'llm', response: chatResponse(response) };
}

function errorResponse({ error, status, ...others }: JsonRecord): Fixture {
  const json = { error: error ?? null, ...others };
  const message = typeof status === 'number' ? httpErrorMessage(status, json, undefined, []) : responseError(json);
  return { kind: 'llm', response: { content: null, toolCalls: [], error: message ?? compactJson(json) } };
}

/** The JSON of a provider, kept as it was recorded. */
function rawResponse({ json = null, status }: JsonRecord): Fixture {
  if (typeof status === 'number' && status >= 400) {
    return {
      kind: 'llm',
      response: { content: null, toolCalls: [], error: httpErrorMessage(status, json, undefined, []) },
    };
  }
  const { problems: _, ...reading } = readResponseJson(json);
  if (reading.response !== undefined) return reading;
  return { ...reading, response: { content: null, parts: [unknownPart(json)], toolCalls: [] } };
}

function embeddingResponse(numbers: readonly Json[]): Fixture {
  const part: Part = { type: 'embeddings', count: 1, dimensions: numbers.length };
  return { kind: 'embedding', response: { content: null, parts: [part], toolCalls: [] } };
}

function transcriptionResponse({ text }: JsonRecord): Fixture {
  return { kind: 'http', summary: 'transcription', response: { content: asString(text) ?? null, toolCalls: [] } };
}

function chatResponse(response: JsonRecord): ChatResponse {
  const blocks = asRecords(response.blocks);
  const parts = [
    ...fixtureReasoning(response),
    ...searchParts(response),
    ...contentParts(response, blocks),
    ...mediaParts(response),
  ];
  const calls = blocks.length > 0 ? blocks.filter(({ type }) => type === 'toolCall') : asRecords(response.toolCalls);
  const texts = parts.flatMap((part) => (part.type === 'text' ? [part.text] : []));
  const toolCalls = calls.map(readCall);
  const isEmpty =
    parts.length === 0 && toolCalls.length === 0 && !('content' in response) && !('toolCalls' in response);
  return omitUndefined({
    content: texts.length === 0 ? null : texts.join(''),
    parts: isEmpty ? [unknownPart(response)] : parts.every(({ type }) => type === 'text') ? undefined : parts,
    toolCalls,
    model: asString(response.model),
    usage: readUsage(asRecord(response.usage)),
    finishReason: asString(response.finishReason),
  });
}

function readCall({ id, name, arguments: args }: JsonRecord): ToolCall {
  return readToolCall(id, name, args);
}

/** aimock sends content that is not a string as JSON. */
function contentParts({ content }: JsonRecord, blocks: readonly JsonRecord[]): Part[] {
  if (blocks.length > 0) return blocks.flatMap(({ type, text }) => (type === 'text' ? textParts(text) : []));
  const isText = content === undefined || content === null || typeof content === 'string';
  return textParts(isText ? content : compactJson(content));
}

function fixtureReasoning({ reasoning: text, reasoningSignature, redactedThinking }: JsonRecord): Part[] {
  const sealed = asList(redactedThinking).flatMap((data) => reasoningParts('', asString(data)));
  return [...sealed, ...reasoningParts(asString(text) ?? '', asString(reasoningSignature))];
}

function searchParts({ webSearches }: JsonRecord): Part[] {
  return asList(webSearches).map((query) => ({ type: 'server_tool', name: 'web_search', payload: query }));
}

function mediaParts({ image, images, audio, video, format }: JsonRecord): Part[] {
  const pictures = image === undefined ? asRecords(images) : [asRecord(image)];
  return [...pictures.flatMap(imageParts), ...audioParts(audio, asString(format)), ...videoParts(asRecord(video))];
}

function imageParts({ url, b64Json, b64_json }: JsonRecord): Part[] {
  const base64 = asString(b64Json) ?? asString(b64_json);
  if (base64 !== undefined) return [mediaFromBase64('image/png', base64)];
  return typeof url === 'string' ? [mediaFromUrl('image', url)] : [];
}

function audioParts(audio: Json | undefined, format: string | undefined): Part[] {
  const base64 = asString(audio) ?? asString(asRecord(audio).b64Json);
  const mime = asString(asRecord(audio).contentType) ?? `audio/${format ?? 'mpeg'}`;
  return base64 === undefined ? [] : [{ ...mediaFromBase64(mime, base64), type: 'audio' } as Part];
}

function videoParts({ url, b64, id }: JsonRecord): Part[] {
  if (typeof b64 === 'string') return [mediaFromBase64('video/mp4', b64)];
  const name = asString(id);
  if (typeof url === 'string') return [mediaFromUrl('file', url, name)];
  return name === undefined ? [] : [{ type: 'file', name }];
}

/** The names are those of the provider that the fixture replaces. */
function readUsage(usage: JsonRecord) {
  return usageFromCounts({
    prompt: usage.prompt_tokens ?? usage.input_tokens ?? usage.promptTokenCount,
    completion: usage.completion_tokens ?? usage.output_tokens ?? usage.candidatesTokenCount,
    total: usage.total_tokens ?? usage.totalTokenCount,
    cached: asRecord(usage.prompt_tokens_details).cached_tokens,
    cacheWrite: asRecord(usage.prompt_tokens_details).cache_write_tokens,
    reasoning: asRecord(usage.completion_tokens_details).reasoning_tokens,
  });
}
