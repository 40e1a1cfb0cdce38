import { createContext } from 'preact';
import { useContext, useEffect, useState } from 'preact/hooks';
import type { InteractionBody } from '../../../src/core/transcript/transcript';

type Watcher = (body: InteractionBody) => void;
type LoadBodies = (interactions: readonly number[]) => Promise<readonly InteractionBody[]>;

/**
 * The interactions on the page, and some that were on it, in full. An interaction that is watched passes through the
 * gate for fast scrolling, is requested together with others, and is delivered when there is time to render it. When the
 * tape has changed it is requested again; until then, the old body stays.
 */
export class BodyStore {
  /** The bodies of watched interactions. */
  readonly #bodies = new Map<number, InteractionBody>();
  readonly #idle = new IdleBodyCache();
  readonly #watchers = new Map<number, Set<Watcher>>();
  readonly #gate = new FastScrollGate((interaction) => this.#show(interaction));
  readonly #requests: BodyRequests;
  readonly #deliveries = new DeliveryQueue((body) => this.#deliver(body));

  constructor(load: LoadBodies, onFailure: (error: unknown) => void) {
    this.#requests = new BodyRequests((wanted) => {
      load(wanted).then((bodies) => this.#deliveries.push(bodies), onFailure);
    });
  }

  get(interaction: number): InteractionBody | undefined {
    return this.#bodies.get(interaction) ?? this.#idle.get(interaction);
  }

  /** Calls `onChange` with the body once there is time to render it, and whenever it changes. Returns the unsubscriber. */
  watch(interaction: number, onChange: Watcher): () => void {
    const watchers = this.#watchers.get(interaction) ?? new Set();
    this.#watchers.set(interaction, watchers.add(onChange));
    this.#gate.enter(interaction);
    return () => {
      watchers.delete(onChange);
      if (watchers.size === 0) this.#leave(interaction);
    };
  }

  /** Requests changed interactions again; without a list, any may have changed. */
  refresh(interactions?: readonly number[]): void {
    if (interactions === undefined) this.#idle.clear();
    for (const interaction of interactions ?? this.#watchers.keys())
      if (this.#watchers.has(interaction)) this.#requests.add(interaction);
      else this.#idle.drop(interaction);
  }

  #show(interaction: number): void {
    const known = this.get(interaction);
    if (known === undefined) this.#requests.add(interaction);
    else this.#deliveries.push([known]);
  }

  #leave(interaction: number): void {
    this.#gate.leave(interaction);
    this.#watchers.delete(interaction);
    const body = this.#bodies.get(interaction);
    this.#bodies.delete(interaction);
    if (body !== undefined) this.#idle.put(body);
  }

  #deliver(body: InteractionBody): void {
    const watchers = this.#watchers.get(body.index);
    if (watchers === undefined) return;
    const known = this.get(body.index);
    this.#idle.drop(body.index);
    const isSame = known !== undefined && (known === body || JSON.stringify(known) === JSON.stringify(body));
    const kept = isSame ? known : body;
    this.#bodies.set(body.index, kept);
    for (const watcher of watchers) watcher(kept);
  }
}

/** Collects the interactions that are wanted in one task into one request. */
class BodyRequests {
  readonly #wanted = new Set<number>();
  readonly #send: (interactions: readonly number[]) => void;

  constructor(send: (interactions: readonly number[]) => void) {
    this.#send = send;
  }

  add(interaction: number): void {
    if (this.#wanted.size === 0) queueMicrotask(() => this.#flush());
    this.#wanted.add(interaction);
  }

  #flush(): void {
    const wanted = [...this.#wanted];
    this.#wanted.clear();
    this.#send(wanted);
  }
}

/** Delivers one body per task: rendering several of them takes longer than a frame. */
class DeliveryQueue {
  readonly #bodies: InteractionBody[] = [];
  readonly #deliver: (body: InteractionBody) => void;

  constructor(deliver: (body: InteractionBody) => void) {
    this.#deliver = deliver;
  }

  push(bodies: readonly InteractionBody[]): void {
    if (this.#bodies.length === 0) this.#schedule();
    this.#bodies.push(...bodies);
  }

  #schedule(): void {
    setTimeout(() => {
      const body = this.#bodies.shift();
      if (this.#bodies.length > 0) this.#schedule();
      if (body !== undefined) this.#deliver(body);
    }, 0);
  }
}

/** UTF-16 units of text: enough to scroll back a few screens, and too little for a tape of pictures. */
const MAX_IDLE_LENGTH = 4_000_000;

interface IdleBody {
  readonly body: InteractionBody;
  readonly size: number;
}

/** Interactions that have left the page. The one that left last is kept longest. */
class IdleBodyCache {
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

/** Milliseconds; an interaction that leaves the page sooner was only scrolled past. */
const FAST_PASS_MS = 150;

/** Milliseconds that an interaction has to stay on the page during a fast scroll before it is shown. */
const STAY_MS = 100;

/**
 * Decides when an interaction that comes onto the page is shown: at once, or, during a fast scroll, when it has stayed for
 * a while. An interaction that is only scrolled past cannot be read, and rendering it would leave garbage by the hundred
 * megabytes.
 */
class FastScrollGate {
  /** When each interaction came onto the page. */
  readonly #entered = new Map<number, number>();
  readonly #show: (interaction: number) => void;
  /** Interactions of the current task, which wait together. */
  #waiting: number[] = [];
  #isFastUntil = 0;

  constructor(show: (interaction: number) => void) {
    this.#show = show;
  }

  enter(interaction: number): void {
    const now = performance.now();
    if (!this.#entered.has(interaction)) this.#entered.set(interaction, now);
    if (now < this.#isFastUntil) this.#wait(interaction);
    else this.#show(interaction);
  }

  leave(interaction: number): void {
    const now = performance.now();
    if (now - (this.#entered.get(interaction) ?? 0) < FAST_PASS_MS) this.#isFastUntil = now + STAY_MS;
    this.#entered.delete(interaction);
  }

  #wait(interaction: number): void {
    if (this.#waiting.length === 0) queueMicrotask(() => this.#startTimer());
    this.#waiting.push(interaction);
  }

  #startTimer(): void {
    const waiting = new Set(this.#waiting);
    this.#waiting = [];
    setTimeout(() => {
      for (const interaction of waiting) if (this.#entered.has(interaction)) this.#show(interaction);
    }, STAY_MS);
  }
}

export const BodiesContext = createContext<BodyStore | undefined>(undefined);

/** An interaction in full; undefined until it is there and there is time to render it. */
export function useBody(interaction: number): InteractionBody | undefined {
  const bodies = useContext(BodiesContext);
  const [body, setBody] = useState<InteractionBody>();
  useEffect(() => bodies?.watch(interaction, setBody), [bodies, interaction]);
  return body;
}
