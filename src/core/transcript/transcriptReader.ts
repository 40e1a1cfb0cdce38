import { formatJson } from '../json/formatJson';
import { isRecord, type Json, prettyJson } from '../json/json';
import type { Interaction } from '../model/interaction';
import type { McpExchange } from '../model/mcp';
import type { Message, Part, ToolCall } from '../model/message';
import type { Tape } from '../model/tape';
import type { PriceTable } from '../prices/priceTable';
import type { TapeFormat } from '../tapes/format';
import { LazyInteraction } from '../tapes/lazyTape';
import { detectFormat } from '../tapes/readTape';
import { type TapeFile, textParts } from '../tapes/tapeFile';
import { escapeInvisible, escapeInvisibleDeep } from '../text/escapeInvisible';
import { t } from '../text/l10n';
import { LineIndex } from '../text/source';
import { type Continuation, ConversationTracker } from './conversations/conversationTracker';
import type { MessagePlace } from './conversations/silentChange';
import { describeChanges } from './describePrefixBreak';
import type { DescribedChange, InteractionAt } from './describeSilentChange';
import { exchangeDetails } from './exchangeDetails';
import { LaneTracker } from './laneTracker';
import { describeMcp } from './mcpDetails';
import { describeHttp, messageExtras } from './messageExtras';
import { interactionMetrics, type TapeTotals, TotalsCounter } from './metrics';
import { PendingToolCalls, type ShownMessage } from './pendingToolCalls';
import { type InteractionSummary, summariseInteraction } from './summary';
import { toolView } from './tools/knownTools';
import type { InteractionBody, Transcript, TranscriptEntry, TranscriptProblem, TranscriptToolCall } from './transcript';

interface Step {
  readonly continuation: Continuation | undefined;
  readonly shown: readonly ShownMessage[];
}

/**
 * Reads a tape as a transcript, piece by piece: summaries from the first interaction on, as far as `advance` was called, and
 * the messages of an interaction on demand. It keeps fingerprints and places of what it has read, not messages.
 */
export class TranscriptReader {
  readonly #steps: Step[] = [];
  readonly #summaries: InteractionSummary[] = [];
  readonly #conversations = new ConversationTracker();
  readonly #calls = new PendingToolCalls();
  readonly #lanes = new LaneTracker();
  readonly #counter = new TotalsCounter();
  readonly #joined = new Set<number>();
  /** Kept until all have been read: a tape may have to read them again whenever nothing refers to them. */
  #interactions: readonly Interaction[] | undefined;

  constructor(
    readonly tape: Tape,
    readonly file: TapeFile,
    readonly format: TapeFormat,
    private readonly prices: PriceTable = {},
    private readonly keepsContent = false,
  ) {}

  get name(): string {
    return escapeInvisible(this.tape.name ?? '');
  }

  /** The number of interactions on the tape. */
  get length(): number {
    return this.tape.interactions.length;
  }

  /** The number of interactions that have been read. */
  get passed(): number {
    return this.#steps.length;
  }

  /** The totals of the interactions that have been read. */
  get totals(): TapeTotals {
    return this.#counter.totals;
  }

  get summaries(): readonly InteractionSummary[] {
    return this.#summaries;
  }

  /** Empty before all interactions have been read: formats look into every interaction to find problems. */
  get problems(): readonly TranscriptProblem[] {
    const problems = this.passed < this.length ? [] : this.tape.problems;
    if (problems.length === 0) return [];
    const lines = new LineIndex(textParts(this.file));
    return escapeInvisibleDeep(problems).map((problem) => ({
      ...problem,
      line: lines.position(problem.span.start).line,
    }));
  }

  /** Reads the next interaction; false when there is none. */
  advance(): boolean {
    const position = this.#steps.length;
    const interactions = this.#interactions ?? this.tape.interactions;
    const interaction = interactions[position];
    if (interaction === undefined) return false;
    this.#interactions = position + 1 < interactions.length ? interactions : undefined;
    const { kind, request, response } = interaction;
    // What an MCP server is asked belongs to no conversation.
    const continuation = kind === 'mcp' ? undefined : this.#conversations.follow(position, request, response);
    const shown = this.#calls.add(interaction, continuation, (index) => this.#joined.add(index));
    const numbers = interactionMetrics(interaction, this.prices);
    this.#steps.push({ continuation, shown });
    const summary = {
      ...summariseInteraction(interaction, continuation, shown, numbers),
      ...this.#lanes.place(interaction.within),
    };
    this.#summaries.push(escapeInvisibleDeep(summary));
    this.#counter.add(interaction, numbers);
    // For a view, nothing reads the tape again soon.
    if (!this.keepsContent) evict(interaction);
    return true;
  }

