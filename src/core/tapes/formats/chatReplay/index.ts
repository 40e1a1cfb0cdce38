import { asList, asRecord, asString, omitKeys, omitUndefined } from '../../../json/fields';
import type { Json, JsonRecord } from '../../../json/json';
import { itemsOf, type JsonNode } from '../../../json/jsonNode';
import { jsonOutline } from '../../../json/jsonOutline';
import { exactValue, member, readJson } from '../../../json/readJson';
import type { ChatResponse, Message, ToolCall } from '../../../model/message';
import type { Tape } from '../../../model/tape';
import { message } from '../../../text/l10n';
import { weakMemo } from '../../../text/memo';
import type { Span } from '../../../text/source';
import type { TextParts } from '../../../text/textParts';
import { readToolCall } from '../../../wire/shared/toolCalls';
import type { TapeFormat } from '../../format';
import { type InteractionReading, interactionProblems, LazyInteraction, LazyTape } from '../../lazyTape';
import { type TapeFile, textParts } from '../../tapeFile';
import { type ModelCall, readCallSpan, spanTiming, type ToolUse, timeOfText } from '../shared/traces/reading';
import { recordAt } from '../shared/traces/spanPlaces';
import { readTraceTools } from '../shared/traces/tools';
import { readTraceUsage } from '../shared/traces/usage';
import { readRawMessages } from './rawMessages';

/** What Copilot Chat exports from its debug view: prompts, with the requests and calls of tools of each. */
export const chatReplayFormat = {
  id: 'chat-replay',
  label: 'Copilot chat replay',
  family: 'session',
  isReadWhole: true,
  extensions: ['json'],
  ownEndings: ['chatreplay.json'],
  syntax: 'json',
  looksLike,
  read,
} satisfies TapeFormat;

function looksLike(file: TapeFile): boolean {
  const text = textParts(file);
  const outline = jsonOutline(text);
  const isPrompt = (at: string): boolean =>
    outline.has(`${at}logs[]`) && outline.has(`${at}logs[].kind`) && outline.has(`${at}prompt`);
  return (outline.has('prompts[]') && isPrompt('prompts[].')) || isPrompt('');
}

interface Log {
  readonly node: JsonNode;
  readonly kind: Json | undefined;
  /** Of a request: the calls of tools that follow it, before the next request. */
  readonly calls: Span[];
}

function read(file: TapeFile): Tape {
  const text = textParts(file);
  const { value: root, problems } = readJson(text);
  const logs = promptsOf(root).flatMap(logsOf);
  const interactions = logs.map((log, index) => new LazyInteraction(index, log.node, () => readLog(log, text)));
  const [first] = promptsOf(root);
  const name = first && titleOf(member(first, 'prompt'));
  return new LazyTape(
    omitUndefined({ format: 'chat-replay' as const, name, interactions, weight: logs.length * LOG_BYTES }),
    () => [...problems, ...interactionProblems(interactions)],
  );
}

/** The memory of a log: its place, and those of its calls. */
const LOG_BYTES = 1000;

function promptsOf(root: JsonNode | undefined): JsonNode[] {
  const prompts = member(root, 'prompts');
  if (prompts?.type === 'array') return [...itemsOf(prompts)];
  return root === undefined ? [] : [root];
}

function titleOf(node: JsonNode | undefined): string | undefined {
  return node?.type === 'string' ? node.value.split('\n', 1)[0]?.slice(0, 80) || undefined : undefined;
}

/** The requests and calls of a prompt. Parts of prompts and notes are no interactions. */
function logsOf(prompt: JsonNode): Log[] {
  const list = member(prompt, 'logs');
  if (list?.type !== 'array') return [];
  const logs: Log[] = [];
  let request: Log | undefined;
  for (const node of itemsOf(list)) {
    const kind = textAt(node, 'kind');
    if (kind === 'toolCall') request?.calls.push({ start: node.start, end: node.end });
    if (kind !== 'toolCall' && (kind !== 'request' || member(node, 'metadata') === undefined)) continue;
    const log = { node, kind, calls: [] };
    logs.push(log);
    if (kind === 'request') request = log;
  }
  return logs;
}

