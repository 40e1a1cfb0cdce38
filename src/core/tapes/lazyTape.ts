import { type JsonNode, LazyArrayNode, LazyObjectNode } from '../json/jsonNode';
import type { Interaction } from '../model/interaction';
import type { FormatId, Tape } from '../model/tape';
import type { Problem, Span } from '../text/source';

/** What can forget what it has read, and read it again. */
export interface Evictable {
  evict(): void;
}

interface CacheEntry {
  /** The tape it belongs to may be closed long before its turn comes. */
  readonly what: WeakRef<Evictable>;
  readonly size: number;
}

/** Of something without a size, such as an interaction of a zip. */
const MIN_ENTRY_SIZE = 1024;

/**
 * Lets those that were read last keep what they have read, as much as fits in; the others forget. (To hold contents by a
 * WeakRef would keep every one until the engine's next full collection: reading a tape of 100 MB then takes 300.)
 */
export class ContentCache {
  readonly #room: number;
  readonly #kept: CacheEntry[] = [];
  #oldest = 0;
  #size = 0;

  /** @param room In the unit of the sizes. */
  constructor(room: number) {
    this.#room = room;
  }

  add(what: Evictable, size: number): void {
    const kept = { what: new WeakRef(what), size: Math.max(size, MIN_ENTRY_SIZE) };
    this.#kept.push(kept);
    this.#size += kept.size;
    while (this.#size > this.#room && this.#oldest < this.#kept.length - 1) this.#forgetOldest();
  }

  #forgetOldest(): void {
    const oldest = this.#kept[this.#oldest];
    this.#oldest += 1;
    if (oldest === undefined) return;
    this.#size -= oldest.size;
    oldest.what.deref()?.evict();
    if (this.#oldest * 2 < this.#kept.length) return;
    this.#kept.splice(0, this.#oldest);
    this.#oldest = 0;
  }
}

/** What an interaction says. */
export type InteractionContent = Omit<Interaction, 'index' | 'source'>;

export interface InteractionReading {
  readonly content: InteractionContent;
  /** What is wrong with it, or could not be understood. */
  readonly problems: readonly Problem[];
}

/** UTF-16 units of source whose contents are kept: all of an ordinary tape, and a small part of a large one. */
const CACHE_SIZE = 2_000_000;
const contentCache = new ContentCache(CACHE_SIZE);

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
  evict(): void {
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
    if (this.#known === undefined) contentCache.add(this, this.source.end - this.source.start);
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
  readonly retainedBytes: number | undefined;
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
    this.retainedBytes = known.weight;
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
export function interactionProblems(interactions: readonly LazyInteraction[]): Problem[] {
  return interactions.flatMap(({ problems }) => problems);
}

/** Of a value or name that somebody has looked at, with what was made of it. */
const BYTES_PER_VALUE = 400;

/** The bytes of memory that the tree of a JSON text, and what is read from it, takes at most; undefined for another text. */
export function jsonTreeBytes(root: JsonNode): number | undefined {
  return root instanceof LazyObjectNode || root instanceof LazyArrayNode ? root.size * BYTES_PER_VALUE : undefined;
}
