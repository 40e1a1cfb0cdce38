import { createContext } from 'preact';
import { useContext, useEffect, useState } from 'preact/hooks';
import type { InteractionBody } from '../../../src/core/transcript/transcript';

type Watcher = (body: InteractionBody) => void;
type Fetch = (interactions: readonly number[]) => Promise<readonly InteractionBody[]>;

/** What leaves the page sooner than this, in milliseconds, has only been passed. */
const FAST_PASS_MS = 150;
/** While much is passed, what comes has to stay this long, in milliseconds, before it is filled. */
const STAY_MS = 100;

/**
 * The interactions that are on the page, and some that were, in full. They are asked for together, once, and again when
 * the tape has changed; until the new ones are there, the old ones stay. What a fast scroll only passes is not filled: it
 * could not be read, and its elements would be garbage by the hundred megabytes.
 */
export class BodyStore {
  /** Those that somebody watches. */
  readonly #bodies = new Map<number, InteractionBody>();
  readonly #idle = new IdleBodyCache();
  readonly #watchers = new Map<number, Set<Watcher>>();
  readonly #wanted = new Set<number>();
  /** When each came onto the page. */
  readonly #since = new Map<number, number>();
  #passingUntil = 0;
  #coming: number[] = [];
  #arrived: InteractionBody[] = [];
  readonly #fetch: Fetch;
  readonly #onFailure: (error: unknown) => void;

  constructor(fetch: Fetch, onFailure: (error: unknown) => void) {
    this.#fetch = fetch;
    this.#onFailure = onFailure;
  }

  get(interaction: number): InteractionBody | undefined {
    return this.#bodies.get(interaction) ?? this.#idle.get(interaction);
  }

  /** Tells `onChange` of the body, when there is time to render it, and of every other after it. Returns what ends that. */
  watch(interaction: number, onChange: Watcher): () => void {
    const watchers = this.#watchers.get(interaction) ?? new Set();
    this.#watchers.set(interaction, watchers.add(onChange));
    if (!this.#since.has(interaction)) this.#since.set(interaction, performance.now());
    if (performance.now() < this.#passingUntil) this.#come(interaction);
    else this.#show(interaction);
    return () => {
      watchers.delete(onChange);
      if (watchers.size === 0) this.#leave(interaction);
    };
  }

  /** These have changed; without a list, any may have. */
  refresh(interactions?: readonly number[]): void {
    if (interactions === undefined) this.#idle.clear();
    for (const interaction of interactions ?? this.#watchers.keys())
      if (this.#watchers.has(interaction)) this.#want(interaction);
      else this.#idle.drop(interaction);
  }

  #show(interaction: number): void {
    const known = this.get(interaction);
    if (known === undefined) this.#want(interaction);
    else this.#arrive([known]);
  }

  /** Those that come together wait together. */
  #come(interaction: number): void {
    if (this.#coming.length === 0) queueMicrotask(() => this.#wait());
    this.#coming.push(interaction);
  }

  #wait(): void {
    const coming = new Set(this.#coming);
    this.#coming = [];
    setTimeout(() => {
      for (const interaction of coming) if (this.#isWatched(interaction)) this.#show(interaction);
    }, STAY_MS);
  }

  #leave(interaction: number): void {
    const now = performance.now();
    if (now - (this.#since.get(interaction) ?? 0) < FAST_PASS_MS) this.#passingUntil = now + STAY_MS;
    this.#since.delete(interaction);
    this.#watchers.delete(interaction);
    const body = this.#bodies.get(interaction);
    this.#bodies.delete(interaction);
    if (body !== undefined) this.#idle.put(body);
  }

  #want(interaction: number): void {
    if (this.#wanted.size === 0) queueMicrotask(() => this.#ask());
    this.#wanted.add(interaction);
  }

  #ask(): void {
    const wanted = [...this.#wanted];
    this.#wanted.clear();
    this.#fetch(wanted).then((bodies) => this.#arrive(bodies), this.#onFailure);
  }

  #arrive(bodies: readonly InteractionBody[]): void {
    if (this.#arrived.length === 0) setTimeout(() => this.#deliver(), 0);
    this.#arrived.push(...bodies);
  }

  /** One interaction a task: what each of them takes to render adds up to more than a frame. */
  #deliver(): void {
    const body = this.#arrived.shift();
    if (body !== undefined && this.#isWatched(body.index)) this.#take(body);
    if (this.#arrived.length > 0) setTimeout(() => this.#deliver(), 0);
  }

  #isWatched(interaction: number): boolean {
    return this.#watchers.has(interaction);
  }

  #take(body: InteractionBody): void {
    const known = this.get(body.index);
    this.#idle.drop(body.index);
    const isSame = known !== undefined && (known === body || JSON.stringify(known) === JSON.stringify(body));
    const kept = isSame ? known : body;
    this.#bodies.set(body.index, kept);
    for (const tell of this.#watchers.get(body.index) ?? []) tell(kept);
  }
}

/** So much is kept of what nobody looks at, in UTF-16 units: to go back over a few screens, and not a tape of pictures. */
const MAX_IDLE_LENGTH = 4_000_000;

interface IdleBody {
  readonly body: InteractionBody;
  readonly size: number;
}

/** Interactions that have left the page. What left it last stays longest. */
export class IdleBodyCache {
  readonly #idle = new Map<number, IdleBody>();
  #size = 0;

  get(interaction: number): InteractionBody | undefined {
    return this.#idle.get(interaction)?.body;
  }

  put(body: InteractionBody): void {
    this.drop(body.index);
    const size = textLength(body);
    this.#idle.set(body.index, { body, size });
    this.#size += size;
    for (const interaction of this.#idle.keys()) {
      if (this.#size <= MAX_IDLE_LENGTH) return;
      this.drop(interaction);
    }
  }

  drop(interaction: number): void {
    this.#size -= this.#idle.get(interaction)?.size ?? 0;
    this.#idle.delete(interaction);
  }

  clear(): void {
    this.#idle.clear();
    this.#size = 0;
  }
}

/** The length of all texts in plain data. */
function textLength(value: unknown): number {
  if (typeof value === 'string') return value.length;
  if (typeof value !== 'object' || value === null) return 0;
  return Object.values(value).reduce<number>((sum, member) => sum + textLength(member), 0);
}

export const BodiesContext = createContext<BodyStore | undefined>(undefined);

/** An interaction in full, as soon as it is there and there is time to render it. */
export function useBody(interaction: number): InteractionBody | undefined {
  const bodies = useContext(BodiesContext);
  const [body, setBody] = useState<InteractionBody>();
  useEffect(() => bodies?.watch(interaction, setBody), [bodies, interaction]);
  return body;
}