function textAt(node: JsonNode, key: string): string | undefined {
  const found = member(node, key);
  return found === undefined ? undefined : asString(exactValue(found));
}

/** Responses are logged as texts; the calls in them are the tools that were called next. */
function callsAt(text: TextParts, places: readonly Span[]): ToolCall[] {
  return places.map((place) => toolCallOf(recordAt(text, place)));
}

function toolCallOf({ id, tool, args }: JsonRecord): ToolCall {
  // VS Code adds a number of its own to the id of the model.
  return readToolCall((asString(id) ?? '').replace(/__vscode-\d+$/, ''), tool, args);
}

function readLog({ node, kind, calls }: Log, text: TextParts): InteractionReading {
  const place = { start: node.start, end: node.end };
  const own = weakMemo(() => recordAt(text, place));
  const { content, problems } = readCallSpan(kind === 'toolCall' ? 'tool' : 'llm', place, own, {
    call: (log) => readRequest(log, callsAt(text, calls)),
    tool: readTool,
    cutTexts: () => [],
    ifMissing: message('Export the prompt again while its requests are still in the debug view.'),
  });
  return { content: omitUndefined({ ...content, id: asString(own().id) }), problems };
}

function readRequest(log: JsonRecord, calls: readonly ToolCall[]): ModelCall {
  const about = asRecord(log.metadata);
  const response = asRecord(log.response);
  const [start, end] = [about.startTime, about.endTime].map((time) => timeOfText(asString(time)));
  const first =
    typeof about.timeToFirstToken === 'number' && start !== undefined ? start + about.timeToFirstToken : undefined;
  return {
    messages: messagesOf(log),
    tools: readTraceTools(about.tools),
    params: paramsOf(about),
    model: asString(about.model),
    answer: readAnswer(response, calls),
    usage: readTraceUsage(about.usage),
    error: failureOf(response),
    timing: spanTiming(start, end, first),
  };
}

function messagesOf({ requestMessages }: JsonRecord): readonly Message[] {
  return readRawMessages(asRecord(requestMessages).messages);
}

function paramsOf({ postOptions, maxResponseTokens }: JsonRecord): JsonRecord {
  const params = omitUndefined({
    max_tokens: maxResponseTokens,
    ...omitKeys(asRecord(postOptions), 'tools', 'stream'),
  });
  return Object.fromEntries(Object.entries(params).filter(([, value]) => value !== null && value !== false));
}

/** A response is its texts, or since 2026 its parts. */
function readAnswer(response: JsonRecord, calls: readonly ToolCall[]): ChatResponse | undefined {
  const { message } = response;
  if (message === undefined || message === null) return undefined;
  const texts = typeof message === 'string' ? [message] : asList(message);
  const [said] = readRawMessages([{ role: 2, content: texts.map(partOf) }]);
  const text = said?.content === '' && calls.length > 0 ? null : (said?.content ?? null);
  const toolCalls = said === undefined || said.toolCalls.length === 0 ? calls : said.toolCalls;
  return omitUndefined({ content: text, parts: said?.parts, toolCalls });
}

function partOf(part: Json): Json {
  return typeof part === 'string' ? { type: 1, text: part } : part;
}

function failureOf(response: JsonRecord): string | undefined {
  const { type, reason, error } = response;
  if (type === 'canceled') return 'the request was cancelled';
  if (type === 'truncated') return 'the response was cut off at the limit of its length';
  return type === 'failure' || type === 'completion_failure'
    ? (asString(reason ?? error) ?? 'the request failed')
    : undefined;
}

function readTool(log: JsonRecord): ToolUse {
  const { id, name, argumentsText, arguments: args } = toolCallOf(log);
  const texts = asList(log.response).map((item) => asString(item) ?? '');
  return {
    id,
    name,
    input: argumentsText ?? args,
    result: log.response === undefined ? undefined : { content: texts.join('\n'), toolCalls: [] },
    error: undefined,
    timing: spanTiming(timeOfText(asString(log.time)), undefined),
  };
}
