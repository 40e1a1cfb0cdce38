import type { Json, JsonRecord } from '../../json/json';
import { compactJson } from '../../wire/compactJson';
import { errorOf, httpFailure } from '../../wire/failure';
import { listOf, present, recordOf, recordsOf, textOf } from '../../wire/fields';
import { mediaAt, mediaOf, reasoningParts, textParts, unknownPart } from '../../wire/parts';
import { readResponseJson } from '../../wire/readResponse';
import { toolCall } from '../../wire/toolCalls';
import { usageOf } from '../../wire/usage';
import type { InteractionContent } from '../lazyTape';
import type { ChatRequest, ChatResponse, Message, Part, Timing, ToolCall } from '../tape';

type Fixture = InteractionContent;

/** What a fixture answers, and to what: its conditions as the messages and parameters that they ask for. */
export function readFixture(fixture: JsonRecord, recordedAt: string | undefined): Fixture {
  const match = recordOf(fixture.match);
  const response = recordOf(fixture.response);
  const answer = readAnswer(response);
  return present({
    ...answer,
    kind: answer.kind === 'llm' && isEmbedding(match) ? 'embedding' : answer.kind,
    request: readMatch(match),
    timing: readTiming(fixture, recordedAt),
  });
}

function isEmbedding({ inputText, endpoint }: JsonRecord): boolean {
  return endpoint === 'embedding' || (inputText !== undefined && endpoint === undefined);
}

function readMatch(match: JsonRecord): ChatRequest {
  const { userMessage, systemMessage, inputText, toolCallId, toolResultContains, toolName, model, ...others } = match;
  const tool = textOf(toolName);
  return present({
    model: textOf(model),
    messages: [
      // A list means that all of its texts are in the system message.
      ...(Array.isArray(systemMessage) ? systemMessage : [systemMessage]).flatMap((text) => said('system', text)),
      ...said('user', userMessage),
      ...said('user', inputText),
      ...toolResult(textOf(toolCallId), textOf(toolResultContains)),
    ],
    tools: tool === undefined ? [] : [{ name: tool }],
    params: others,
  });
}

function said(role: string, text: Json | undefined): Message[] {
  return typeof text === 'string' ? [{ role, content: text, toolCalls: [] }] : [];
}

function toolResult(toolCallId: string | undefined, content: string | undefined): Message[] {
  if (toolCallId === undefined && content === undefined) return [];
  return [present({ role: 'tool', content: content ?? null, toolCalls: [], toolCallId })];
}

function readTiming(
  { recordedTimings, streamingProfile }: JsonRecord,
  recordedAt: string | undefined,
): Timing | undefined {
  const { ttftMs, interChunkDelaysMs, totalDurationMs } = recordOf(recordedTimings);
  const delays = listOf(interChunkDelaysMs).filter((delay) => typeof delay === 'number');
  // What it took to the first piece, and from each to the next, is what it took.
  const summed = delays.length === 0 ? undefined : delays.reduce((sum, delay) => sum + delay, numberOf(ttftMs) ?? 0);
  const timing = present({
    recordedAt,
    durationMs: numberOf(totalDurationMs) ?? summed,
    firstTokenMs: numberOf(ttftMs) ?? numberOf(recordOf(streamingProfile).ttft),
  });
  return Object.keys(timing).length === 0 ? undefined : timing;
}

function numberOf(value: Json | undefined): number | undefined {
  return typeof value === 'number' ? value : undefined;
}

function readAnswer(response: JsonRecord): Fixture {
  if (response.error !== undefined) return failure(response);
  if (response.json !== undefined) return rawAnswer(response);
  if (response.embedding !== undefined) return embedding(listOf(response.embedding));
  if (response.transcription !== undefined) return transcription(recordOf(response.transcription));
  return { kind: 'llm', response: chatResponse(response) };
}

function failure({ error, status, ...others }: JsonRecord): Fixture {
  const json = { error: error ?? null, ...others };
  const message = typeof status === 'number' ? httpFailure(status, json, undefined, []) : errorOf(json);
  return { kind: 'llm', response: { content: null, toolCalls: [], error: message ?? compactJson(json) } };
}

/** What a provider answered, kept as it was. */
function rawAnswer({ json = null, status }: JsonRecord): Fixture {
  if (typeof status === 'number' && status >= 400) {
    return { kind: 'llm', response: { content: null, toolCalls: [], error: httpFailure(status, json, undefined, []) } };
  }
  const { problems: _, ...reading } = readResponseJson(json);
  if (reading.response !== undefined) return reading;
  return { ...reading, response: { content: null, parts: [unknownPart(json)], toolCalls: [] } };
}

