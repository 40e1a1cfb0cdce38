import { asList, asRecord, asString, isBlank, omitUndefined } from '../../../json/fields';
import type { JsonRecord } from '../../../json/json';
import type { JsonLine } from '../../../json/jsonLines';
import type { Message } from '../../../model/message';
import type { Usage } from '../../../model/usage';
import { weakMemo } from '../../../text/memo';
import type { Span } from '../../../text/source';
import { readInput, readOutput } from '../../../wire/openaiResponses/read';
import { usageFromCounts } from '../../../wire/shared/usage';
import type { InteractionContent } from '../../lazyTape';
import type { UnheardRecord } from '../../notRead';
import { jsonLinesFormat } from '../shared/jsonLinesFormat';
import { type LoggedCall, lazyRequest, millisecondsBetween, type Session } from '../shared/sessionLog';

/**
 * Rollouts of the Codex CLI (`~/.codex/sessions`): a line of `{timestamp, type, payload}` each. The conversation is in
 * lines of type `response_item`, as items of OpenAI's Responses; the events beside them repeat it, and add tokens and
 * errors. The lines between two inputs are one response of the model.
 */
export const codexFormat = jsonLinesFormat({
  id: 'codex',
  label: 'Codex rollout',
  family: 'session',
  files: ['jsonl'],
  marks: ['timestamp', 'payload', /"type"\s*:\s*"(?:session_meta|response_item|turn_context|event_msg|compacted)"/],
  firstLines: 3,
  session(lines) {
    const rollout = new Rollout();
    for (const line of lines) rollout.take(line);
    rollout.close();
    return rollout;
  },
});

/** A response: its lines, and the details that events give about it. */
interface Turn {
  readonly lines: JsonLine[];
  readonly first: Span;
  last: Span;
  readonly inputAt: string | undefined;
  respondedAt: string | undefined;
  usage?: Usage | undefined;
  error?: string | undefined;
}

/** Some messages of the conversation, read on demand. */
type LazyMessages = () => readonly Message[];

class Rollout implements Session {
  readonly calls: LoggedCall[] = [];
  name: string | undefined;
  version: string | undefined;
  #model: string | undefined;
  #params: JsonRecord = {};
  /** Replaced, never shortened: earlier requests keep the array of their time. */
  #conversation: LazyMessages[] = [];
  #turn: Turn | undefined;
  /** The last interaction, because its token counts come after it. */
  #lastTurn: Turn | undefined;
  /** The last input without a response so far. */
  #pendingInput: { readonly source: Span; readonly at: string | undefined } | undefined;
  /** Events with what was said, which repeat items, and lines of unknown types; and whether there were items. */
  readonly #inputEvents: Span[] = [];
  readonly #outputEvents: Span[] = [];
  #hasInput = false;
  #hasOutput = false;

  take(line: JsonLine): void {
    const { value, source } = line;
    const payload = asRecord(value.payload);
    const at = asString(value.timestamp);
    if (value.type === 'session_meta') this.#session(payload);
    else if (value.type === 'turn_context') this.#context(payload);
    else if (value.type === 'response_item') this.#item(line, payload, at);
    else if (value.type === 'event_msg') this.#event(payload, source, at);
    else if (value.type === 'compacted') this.#compacted(payload);
    else this.#outputEvents.push(source);
  }

  /** The records of which nothing was read: events that no item stands beside. */
  readonly unread = (): readonly UnheardRecord[] => {
    const unread = [...(this.#hasInput ? [] : this.#inputEvents), ...(this.#hasOutput ? [] : this.#outputEvents)];
    return unread.map((place) => ({ place }));
  };

  /** Ends the current response. An input that never got one becomes an interaction without a response. */
  close(): void {
    this.#endTurn();
    if (this.#pendingInput !== undefined) this.#add(this.#pendingInput.source, undefined);
    this.#pendingInput = undefined;
  }

  #session(payload: JsonRecord): void {
    this.name ??= asString(payload.id);
    this.version ??= asString(payload.cli_version);
    const instructions = asString(asRecord(payload.base_instructions).text) ?? asString(payload.instructions);
    if (isBlank(instructions) || this.#conversation.length > 0) return;
    const system = [{ role: 'system', content: instructions ?? '', toolCalls: [] }];
    this.#conversation.push(() => system);
  }

  #context({ model, effort, summary }: JsonRecord): void {
    this.#model = asString(model) ?? this.#model;
    this.#params = {
      ...(isBlank(effort) ? {} : { reasoning_effort: effort ?? null }),
      ...(isBlank(summary) ? {} : { reasoning_summary: summary ?? null }),
    };
  }

  #item(line: JsonLine, item: JsonRecord, at: string | undefined): void {
    if (item.type === 'ghost_snapshot') return;
    if (isInputItem(item)) {
      this.#hasInput = true;
      this.#endTurn();
      this.#conversation.push(weakMemo(() => readInput([payloadOf(line)])));
      this.#pendingInput = { source: line.source, at };
      return;
    }
    this.#hasOutput = true;
    const turn = this.#openTurn(line.source, at);
    turn.lines.push(line);
    turn.last = line.source;
    turn.respondedAt = at;
  }