  /** The interactions whose calls got their results since the last call of this method. */
  takeJoined(): readonly number[] {
    const joined = [...this.#joined];
    this.#joined.clear();
    return joined;
  }

  /** The same as `body`, for who goes through all of them: it is not kept for the next time. */
  passingBody(position: number): InteractionBody | undefined {
    const body = this.body(position);
    evict(this.tape.interactions[position]);
    return body;
  }

  /** An interaction in full; undefined if it has not been read yet. */
  body(position: number): InteractionBody | undefined {
    const step = this.#steps[position];
    const interaction = this.tape.interactions[position];
    if (step === undefined || interaction === undefined) return undefined;
    const at = (index: number): Interaction | undefined => this.tape.interactions[index];
    return escapeInvisibleDeep({
      index: interaction.index,
      ...repetition(step.continuation),
      entries: step.shown.map((shown) => transcriptEntry(interaction, shown, at)),
      changes: changesOf(step.continuation, interaction, at),
      details: exchangeDetails(interaction),
    });
  }
}

/** Objects that outlive the young generation, as those in a cache do, are costly to collect. */
function evict(interaction: Interaction | undefined): void {
  if (interaction instanceof LazyInteraction) interaction.evict();
}

function changesOf(
  continuation: Continuation | undefined,
  interaction: Interaction,
  at: InteractionAt,
): readonly DescribedChange[] {
  if (continuation === undefined) return [];
  const { relation, base, changes } = continuation;
  return describeChanges(changes, relation === 'start' ? undefined : base, interaction, at);
}

function repetition(continuation: Continuation | undefined): Pick<InteractionBody, 'again'> {
  if (continuation?.base === undefined) return {};
  const { base, repeated, added, changes } = continuation;
  return repeated > 0 && added.length === 0 && changes.length === 0 ? { again: base } : {};
}

/**
 * Undefined if the file is not a tape. Reads no further than the format has to. `keepsContent` keeps the contents that were
 * read last, for callers that read all of them more than once.
 */
export function openTranscript(
  file: TapeFile,
  prices?: PriceTable,
  { keepsContent = false } = {},
): TranscriptReader | undefined {
  const format = detectFormat(file);
  return format && new TranscriptReader(format.read(file), file, format, prices, keepsContent);
}

/** The whole transcript of a tape; undefined when the file is not a tape. */
export function readTranscript(file: TapeFile, prices?: PriceTable): Transcript | undefined {
  const reader = openTranscript(file, prices);
  if (reader === undefined) return undefined;
  while (reader.advance());
  const bodies = reader.summaries.flatMap((_, position) => reader.body(position) ?? []);
  return {
    name: reader.name,
    formatLabel: reader.format.label,
    totals: reader.totals,
    interactions: reader.summaries,
    bodies,
    problems: reader.problems,
  };
}

/** A message of an interaction in full, with the results of its tool calls. */
function transcriptEntry(interaction: Interaction, shown: ShownMessage, at: InteractionAt): TranscriptEntry {
  const { place } = shown;
  if (interaction.mcp !== undefined) return mcpEntry(interaction, interaction.mcp, shown);
  if (place === 'response') return responseEntry(interaction, shown, at);
  const message = interaction.request?.messages[place] ?? { role: '', content: null, toolCalls: [] };
  return {
    interaction: interaction.index,
    origin: 'request',
    role: message.role,
    text: message.content ?? '',
    toolCalls: callEntries(message.toolCalls, shown, at),
    ...withExtras(message.parts),
    ...(message.isError === true ? { error: t('The tool failed.') } : {}),
  };
}

function responseEntry(interaction: Interaction, shown: ShownMessage, at: InteractionAt): TranscriptEntry {
  const { index, kind, request, response } = interaction;
  const entry = { interaction: index, origin: 'response', toolCalls: [] } as const;
  if (kind === 'http') return { ...entry, role: 'http', text: describeHttp(interaction) };
  if (kind === 'environment') return { ...entry, role: kind, text: interaction.summary ?? '' };
  if (response === undefined) return { ...entry, role: 'assistant', text: '', missing: true };
  const model = response.model ?? request?.model;
  return {
    ...entry,
    role: 'assistant',
    text: response.content ?? '',
    toolCalls: callEntries(response.toolCalls, shown, at),
    ...withExtras(contentParts(response.parts, request?.params.audio)),
    ...(model === undefined ? {} : { model }),
    ...(response.usage === undefined ? {} : { usage: response.usage }),
    ...(response.error === undefined ? {} : { error: response.error }),
  };
}

/** The audio format of a spoken response is in the request. */
function contentParts(parts: readonly Part[] | undefined, audio: Json | undefined): readonly Part[] | undefined {
  if (!isRecord(audio) || audio.format !== 'pcm16') return parts;
  return parts?.map((part) =>
    part.type === 'audio' && part.mime === 'audio/*' ? { ...part, mime: 'audio/pcm' } : part,
  );
}

function withExtras(parts: readonly Part[] | undefined): Pick<TranscriptEntry, 'extras'> {
  const extras = messageExtras(parts);
  return extras.length === 0 ? {} : { extras };
}

function callEntries(
  calls: readonly ToolCall[],
  { results, servers }: Pick<ShownMessage, 'results' | 'servers'>,
  at: InteractionAt,
): readonly TranscriptToolCall[] {
  return calls.map(({ id, name, arguments: args }, call) => {
    const exchange = servers[call];
    const carriedOut = exchange === undefined ? undefined : at(exchange);
    const result = resultAt(results[call], at) ?? (carriedOut && resultOf(carriedOut));
    const text = argumentsText(args);
    const view = toolView(name, args, text);
    return {
      id,
      name,
      arguments: text,
      ...(view === undefined ? {} : { view }),
      ...(result === undefined ? {} : { result: resultText(result) }),
      ...(result?.isError === true ? { isError: true } : {}),
      ...(carriedOut?.mcp === undefined ? {} : { server: carriedOut.mcp.server, serverInteraction: carriedOut.index }),
    };
  });
}

/** An exchange with an MCP server: a call of a tool with its result, or what was asked, in a line. */
function mcpEntry(interaction: Interaction, mcp: McpExchange, { carriesOut }: ShownMessage): TranscriptEntry {
  const { index, request, response, timing } = interaction;
  const entry = { interaction: index, origin: 'response', role: 'mcp', toolCalls: [] } as const;
  const text = describeMcp(mcp, response?.error);
  if (carriesOut !== undefined) return { ...entry, text: t('{0}, called in interaction {1}', text, carriesOut + 1) };
  const calls = callEntries(request?.messages[0]?.toolCalls ?? [], { results: [], servers: [] }, () => undefined);
  const result = resultOf(interaction);
  const shown = result && { result: resultText(result), ...(result.isError === true ? { isError: true } : {}) };
  const error = calls.length === 0 ? response?.error : undefined;
  return {
    ...entry,
    text,
    toolCalls: calls.map((call) => ({ ...call, ...shown })),
    ...(error === undefined ? {} : { error }),
    ...(mcp.steps.length === 0 && timing === undefined ? { missing: true } : {}),
  };
}

/** The reply of a tool, or of an MCP server, as the result of a call. */
function resultOf({ response }: Interaction): Message | undefined {
  if (response === undefined) return undefined;
  const { content, parts, error } = response;
  const message = { role: 'tool', content: content ?? error ?? null, toolCalls: [], isError: error !== undefined };
  return parts === undefined ? message : { ...message, parts };
}

function resultAt(place: MessagePlace | undefined, at: InteractionAt): Message | undefined {
  if (place === undefined || place.message === 'response') return undefined;
  return at(place.interaction)?.request?.messages[place.message];
}

/** Longer JSON is shown as it was recorded. */
const MAX_FORMATTED = 1_000_000;

/** The text of a tool's result, formatted if it is JSON, with a description of its other parts. */
function resultText({ content, parts }: Message): string {
  const extras = messageExtras(parts).map(({ label, text }) => t('{0}: {1}', label, text));
  const text = content ?? '';
  const formatted = text.length > MAX_FORMATTED ? undefined : formatJson(text);
  return [...(text === '' ? [] : [formatted ?? text]), ...extras].join('\n\n');
}

function argumentsText(args: Json): string {
  return typeof args === 'string' ? args : prettyJson(args);
}
