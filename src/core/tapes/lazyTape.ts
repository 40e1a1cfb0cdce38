import { type JsonNode, LazyArrayNode, LazyObjectNode } from '../json/jsonNode';
import type { HttpExchange } from '../model/http';
import type { Interaction, InteractionKind } from '../model/interaction';
import type { Message } from '../model/message';
import type { FormatId, Tape } from '../model/tape';
import { t } from '../text/l10n';
import type { Problem, Span } from '../text/source';

/** Something that can release its content and read it again. */
interface Evictable {
  evict(): void;
}

interface CacheEntry {
  /** A weak reference: the tape may be closed long before this entry is evicted. */
  readonly what: WeakRef<Evictable>;
  readonly size: number;
}

/** The size of an entry without one of its own, such as an interaction of a zip. */
const MIN_ENTRY_SIZE = 1024;

/**
 * Keeps the contents that were read last, up to a total size; older ones are evicted. (WeakRefs to the contents
 * themselves would keep all of them until the next full collection: reading a tape of 100 MB would take 300.)
 */
export class ContentCache {
  readonly #room: number;
  readonly #kept: CacheEntry[] = [];
  #oldest = 0;
  #size = 0;

  /** @param room In the same unit as the sizes. */
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

/** The content of an interaction. */
export type InteractionContent = Omit<Interaction, 'index' | 'source'>;

export interface InteractionReading {
  readonly content: InteractionContent;
  /** Errors in it, and content that is unsupported. */
  readonly problems: readonly Problem[];
  /** What its compressed bodies take decompressed, in bytes. */
  readonly unpackedBytes?: number;
}

/** An interaction as far as it is HTTP. */
export interface StoredHttp {
  /** Undefined for one that is not stored as HTTP. */
  readonly http: HttpExchange | undefined;
  /** Undefined where the chat in it decides. */
  readonly kind?: InteractionKind | undefined;
  readonly id?: string | undefined;
  /** What is wrong with how it is stored. Problems of the chat in it may be missing: none of those keeps it from being replayed. */
  readonly problems: readonly Problem[];
}

/**
 * The total of sources, in UTF-16 units, whose contents are kept: all of an ordinary tape, a small part of a large
 * one.
 */
const CACHE_SIZE = 2_000_000;
const contentCache = new ContentCache(CACHE_SIZE);

/**
 * An interaction that is read on demand. Listing or counting the interactions of a tape does not wait for their bodies
 * to be decoded.
 */
export class LazyInteraction implements Interaction {
  readonly index: number;
  readonly source: Span;
  readonly #read: () => InteractionReading;
  readonly #readStored: (() => StoredHttp | undefined) | undefined;
  #known: InteractionContent | undefined;
  #problems: readonly Problem[] | undefined;
  #isMute: boolean | undefined;

