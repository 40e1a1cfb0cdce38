import { isRecord, type Json, type JsonRecord } from '../json/json';
import type { ChatRequest, ChatResponse, Message, Part, ToolDefinition, Usage } from '../tapes/tape';
import { compactJson } from './compactJson';
import { errorOf } from './failure';
import { isBlank, listOf, present, recordOf, recordsOf, textOf } from './fields';
import { either, geminiPart, geminiTurn } from './geminiParts';
import { joinCandidates } from './geminiStream';
import { said, unknownPart } from './parts';
import { usageOf } from './usage';
import type { WireProtocol } from './wireProtocol';

/** Google's `generateContent`, of the Gemini API and of Vertex, in camel case or in snake case. */
export const gemini: WireProtocol = {
  api: 'gemini',
  kind: 'llm',
  path: /:(stream)?generatecontent$/i,
  isRequest: (body) => isRecord(body) && !isBlank(body.contents) && !('instances' in body),
  isResponse: (body) =>
    isRecord(body) && (isCandidates(body) || !isBlank(recordOf(either(body, 'promptFeedback')).blockReason)),
  isEvent: ({ json }) => isCandidates(json) || 'usageMetadata' in json || 'usage_metadata' in json,
  readRequest,
  readResponse,
  join: joinCandidates,
};

/** Others have candidates too: what makes these Google's is their content. */
function isCandidates({ candidates }: JsonRecord): boolean {
  return recordsOf(candidates).some((candidate) => 'content' in candidate || 'finishReason' in candidate);
}

const CAMEL = ['model', 'contents', 'systemInstruction', 'tools', 'generationConfig'];
const READ = new Set([...CAMEL, 'system_instruction', 'generation_config']);

function readRequest(body: JsonRecord): ChatRequest {
  const others = Object.entries(body).filter(([key]) => !READ.has(key));
  return present({
    model: textOf(body.model)?.replace(/^models\//, ''),
    messages: [...system(either(body, 'systemInstruction')), ...contentsOf(body.contents).flatMap(readContent)],
    tools: recordsOf(body.tools).flatMap(readTools),
    params: { ...Object.fromEntries(others), ...recordOf(either(body, 'generationConfig')) },
  });
}

function system(instruction: Json | undefined): Message[] {
  if (isBlank(instruction)) return [];
  return [{ role: 'system', ...said(geminiTurn(partsOf(instruction ?? null)).parts), toolCalls: [] }];
}

function contentsOf(contents: Json | undefined): readonly Json[] {
  return Array.isArray(contents) ? contents : isBlank(contents) ? [] : [contents ?? null];
}

/** Content, or the text that the clients accept in its place. */
function partsOf(content: Json): readonly Json[] {
  if (!isRecord(content)) return [content];
  return isRecord(content.parts) ? [content.parts] : listOf(content.parts);
}

/** The results of functions become messages of their own, before what is said beside them. */
function readContent(content: Json): Message[] {
  const parts = partsOf(content);
  const results = parts.flatMap(readResult);
  const rest = geminiTurn(parts.filter((part) => readResult(part).length === 0));
  const role = textOf(recordOf(content).role) ?? 'user';
  if (results.length > 0 && rest.parts.length === 0 && rest.toolCalls.length === 0) return results;
  return [...results, { role: role === 'model' ? 'assistant' : role, ...said(rest.parts), toolCalls: rest.toolCalls }];
}

function readResult(part: Json): Message[] {
  const result = either(recordOf(part), 'functionResponse');
  if (!isRecord(result)) return [];
  const media = recordsOf(result.parts).flatMap((item) => geminiPart(item));
  const { content, parts } = said([{ type: 'text', text: resultText(result.response) }, ...media]);
  return [
    present({
      role: 'tool',
      content,
      parts,
      toolCalls: [],
      toolCallId: textOf(result.id) ?? '',
      name: textOf(result.name),
    }),
  ];
}

/** What a function returned is an object; clients put a plain text into one. */
function resultText(response: Json | undefined): string {
  return typeof response === 'string' ? response : compactJson(response ?? null);
}

function readTools(tool: JsonRecord): ToolDefinition[] {
  const functions = recordsOf(either(tool, 'functionDeclarations')).map(readFunction);
  const others = Object.entries(tool).filter(([key]) => !/^function_?declarations$/i.test(key));
  return [...functions, ...others.map(([name, settings]) => ({ name, settings: { [name]: settings } }))];
}

function readFunction(declaration: JsonRecord): ToolDefinition {
  return present({
    name: textOf(declaration.name) ?? '',
    description: textOf(declaration.description),
    schema: declaration.parameters ?? either(declaration, 'parametersJsonSchema'),
  });
}

function readResponse(body: Json): ChatResponse {
  const answer = recordOf(body);
  const [candidate = {}, ...others] = recordsOf(answer.candidates);
  const { parts, toolCalls } = geminiTurn(isBlank(candidate.content) ? [] : partsOf(candidate.content ?? null));
  return present({
    ...said([...parts, ...sources(candidate), ...whyEnded(candidate), ...others.map(unknownPart)]),
    toolCalls,
    model: textOf(either(answer, 'modelVersion')),
    usage: readUsage(recordOf(either(answer, 'usageMetadata'))),
    finishReason: finishReason(either(candidate, 'finishReason')),
    error: errorOf(answer) ?? blocked(answer),
  });
}

/** The numbers of the reasons, for clients that ask for numbers. */
const REASONS = ['FINISH_REASON_UNSPECIFIED', 'STOP', 'MAX_TOKENS', 'SAFETY', 'RECITATION', 'OTHER'];

function finishReason(reason: Json | undefined): string | undefined {
  return typeof reason === 'number' ? (REASONS[reason] ?? `${reason}`) : textOf(reason);
}

const GROUNDED = ['groundingMetadata', 'urlContextMetadata'];

/** Where the answer comes from. */
function sources(candidate: JsonRecord): Part[] {
  const citations = either(candidate, 'citationMetadata');
  const grounded = GROUNDED.flatMap((name): Part[] => {
    const payload = either(candidate, name);
    return isBlank(payload) ? [] : [{ type: 'server_tool', name, payload: payload ?? null }];
  });
  return isBlank(citations) ? grounded : [...grounded, unknownPart({ citationMetadata: citations ?? null })];
}

/** What is said about an answer that did not come to its end: with a malformed call it is all that is left of the call. */
function whyEnded(candidate: JsonRecord): Part[] {
  const finishMessage = either(candidate, 'finishMessage') ?? null;
  const isEnded = finishReason(either(candidate, 'finishReason')) === 'STOP';
  return isEnded || isBlank(finishMessage) ? [] : [unknownPart({ finishMessage })];
}

function blocked(answer: JsonRecord): string | undefined {
  const feedback = recordOf(either(answer, 'promptFeedback'));
  const reason = textOf(either(feedback, 'blockReason'));
  const message = textOf(either(feedback, 'blockReasonMessage'));
  return reason === undefined ? undefined : ['The prompt was blocked', reason, message].filter(Boolean).join(': ');
}

/** Thoughts are not among the tokens of the candidates. */
function readUsage(usage: JsonRecord): Usage | undefined {
  const thoughts = either(usage, 'thoughtsTokenCount');
  return usageOf({
    prompt: either(usage, 'promptTokenCount'),
    completion: either(usage, 'candidatesTokenCount'),
    total: either(usage, 'totalTokenCount'),
    cached: either(usage, 'cachedContentTokenCount'),
    reasoning: thoughts,
    apart: [thoughts, either(usage, 'toolUsePromptTokenCount')],
  });
}
