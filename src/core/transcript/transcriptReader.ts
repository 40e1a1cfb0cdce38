import type { Interaction } from '../model/interaction';
import type { Tape } from '../model/tape';
import type { PriceTable } from '../prices/priceTable';
import type { TapeFormat } from '../tapes/format';
import { LazyInteraction } from '../tapes/lazyTape';
import { detectFormat } from '../tapes/readTape';
import { type TapeFile, textParts } from '../tapes/tapeFile';
import { escapeInvisible, escapeInvisibleDeep } from '../text/escapeInvisible';
import { LineIndex } from '../text/source';
import { type Continuation, ConversationTracker } from './conversations/conversationTracker';
import { describeChanges } from './describePrefixBreak';
import type { DescribedChange, InteractionAt } from './describeSilentChange';
import { transcriptEntry } from './entries';
import { exchangeDetails } from './exchangeDetails';
import { LaneTracker } from './laneTracker';
import { interactionMetrics, type TapeTotals, TotalsCounter } from './metrics';
import { PendingToolCalls, type ShownMessage } from './pendingToolCalls';
import { type InteractionSummary, summariseInteraction } from './summary';
import type { InteractionBody, Transcript, TranscriptProblem } from './transcript';

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
