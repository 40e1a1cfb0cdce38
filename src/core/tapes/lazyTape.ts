import type { Problem, Span } from '../text/source';
import { KeptContents } from './keptContents';
import type { FormatId, Interaction, Tape } from './tape';

/** What an interaction says. */
export type InteractionContent = Omit<Interaction, 'index' | 'source'>;

export interface InteractionReading {
  readonly content: InteractionContent;
  /** What is wrong with it, or could not be understood. */
  readonly problems: readonly Problem[];
}

/** UTF-16 units of source whose contents are kept: all of an ordinary tape, and a small part of a large one. */
const ROOM = 2_000_000;
const contents = new KeptContents(ROOM);

/**
 * An interaction of which only the place is known: what it says is read when it is first asked for. Whoever lists or
 * counts the interactions of a tape does not wait for their bodies to be decoded and understood.
 */
export class LazyInteraction implements Interaction {
  readonly index: number;
  readonly source: Span;
  readonly #read: () => InteractionReading;
  #known: InteractionContent | undefined;
  #problems: readonly Problem[] | undefined;

  constructor(index: number, { start, end }: Span, read: () => InteractionReading) {
    this.index = index;
    this.source = { start, end };
    this.#read = read;
  }

  get kind(): Interaction['kind'] {
    return this.#content.kind;
  }

  get request(): Interaction['request'] {
    return this.#content.request;
  }

  get response(): Interaction['response'] {
    return this.#content.response;
  }

  get timing(): Interaction['timing'] {
    return this.#content.timing;
  }

  get http(): Interaction['http'] {
    return this.#content.http;
  }

  get api(): Interaction['api'] {
    return this.#content.api;
  }

  get summary(): Interaction['summary'] {
    return this.#content.summary;
  }

  get id(): Interaction['id'] {
    return this.#content.id;
  }

  get problems(): readonly Problem[] {
    return this.#problems ?? this.#interpret().problems;
  }

  /** Gives back what it says; whoever asks next reads it again. */
  forget(): void {
    this.#known = undefined;
  }

  toJSON(): Interaction {
    return { index: this.index, ...this.#content, source: this.source };
  }

  get #content(): InteractionContent {
    return this.#known ?? this.#interpret().content;
  }

  #interpret(): InteractionReading {
    const reading = this.#read();
    this.#problems = reading.problems;
    if (this.#known === undefined) contents.add(this, this.source.end - this.source.start);
    this.#known = reading.content;
    return reading;
  }
}

/** All of an interaction as members of its own, which a spread, or a comparison, has to find. */
export function plainInteraction(interaction: Interaction): Interaction {
  return interaction instanceof LazyInteraction ? interaction.toJSON() : interaction;
}

/** A tape whose problems are looked for when they are first asked for: most of them are in its interactions. */
export class LazyTape implements Tape {
  readonly format: FormatId;
  readonly name: string | undefined;
  readonly version: string | undefined;
  readonly records: number | undefined;
  readonly interactions: readonly Interaction[];
  /** Bytes of memory that what was read keeps beside text and interactions; undefined where nobody can tell. */
  readonly weight: number | undefined;
  readonly #find: () => readonly Problem[];
  #problems: readonly Problem[] | undefined;

  constructor(
    known: Omit<Tape, 'problems'> & { readonly weight?: number | undefined },
    find: () => readonly Problem[],
  ) {
    this.format = known.format;
    this.name = known.name;
    this.version = known.version;
    this.records = known.records;
    this.interactions = known.interactions;
    this.weight = known.weight;
    this.#find = find;
  }

  get problems(): readonly Problem[] {
    this.#problems ??= this.#find();
    return this.#problems;
  }

  toJSON(): Tape {
    const { format, name, version, records, interactions, problems } = this;
    return { format, name, version, records, interactions, problems };
  }
}

/** What is wrong with interactions, which reads them all. */
export function problemsIn(interactions: readonly LazyInteraction[]): Problem[] {
  return interactions.flatMap(({ problems }) => problems);
}
