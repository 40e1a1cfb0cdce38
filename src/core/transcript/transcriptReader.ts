import type { Interaction } from '../model/interaction';
import type { Tape } from '../model/tape';
import type { PriceTable } from '../prices/priceTable';
import type { TapeFormat } from '../tapes/format';
import { LazyInteraction } from '../tapes/lazyTape';
import { detectFormat } from '../tapes/readTape';
import type { TapeFile } from '../tapes/tapeFile';
import { escapeInvisible, escapeInvisibleDeep } from '../text/escapeInvisible';
import { LineIndex } from '../text/source';
import { type Continuation, ConversationTracker } from './conversations/conversationTracker';
import { describeSilentChange } from './describeSilentChange';
import { transcriptEntry } from './entries';
import { exchangeDetails } from './exchangeDetails';
import { interactionMetrics, type TapeTotals, TotalsCounter } from './metrics';
import { PendingToolCalls, type ShownMessage } from './pendingToolCalls';
import { type InteractionSummary, summariseInteraction } from './summary';
import type { InteractionBody, Transcript, TranscriptProblem } from './transcript';

interface Step {
  readonly continuation: Continuation | undefined;
  readonly shown: readonly ShownMessage[];
}

/**
 * Reads a tape as a transcript piece by piece: summaries from the first interaction on, as far as asked; the messages of
 * an interaction when they are wanted. Of what was passed it keeps fingerprints and places, not the messages.
 */
export class TranscriptReader {
  readonly #steps: Step[] = [];
  readonly #summaries: InteractionSummary[] = [];
  readonly #conversations = new ConversationTracker();
  readonly #calls = new PendingToolCalls();
  readonly #counter = new TotalsCounter();
  readonly #joined = new Set<number>();
  /** Held until all have been passed: a tape may have to read them again whenever nobody does. */
  #passing: readonly Interaction[] | undefined;

  constructor(
    readonly tape: Tape,
    readonly file: TapeFile,
    readonly format: TapeFormat,
    private readonly prices: PriceTable = {},
  ) {}

  get name(): string {
    return escapeInvisible(this.tape.name ?? '');
  }

  /** How many interactions the tape has. */
  get length(): number {
    return this.tape.interactions.length;
  }

  /** How many have been passed. */
  get passed(): number {
    return this.#steps.length;
  }

  /** Of what has been passed. */
  get totals(): TapeTotals {
    return this.#counter.totals;
  }

  get summaries(): readonly InteractionSummary[] {
    return this.#summaries;
  }

  /** None before all has been passed: formats look into every interaction for them. */
  get problems(): readonly TranscriptProblem[] {
    const problems = this.passed < this.length ? [] : this.tape.problems;
    if (problems.length === 0) return [];
    const lines = new LineIndex(this.file.text);
    return escapeInvisibleDeep(problems).map((problem) => ({
      ...problem,
      line: lines.position(problem.span.start).line,
    }));
  }

  /** Passes one interaction more; false when there is none. */
  advance(): boolean {
    const position = this.#steps.length;
    const interactions = this.#passing ?? this.tape.interactions;
    const interaction = interactions[position];
    if (interaction === undefined) return false;
    this.#passing = position + 1 < interactions.length ? interactions : undefined;
    const { request, response } = interaction;
    const continuation = this.#conversations.follow(position, request, response);
    const shown = this.#calls.take(interaction, continuation, (index) => this.#joined.add(index));
    const numbers = interactionMetrics(interaction, this.prices);
    this.#steps.push({ continuation, shown });
    this.#summaries.push(escapeInvisibleDeep(summariseInteraction(interaction, continuation, shown, numbers)));
    this.#counter.add(interaction, numbers);
    // Whoever reads on to the end needs none of them twice: what is kept outlives the engine's young memory, and is costly.
    if (interaction instanceof LazyInteraction) interaction.evict();
    return true;
  }

  /** The interactions whose calls were answered by what was passed since the last time this was asked. */
  takeJoined(): readonly number[] {
    const joined = [...this.#joined];
    this.#joined.clear();
    return joined;
  }

  /** An interaction that has been passed, in full. */
  body(position: number): InteractionBody | undefined {
    const step = this.#steps[position];
    const interaction = this.tape.interactions[position];
    if (step === undefined || interaction === undefined) return undefined;
    const at = (index: number): Interaction | undefined => this.tape.interactions[index];
    return escapeInvisibleDeep({
      index: interaction.index,
      entries: step.shown.map((shown) => transcriptEntry(interaction, shown, at)),
      changes: (step.continuation?.changes ?? []).map((change) => describeSilentChange(change, at)),
      details: exchangeDetails(interaction),
    });
  }
}

/** Undefined when the file is no tape. Reads no further than the format has to. */
export function openTranscript(file: TapeFile, prices?: PriceTable): TranscriptReader | undefined {
  const format = detectFormat(file);
  return format && new TranscriptReader(format.read(file), file, format, prices);
}

/** The whole transcript of a tape at once; undefined when the file is no tape. */
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
