import type { PriceTable } from '../prices/priceTable';
import { LazyInteraction } from '../tapes/lazyTape';
import { detectFormat } from '../tapes/readTape';
import type { Interaction, Tape } from '../tapes/tape';
import type { TapeFile } from '../tapes/tapeFile';
import type { TapeFormat } from '../tapes/tapeFormat';
import { LineIndex } from '../text/source';
import { visible, visibly } from '../text/visible';
import { type Continuation, Conversations } from './conversations';
import { detailsOf } from './details';
import { entryOf } from './entries';
import { numbersOf } from './numbers';
import { showChange } from './shownChange';
import { OpenCalls, type ShownMessage } from './shownMessages';
import { type InteractionSummary, summarise } from './summary';
import { type TapeTotals, TotalsCounter } from './totals';
import type { InteractionBody, TranscriptProblem } from './transcript';

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
  readonly #conversations = new Conversations();
  readonly #calls = new OpenCalls();
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
    return visible(this.tape.name ?? '');
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
    return visibly(problems).map((problem) => ({ ...problem, line: lines.position(problem.span.start).line }));
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
    const numbers = numbersOf(interaction, this.prices);
    this.#steps.push({ continuation, shown });
    this.#summaries.push(visibly(summarise(interaction, continuation, shown, numbers)));
    this.#counter.add(interaction, numbers);
    // Whoever reads on to the end needs none of them twice: what is kept outlives the engine's young memory, and is costly.
    if (interaction instanceof LazyInteraction) interaction.forget();
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
    return visibly({
      index: interaction.index,
      entries: step.shown.map((shown) => entryOf(interaction, shown, at)),
      changes: (step.continuation?.changes ?? []).map((change) => showChange(change, at)),
      details: detailsOf(interaction),
    });
  }
}

/** Undefined when the file is no tape. Reads no further than the format has to. */
export function openTranscript(file: TapeFile, prices?: PriceTable): TranscriptReader | undefined {
  const format = detectFormat(file);
  return format && new TranscriptReader(format.read(file), file, format, prices);
}