function embedding(numbers: readonly Json[]): Fixture {
  const part: Part = { type: 'embeddings', count: 1, dimensions: numbers.length };
  return { kind: 'embedding', response: { content: null, parts: [part], toolCalls: [] } };
}

function transcription({ text }: JsonRecord): Fixture {
  return { kind: 'http', summary: 'transcription', response: { content: textOf(text) ?? null, toolCalls: [] } };
}

function chatResponse(response: JsonRecord): ChatResponse {
  const blocks = recordsOf(response.blocks);
  const parts = [...reasoning(response), ...searches(response), ...saidParts(response, blocks), ...media(response)];
  const calls = blocks.length > 0 ? blocks.filter(({ type }) => type === 'toolCall') : recordsOf(response.toolCalls);
  const texts = parts.flatMap((part) => (part.type === 'text' ? [part.text] : []));
  const toolCalls = calls.map(readCall);
  const isEmpty =
    parts.length === 0 && toolCalls.length === 0 && !('content' in response) && !('toolCalls' in response);
  return present({
    content: texts.length === 0 ? null : texts.join(''),
    parts: isEmpty ? [unknownPart(response)] : parts.every(({ type }) => type === 'text') ? undefined : parts,
    toolCalls,
    model: textOf(response.model),
    usage: readUsage(recordOf(response.usage)),
    finishReason: textOf(response.finishReason),
  });
}

function readCall({ id, name, arguments: args }: JsonRecord): ToolCall {
  return toolCall(id, name, args);
}

/** aimock sends what is no string as the JSON that it is. */
function saidParts({ content }: JsonRecord, blocks: readonly JsonRecord[]): Part[] {
  if (blocks.length > 0) return blocks.flatMap(({ type, text }) => (type === 'text' ? textParts(text) : []));
  const isText = content === undefined || content === null || typeof content === 'string';
  return textParts(isText ? content : compactJson(content));
}

function reasoning({ reasoning: text, reasoningSignature, redactedThinking }: JsonRecord): Part[] {
  const sealed = listOf(redactedThinking).flatMap((data) => reasoningParts('', textOf(data)));
  return [...sealed, ...reasoningParts(textOf(text) ?? '', textOf(reasoningSignature))];
}

function searches({ webSearches }: JsonRecord): Part[] {
  return listOf(webSearches).map((query) => ({ type: 'server_tool', name: 'web_search', payload: query }));
}

function media({ image, images, audio, video, format }: JsonRecord): Part[] {
  const pictures = image === undefined ? recordsOf(images) : [recordOf(image)];
  return [...pictures.flatMap(picture), ...sound(audio, textOf(format)), ...film(recordOf(video))];
}

function picture({ url, b64Json, b64_json }: JsonRecord): Part[] {
  const base64 = textOf(b64Json) ?? textOf(b64_json);
  if (base64 !== undefined) return [mediaOf('image/png', base64)];
  return typeof url === 'string' ? [mediaAt('image', url)] : [];
}

function sound(audio: Json | undefined, format: string | undefined): Part[] {
  const base64 = textOf(audio) ?? textOf(recordOf(audio).b64Json);
  const mime = textOf(recordOf(audio).contentType) ?? `audio/${format ?? 'mpeg'}`;
  return base64 === undefined ? [] : [{ ...mediaOf(mime, base64), type: 'audio' } as Part];
}

function film({ url, b64, id }: JsonRecord): Part[] {
  if (typeof b64 === 'string') return [mediaOf('video/mp4', b64)];
  const name = textOf(id);
  if (typeof url === 'string') return [mediaAt('file', url, name)];
  return name === undefined ? [] : [{ type: 'file', name }];
}

/** The names are those of the provider that the fixture stands in for. */
function readUsage(usage: JsonRecord) {
  return usageOf({
    prompt: usage.prompt_tokens ?? usage.input_tokens ?? usage.promptTokenCount,
    completion: usage.completion_tokens ?? usage.output_tokens ?? usage.candidatesTokenCount,
    total: usage.total_tokens ?? usage.totalTokenCount,
    cached: recordOf(usage.prompt_tokens_details).cached_tokens,
    cacheWrite: recordOf(usage.prompt_tokens_details).cache_write_tokens,
    reasoning: recordOf(usage.completion_tokens_details).reasoning_tokens,
  });
}
