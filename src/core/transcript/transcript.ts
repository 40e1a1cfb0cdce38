import { type Json, prettyJson } from '../json/json';
import { detectFormat } from '../tapes/readTape';
import type { Interaction, Message, Tape, ToolCall, Usage } from '../tapes/tape';
import { type TapeTotals, tapeTotals } from '../tapes/tape';
import { LineIndex, type Severity, type Span } from '../text/source';

/** A tape as a conversation: what a reader sees, in the order it happened. Plain data, sent to the webview as it is. */
export interface Transcript {
  readonly name: string;
  readonly formatLabel: string;
  readonly totals: TapeTotals;
  readonly entries: readonly TranscriptEntry[];
  readonly problems: readonly TranscriptProblem[];
}

/** One message. Requests that repeat the earlier conversation show only what they add. */
export interface TranscriptEntry {
  readonly interaction: number;
  /** From the recorded response, or from the request that led to it. */
  readonly origin: 'request' | 'response';
  readonly role: string;
  readonly text: string;
  readonly toolCalls: readonly TranscriptToolCall[];
  readonly model?: string;
  readonly usage?: Usage;
  readonly error?: string;
}

export interface TranscriptToolCall {
  readonly id: string;
  readonly name: string;
  /** Pretty JSON, or the model's own text where it was not JSON. */
  readonly arguments: string;
  /** What the tool answered, where a later request carries it. */
  readonly result?: string;
}

export interface TranscriptProblem {
  readonly severity: Severity;
  readonly message: string;
  readonly fix?: string;
  readonly line: number;
  readonly span: Span;
}

/** The transcript of a tape's text; undefined when the text is no tape. */
export function readTranscript(text: string): Transcript | undefined {
  const format = detectFormat(text);
  if (format === undefined) return undefined;
  const tape = format.read(text);
  const lines = new LineIndex(text);
  return {
    name: tape.name ?? '',
    formatLabel: format.label,
    totals: tapeTotals(tape),
    entries: joinToolResults(entriesOf(tape)),
    problems: tape.problems.map((problem) => ({ ...problem, line: lines.position(problem.span.start).line })),
  };
}

/** An entry that still knows which tool call it answers. */
interface RawEntry extends TranscriptEntry {
  readonly toolCallId?: string;
}

function entriesOf(tape: Tape): RawEntry[] {
  const entries: RawEntry[] = [];
  let conversation: readonly Message[] = [];
  for (const interaction of tape.interactions) {
    const messages = interaction.request?.messages ?? [];
    for (const message of messages.slice(commonPrefix(conversation, messages)))
      entries.push(requestEntry(interaction, message));
    entries.push(responseEntry(interaction));
    conversation = [...messages, answerOf(interaction)];
  }
  return entries;
}

/** How many messages at the start of `next` the conversation so far already had. */
function commonPrefix(conversation: readonly Message[], next: readonly Message[]): number {
  const limit = Math.min(conversation.length, next.length);
  for (let index = 0; index < limit; index += 1) {
    if (signature(conversation[index]) !== signature(next[index])) return index;
  }
  return limit;
}

/** What makes two messages the same; an absent text and an empty one are. */
function signature(message: Message | undefined): string {
  if (message === undefined) return '';
  const calls = message.toolCalls.map(({ id, name, arguments: args }) => [id, name, args]);
  return prettyJson([message.role, message.content ?? '', message.toolCallId ?? null, calls]);
}

function answerOf({ response }: Interaction): Message {
  return { role: 'assistant', content: response?.content ?? null, toolCalls: response?.toolCalls ?? [] };
}

function requestEntry({ index }: Interaction, message: Message): RawEntry {
  return {
    interaction: index,
    origin: 'request',
    role: message.role,
    text: message.content ?? '',
    toolCalls: message.toolCalls.map(callEntry),
    ...(message.toolCallId === undefined ? {} : { toolCallId: message.toolCallId }),
  };
}

function responseEntry({ index, request, response }: Interaction): RawEntry {
  return {
    interaction: index,
    origin: 'response',
    role: 'assistant',
    text: response?.content ?? '',
    toolCalls: (response?.toolCalls ?? []).map(callEntry),
    ...(request?.model === undefined ? {} : { model: request.model }),
    ...(response?.usage === undefined ? {} : { usage: response.usage }),
    ...(response?.error === undefined ? {} : { error: response.error }),
  };
}

function callEntry({ id, name, arguments: args }: ToolCall): TranscriptToolCall {
  return { id, name, arguments: argumentsText(args) };
}

function argumentsText(args: Json): string {
  return typeof args === 'string' ? args : prettyJson(args);
}

/** Moves each tool message into the call it answers; one that answers no known call stays a message of its own. */
function joinToolResults(entries: readonly RawEntry[]): readonly TranscriptEntry[] {
  const called = new Set(entries.flatMap(({ toolCalls }) => toolCalls.map(({ id }) => id)));
  const results = new Map<string, string>();
  for (const { toolCallId, text } of entries) if (toolCallId && called.has(toolCallId)) results.set(toolCallId, text);
  return entries
    .filter(({ toolCallId }) => toolCallId === undefined || !called.has(toolCallId))
    .map(({ toolCallId: _, ...entry }) => ({
      ...entry,
      toolCalls: entry.toolCalls.map((call) => withResult(call, results)),
    }));
}

function withResult(call: TranscriptToolCall, results: ReadonlyMap<string, string>): TranscriptToolCall {
  const result = results.get(call.id);
  return result === undefined ? call : { ...call, result };
}
