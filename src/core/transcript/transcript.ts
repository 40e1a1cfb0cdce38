import { type Json, jsonEqual, prettyJson } from '../json/json';
import { detectFormat } from '../tapes/readTape';
import type { Interaction, Message, Part, Tape, ToolCall, Usage } from '../tapes/tape';
import { type TapeTotals, tapeTotals } from '../tapes/tape';
import type { TapeFile } from '../tapes/tapeFile';
import { LineIndex, type Severity, type Span } from '../text/source';
import { asidesOf, describeHttp, type TranscriptAside } from './asides';

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
  /** Reasoning, images and whatever else is not text; absent where there is none. */
  readonly asides?: readonly TranscriptAside[];
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

/** The transcript of a tape; undefined when the file is no tape. */
export function readTranscript(file: TapeFile): Transcript | undefined {
  const format = detectFormat(file);
  if (format === undefined) return undefined;
  const tape = format.read(file);
  const lines = new LineIndex(file.text);
  return {
    name: tape.name ?? '',
    formatLabel: format.label,
    totals: tapeTotals(tape),
    entries: joinToolResults(entriesOf(tape)),
    problems: tape.problems.map((problem) => ({ ...problem, line: lines.position(problem.span.start).line })),
  };
}

/** An entry that still knows which tool call it answers, with calls that still wait for their results. */
interface RawEntry extends TranscriptEntry {
  readonly toolCalls: readonly OpenToolCall[];
  readonly toolCallId?: string;
}

interface OpenToolCall extends TranscriptToolCall {
  result?: string;
}

function entriesOf(tape: Tape): RawEntry[] {
  const entries: RawEntry[] = [];
  let conversation: Message[] = [];
  for (const interaction of tape.interactions) {
    const { request } = interaction;
    if (request !== undefined) {
      for (const message of request.messages.slice(commonPrefix(conversation, request.messages)))
        entries.push(requestEntry(interaction, message));
      conversation = [...request.messages];
    }
    entries.push(responseEntry(interaction));
    conversation.push(answerOf(interaction));
  }
  return entries;
}

/** How many messages at the start of `next` the conversation so far already had. */
function commonPrefix(conversation: readonly Message[], next: readonly Message[]): number {
  const changed = next.findIndex((message, index) => !isSame(message, conversation[index]));
  return changed === -1 ? next.length : changed;
}

/** An absent text and an empty one are the same. */
function isSame(left: Message, right: Message | undefined): boolean {
  return (
    left.role === right?.role &&
    (left.content ?? '') === (right.content ?? '') &&
    left.toolCallId === right.toolCallId &&
    jsonEqual(left.toolCalls.map(callIdentity), right.toolCalls.map(callIdentity))
  );
}

function callIdentity({ id, name, arguments: args }: ToolCall): Json {
  return [id, name, args];
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
    ...withAsides(message.parts),
    ...(message.toolCallId === undefined ? {} : { toolCallId: message.toolCallId }),
  };
}

function responseEntry(interaction: Interaction): RawEntry {
  const { index, kind, request, response } = interaction;
  if (kind === 'http')
    return { interaction: index, origin: 'response', role: 'http', text: describeHttp(interaction), toolCalls: [] };
  const model = response?.model ?? request?.model;
  return {
    interaction: index,
    origin: 'response',
    role: 'assistant',
    text: response?.content ?? '',
    toolCalls: (response?.toolCalls ?? []).map(callEntry),
    ...withAsides(response?.parts),
    ...(model === undefined ? {} : { model }),
    ...(response?.usage === undefined ? {} : { usage: response.usage }),
    ...(response?.error === undefined ? {} : { error: response.error }),
  };
}

function withAsides(parts: readonly Part[] | undefined): Pick<TranscriptEntry, 'asides'> {
  const asides = asidesOf(parts);
  return asides.length === 0 ? {} : { asides };
}

function callEntry({ id, name, arguments: args }: ToolCall): OpenToolCall {
  return { id, name, arguments: argumentsText(args) };
}

function argumentsText(args: Json): string {
  return typeof args === 'string' ? args : prettyJson(args);
}

/** Moves each tool message into the call it answers; one that answers no open call stays a message of its own. */
function joinToolResults(entries: readonly RawEntry[]): readonly TranscriptEntry[] {
  const open = new Map<string, OpenToolCall[]>();
  const shown: TranscriptEntry[] = [];
  for (const { toolCallId, ...entry } of entries) {
    const answered = toolCallId === undefined ? undefined : open.get(toolCallId)?.shift();
    if (answered === undefined) shown.push(entry);
    else answered.result = entry.text;
    // Some agents start their ids again in every turn, or leave them empty: the latest calls are the ones that wait.
    for (const { id } of entry.toolCalls)
      open.set(
        id,
        entry.toolCalls.filter((call) => call.id === id),
      );
  }
  return shown;
}