  #event(event: JsonRecord, source: Span, at: string | undefined): void {
    if (isInputEvent(event)) this.#inputEvents.push(source);
    else if (isOutputEvent(event)) this.#outputEvents.push(source);
    if (event.type === 'token_count') this.#tokens(asRecord(asRecord(event.info).last_token_usage));
    const failed = event.type === 'error' || event.type === 'turn_aborted';
    if (!failed || (this.#turn === undefined && this.#pendingInput === undefined)) return;
    const turn = this.#openTurn(source, at);
    const reason = asString(event.type === 'error' ? event.message : event.reason) ?? 'no reason given';
    turn.error = event.type === 'error' ? reason : `the turn was aborted: ${reason}`;
  }

  /** Token counts come after the response, and are repeated when rate limits change. */
  #tokens(tokens: JsonRecord): void {
    const usage = usageFromCounts({
      prompt: tokens.input_tokens,
      completion: tokens.output_tokens,
      total: tokens.total_tokens,
      cached: tokens.cached_input_tokens,
      reasoning: tokens.reasoning_output_tokens,
    });
    if (usage === undefined) return;
    if (this.#turn !== undefined) this.#turn.usage = usage;
    else if (this.#lastTurn !== undefined) this.#lastTurn.usage ??= usage;
  }

  #compacted({ message, replacement_history: replacement }: JsonRecord): void {
    this.#endTurn();
    const first = firstOf(this.#conversation);
    const kept = asList(replacement);
    const rest = kept.length > 0 ? readInput(kept) : readInput(isBlank(message) ? [] : [message ?? '']);
    this.#conversation = [() => (first?.role === 'system' ? [first, ...rest] : rest)];
  }

  #openTurn(source: Span, at: string | undefined): Turn {
    this.#turn ??= { lines: [], first: source, last: source, inputAt: this.#pendingInput?.at, respondedAt: at };
    this.#pendingInput = undefined;
    return this.#turn;
  }

  #endTurn(): void {
    const turn = this.#turn;
    if (turn === undefined) return;
    this.#turn = undefined;
    this.#add({ start: turn.first.start, end: turn.last.end }, turn);
    if (turn.lines.length > 0)
      this.#conversation.push(
        weakMemo((): readonly Message[] => [{ role: 'assistant', ...readOutput(turn.lines.map(payloadOf)) }]),
      );
  }

  #add(source: Span, turn: Turn | undefined): void {
    this.#lastTurn = turn;
    const conversation = this.#conversation;
    const length = conversation.length;
    const model = this.#model;
    const params = this.#params;
    const read = (): InteractionContent => {
      const messages = (): Message[] => conversation.slice(0, length).flatMap((some) => some());
      const request = lazyRequest(omitUndefined({ model, tools: [], params }), messages);
      return { kind: 'llm', api: 'openai-responses', request, ...(turn && readTurn(turn)) };
    };
    this.calls.push({ source, answers: turn?.lines.map((line) => line.source) ?? [], read });
  }
}

function readTurn({
  lines,
  inputAt,
  respondedAt,
  usage,
  error,
}: Turn): Pick<InteractionContent, 'response' | 'timing'> {
  return {
    response: omitUndefined({ ...readOutput(lines.map(payloadOf)), usage, error }),
    timing: omitUndefined({ recordedAt: respondedAt, durationMs: millisecondsBetween(inputAt, respondedAt) }),
  };
}

function payloadOf({ value }: JsonLine): JsonRecord {
  return asRecord(value.payload);
}

/** The first message. The empty items before it are read only once, since the conversation is then replaced. */
function firstOf(conversation: readonly LazyMessages[]): Message | undefined {
  for (const messages of conversation) {
    const [first] = messages();
    if (first !== undefined) return first;
  }
  return undefined;
}

/** Whether an item is input to the model: messages of other roles, and results of tools. */
function isInputItem({ type, role }: JsonRecord): boolean {
  if (typeof type === 'string' && type.endsWith('_output')) return true;
  return (type ?? 'message') === 'message' && role !== 'assistant';
}

function isInputEvent({ type, item }: JsonRecord): boolean {
  return type === 'user_message' || (type === 'item_completed' && asRecord(item).type === 'UserMessage');
}

function isOutputEvent({ type }: JsonRecord): boolean {
  return /^(?:agent_message|agent_reasoning|item_completed|task_complete|exec_command_end)$/.test(asString(type) ?? '');
}
