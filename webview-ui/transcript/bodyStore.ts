import type { InteractionBody } from '../../src/core/transcript/transcript';
import { IdleBodies } from './idleBodies';

type Watcher = (body: InteractionBody) => void;
type Fetch = (interactions: readonly number[]) => Promise<readonly InteractionBody[]>;

/**
 * The interactions that are on the page, and some that were, in full. They are asked for together, once, and again when
 * the tape has changed; until the new ones are there, the old ones stay.
 */
export class BodyStore {
  /** Those that somebody watches. */
  readonly #bodies = new Map<number, InteractionBody>();
  readonly #idle = new IdleBodies();
  readonly #watchers = new Map<number, Set<Watcher>>();
  readonly #wanted = new Set<number>();
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
    const known = this.get(interaction);
    if (known === undefined) this.#want(interaction);
    else this.#arrive([known]);
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

  #leave(interaction: number): void {
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
