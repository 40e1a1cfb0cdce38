import { asList, asRecord, asRecords, asString, isBlank, omitUndefined } from '../../json/fields';
import { compactJson, isRecord, type Json, type JsonRecord } from '../../json/json';
import type { ChatRequest, ChatResponse, Message, Part, ToolDefinition } from '../../model/message';
import type { Usage } from '../../model/usage';
import { responseError } from '../shared/errors';
import { textContent, unknownPart } from '../shared/messages';
import { usageFromCounts } from '../shared/usage';
import { camelOrSnake, readGeminiPart, readGeminiParts } from './parts';

const CAMEL_CASE_MEMBERS = ['model', 'contents', 'systemInstruction', 'tools', 'generationConfig'];
const READ_MEMBERS = new Set([...CAMEL_CASE_MEMBERS, 'system_instruction', 'generation_config']);

export function readGeminiRequest(body: JsonRecord): ChatRequest {
  const others = Object.entries(body).filter(([key]) => !READ_MEMBERS.has(key));
  return omitUndefined({
    model: asString(body.model)?.replace(/^models\//, ''),
    messages: [...system(camelOrSnake(body, 'systemInstruction')), ...contentsOf(body.contents).flatMap(readContent)],
    tools: asRecords(body.tools).flatMap(readTools),
    params: { ...Object.fromEntries(others), ...asRecord(camelOrSnake(body, 'generationConfig')) },
  });
}

function system(instruction: Json | undefined): Message[] {
  if (isBlank(instruction)) return [];
  return [{ role: 'system', ...textContent(readGeminiParts(partsOf(instruction ?? null)).parts), toolCalls: [] }];
}

function contentsOf(contents: Json | undefined): readonly Json[] {
  return Array.isArray(contents) ? contents : isBlank(contents) ? [] : [contents ?? null];
}

/** The parts of content; clients also accept a string as content. */
function partsOf(content: Json): readonly Json[] {
  if (!isRecord(content)) return [content];
  return isRecord(content.parts) ? [content.parts] : asList(content.parts);
}

/** Reads content. Its function results become messages of their own, before the rest. */
function readContent(content: Json): Message[] {
  const parts = partsOf(content);
  const results = parts.flatMap(readResult);
  const rest = readGeminiParts(parts.filter((part) => readResult(part).length === 0));
  const role = asString(asRecord(content).role) ?? 'user';
  if (results.length > 0 && rest.parts.length === 0 && rest.toolCalls.length === 0) return results;
  return [
    ...results,
    { role: role === 'model' ? 'assistant' : role, ...textContent(rest.parts), toolCalls: rest.toolCalls },
  ];
}

function readResult(part: Json): Message[] {
  const result = camelOrSnake(asRecord(part), 'functionResponse');
  if (!isRecord(result)) return [];
  const media = asRecords(result.parts).flatMap((item) => readGeminiPart(item));
  const { content, parts } = textContent([{ type: 'text', text: resultText(result.response) }, ...media]);
  return [
    omitUndefined({
      role: 'tool',
      content,
      parts,
      toolCalls: [],
      toolCallId: asString(result.id) ?? '',
      name: asString(result.name),
      isError: Boolean(asRecord(result.response).error) || undefined,
    }),
  ];
}

/** A function returns an object; a string is tolerated. */
function resultText(response: Json | undefined): string {
  return typeof response === 'string' ? response : compactJson(response ?? null);
}

function readTools(tool: JsonRecord): ToolDefinition[] {
  const functions = asRecords(camelOrSnake(tool, 'functionDeclarations')).map(readFunction);
  const others = Object.entries(tool).filter(([key]) => !/^function_?declarations$/i.test(key));
  return [...functions, ...others.map(([name, settings]) => ({ name, settings: { [name]: settings } }))];
}

function readFunction(declaration: JsonRecord): ToolDefinition {
  return omitUndefined({
    name: asString(declaration.name) ?? '',
    description: asString(declaration.description),
    schema: declaration.parameters ?? camelOrSnake(declaration, 'parametersJsonSchema'),
  });
}

export function readGeminiResponse(body: Json): ChatResponse {
  const response = asRecord(body);
  const [candidate = {}, ...others] = asRecords(response.candidates);
  const { parts, toolCalls } = readGeminiParts(isBlank(candidate.content) ? [] : partsOf(candidate.content ?? null));
  return omitUndefined({
    ...textContent([...parts, ...sources(candidate), ...finishMessageParts(candidate), ...others.map(unknownPart)]),
    toolCalls,
    model: asString(camelOrSnake(response, 'modelVersion')),
    usage: readGeminiUsage(camelOrSnake(response, 'usageMetadata')),
    finishReason: finishReason(camelOrSnake(candidate, 'finishReason')),
    error: responseError(response) ?? blockedPrompt(response),
  });
}

/** Finish reasons by number, for clients that request enums as integers. */
const REASONS = ['FINISH_REASON_UNSPECIFIED', 'STOP', 'MAX_TOKENS', 'SAFETY', 'RECITATION', 'OTHER'];

function finishReason(reason: Json | undefined): string | undefined {
  return typeof reason === 'number' ? (REASONS[reason] ?? `${reason}`) : asString(reason);
}

const GROUNDED = ['groundingMetadata', 'urlContextMetadata'];

/** Citations and grounding. */
function sources(candidate: JsonRecord): Part[] {
  const citations = camelOrSnake(candidate, 'citationMetadata');
  const grounded = GROUNDED.flatMap((name): Part[] => {
    const payload = camelOrSnake(candidate, name);
    return isBlank(payload) ? [] : [{ type: 'server_tool', name, payload: payload ?? null }];
  });
  return isBlank(citations) ? grounded : [...grounded, unknownPart({ citationMetadata: citations ?? null })];
}

/** The explanation of an abnormal end; for a malformed call, it is all that is left of the call. */
function finishMessageParts(candidate: JsonRecord): Part[] {
  const finishMessage = camelOrSnake(candidate, 'finishMessage') ?? null;
  const isEnded = finishReason(camelOrSnake(candidate, 'finishReason')) === 'STOP';
  return isEnded || isBlank(finishMessage) ? [] : [unknownPart({ finishMessage })];
}

function blockedPrompt(response: JsonRecord): string | undefined {
  const feedback = asRecord(camelOrSnake(response, 'promptFeedback'));
  const reason = asString(camelOrSnake(feedback, 'blockReason'));
  const message = asString(camelOrSnake(feedback, 'blockReasonMessage'));
  return reason === undefined ? undefined : ['The prompt was blocked', reason, message].filter(Boolean).join(': ');
}

/** `candidatesTokenCount` does not include thoughts. */
export function readGeminiUsage(counts: Json | undefined): Usage | undefined {
  const usage = asRecord(counts);
  const thoughts = camelOrSnake(usage, 'thoughtsTokenCount');
  return usageFromCounts({
    prompt: camelOrSnake(usage, 'promptTokenCount'),
    completion: camelOrSnake(usage, 'candidatesTokenCount'),
    total: camelOrSnake(usage, 'totalTokenCount'),
    cached: camelOrSnake(usage, 'cachedContentTokenCount'),
    reasoning: thoughts,
    besidePrompt: [camelOrSnake(usage, 'toolUsePromptTokenCount')],
    besideCompletion: [thoughts],
  });
}