  /** `readStored`: the first step of `read`; undefined, or yielding that, for what is not HTTP. */
  constructor(
    index: number,
    { start, end }: Span,
    read: () => InteractionReading,
    readStored?: () => StoredHttp | undefined,
  ) {
    this.index = index;
    this.source = { start, end };
    this.#read = read;
    this.#readStored = readStored;
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

  get mcp(): Interaction['mcp'] {
    return this.#content.mcp;
  }

  get api(): Interaction['api'] {
    return this.#content.api;
  }

  get summary(): Interaction['summary'] {
    return this.#content.summary;
  }

  get declared(): Interaction['declared'] {
    return this.#content.declared;
  }

  get within(): Interaction['within'] {
    return this.#content.within;
  }

  get id(): Interaction['id'] {
    return this.#content.id;
  }

  get problems(): readonly Problem[] {
    return this.#problems ?? this.#interpret().problems;
  }

  /** Its HTTP, without the chat in it, which takes many times as long to read. Nothing of it is kept. */
  stored(): StoredHttp {
    return this.#readStored?.() ?? { http: this.http, kind: this.kind, id: this.id, problems: this.problems };
  }

  /** Whether it is recorded as messages, and its response says nothing. Known of what was read, without reading it again. */
  get isMute(): boolean {
    return this.#isMute ?? isMute(this.#interpret().content);
  }

  /** Releases the content; the next access reads it again. */
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
    const reading = withinReason(this.#read(), this.source);
    this.#problems = reading.problems;
    this.#isMute = isMute(reading.content);
    const size = this.source.end - this.source.start + (reading.unpackedBytes ?? 0);
    if (this.#known === undefined) contentCache.add(this, size);
    this.#known = reading.content;
    return reading;
  }
}

/** Whether an interaction is recorded as messages, of which the response has no text, call of a tool, or error. */
export function isMute(interaction: InteractionContent | LazyInteraction): boolean {
  if (interaction instanceof LazyInteraction) return interaction.isMute;
  const { kind, http, response } = interaction;
  const isCall = kind === 'llm' || kind === 'embedding' || kind === 'frame';
  return isCall && http === undefined && response?.error === undefined && !saysSomething(response);
}

export function saysSomething(message: Pick<Message, 'content' | 'parts' | 'toolCalls'> | undefined): boolean {
  if (message === undefined) return false;
  return Boolean(message.content?.trim()) || message.toolCalls.length > 0 || (message.parts?.length ?? 0) > 0;
}

/** Far more than any model takes. What compares and shows messages holds a little for each. */
const MAX_MESSAGES = 50_000;

/** The reading, or one with the first messages of its request and a problem. */
function withinReason(reading: InteractionReading, { start }: Span): InteractionReading {
  const { request } = reading.content;
  const count = request?.messages.length ?? 0;
  if (request === undefined || count <= MAX_MESSAGES) return reading;
  const message = t('the request has {0} messages; at most {1} are read', count, MAX_MESSAGES);
  const fix = t('Record it again, or restore the file from version control.');
  const content = { ...reading.content, request: { ...request, messages: request.messages.slice(0, MAX_MESSAGES) } };
  const problem = { severity: 'error', message, fix, span: { start, end: start + 1 } } as const;
  return { ...reading, content, problems: [problem, ...reading.problems] };
}

/** The HTTP of an interaction; see `LazyInteraction.stored`. */
export function storedHttp(interaction: Interaction): StoredHttp {
  if (interaction instanceof LazyInteraction) return interaction.stored();
  const { http, kind, id } = interaction;
  return { http, kind, id, problems: [] };
}

/** The interaction as a plain object, for spreads and comparisons. */
export function plainInteraction(interaction: Interaction): Interaction {
  return interaction instanceof LazyInteraction ? interaction.toJSON() : interaction;
}

/** A tape whose problems are collected on first access, because most of them are in its interactions. */
export class LazyTape implements Tape {
  readonly format: FormatId;
  readonly name: string | undefined;
  readonly test: string | undefined;
  readonly version: string | undefined;
  readonly records: number | undefined;
  readonly interactions: readonly Interaction[];
  /** The bytes of memory that the reading retains beside text and interactions; undefined if that is unknown. */
  readonly retainedBytes: number | undefined;
  /** Of the log of a session, the places of the records that its responses were read from: others may repeat what was said. */
  readonly answers: readonly Span[] | undefined;
  readonly #find: () => readonly Problem[];
  readonly #findInFile: (() => readonly Problem[] | undefined) | undefined;
  #problems: readonly Problem[] | undefined;

  /** `findInFile`: finds those of the file alone, where that is possible. */
  constructor(
    known: Omit<Tape, 'problems' | 'problemsOfFile'> & {
      readonly weight?: number | undefined;
      readonly answers?: readonly Span[] | undefined;
    },
    find: () => readonly Problem[],
    findInFile?: () => readonly Problem[] | undefined,
  ) {
    this.format = known.format;
    this.name = known.name;
    this.test = known.test;
    this.version = known.version;
    this.records = known.records;
    this.interactions = known.interactions;
    this.retainedBytes = known.weight;
    this.answers = known.answers;
    this.#find = find;
    this.#findInFile = findInFile;
  }

  get problems(): readonly Problem[] {
    this.#problems ??= this.#find();
    return this.#problems;
  }

  get problemsOfFile(): readonly Problem[] | undefined {
    return this.#findInFile?.();
  }

  toJSON(): Tape {
    const { format, name, test, version, records, interactions, problems } = this;
    return { format, name, test, version, records, interactions, problems };
  }
}

/** The tape with additional problems, in the order of the file. `findInFile`: finds those of them for which no interaction is read. */
export function withProblems(tape: Tape, find: () => readonly Problem[], findInFile = find): LazyTape {
  const weight = tape instanceof LazyTape ? tape.retainedBytes : undefined;
  return new LazyTape(
    { ...tape, weight },
    () => {
      const problems = find();
      if (problems.length === 0) return tape.problems;
      return [...tape.problems, ...problems].sort((left, right) => left.span.start - right.span.start);
    },
    () => {
      const known = tape.problemsOfFile;
      return known && [...known, ...findInFile()];
    },
  );
}

/** The number of problems reported for a tape in which every interaction is broken. */
const MAX_PROBLEMS = 20_000;

/** The problems of all interactions, which reads them all, or as many as there may be problems. */
export function interactionProblems(interactions: readonly LazyInteraction[]): Problem[] {
  const found: Problem[] = [];
  for (const { problems, source } of interactions) {
    for (const problem of problems.slice(0, MAX_PROBLEMS)) found.push(problem);
    if (found.length < MAX_PROBLEMS) continue;
    const message = t('there are more problems than are listed; the interactions after this one were not checked');
    return [
      ...found.slice(0, MAX_PROBLEMS),
      { severity: 'error', message, fix: t('Correct these first.'), span: source },
    ];
  }
  return found;
}

/** Memory of a value or name that has been accessed, with everything derived from it. */
const BYTES_PER_VALUE = 400;

/**
 * The most memory that the tree of a JSON text takes, with what is read from it, in bytes; undefined for another text.
 */
export function jsonTreeBytes(root: JsonNode): number | undefined {
  return root instanceof LazyObjectNode || root instanceof LazyArrayNode ? root.size * BYTES_PER_VALUE : undefined;
}
