import { accepts } from '../core/schema/accepts';
import type { Schema, Value } from '../core/schema/schema';
import { type CallOptions, type Channel, RpcPeer } from './rpc/rpc';

/**
 * What two processes say to each other, once: both ends derive from it, and neither compiles without all of it. One end serves, the
 * other one connects.
 */
export interface Contract {
  /** What the connecting end asks. */
  readonly calls: Calls;
  /** What the serving end asks in return. */
  readonly callbacks?: Calls;
  /** What the serving end shows. The connecting end gets it whole, and then each part that changes. */
  readonly state?: Schema;
  /** What the serving end says without being asked: what has happened, or what a page is to do. */
  readonly events?: Readonly<Record<string, Schema>>;
}

export type Calls = Readonly<Record<string, Call>>;

/** One call: the schema of its argument, and the type of its result, which the other end of the same build is trusted with. */
export interface Call<P = unknown, R = unknown> {
  readonly params: Schema<P>;
  readonly [RESULT]?: R;
}

declare const RESULT: unique symbol;

export function call<P, R>(params: Schema<P>, _result: Returns<R>): Call<P, R> {
  return { params };
}

interface Returns<R> {
  readonly [RESULT]?: R;
}

export const returns = <R>(): Returns<R> => ({});

export type Params<C> = C extends Call<infer P> ? P : never;
export type Result<C> = C extends Call<never, infer R> | Call<unknown, infer R> ? R : never;

/** Calls as the end that serves them implements them. A call that returns early on `signal` was cancelled. */
export type Handlers<C extends Calls> = {
  readonly [M in keyof C]: (params: Params<C[M]>, signal: AbortSignal) => Promise<Result<C[M]>>;
};

/** Calls as the other end makes them. */
export type Caller<C extends Calls> = {
  readonly [M in keyof C]: (params: Params<C[M]>, options?: CallOptions) => Promise<Result<C[M]>>;
};

type EventsOf<C extends Contract> = NonNullable<C['events']>;
type CallbacksOf<C extends Contract> = NonNullable<C['callbacks']>;
type StateOf<C extends Contract> = C['state'] extends Schema<infer S> ? S : undefined;

export function contract<const C extends Contract>(one: C): C {
  return one;
}

/** The serving end of a contract. */
export interface Served<C extends Contract> {
  readonly callbacks: Caller<CallbacksOf<C>>;
  /** Sets parts of the state, which the other end is told, once it has asked for it. */
  patch(part: { readonly [K in keyof StateOf<C>]?: StateOf<C>[K] | undefined }): void;
  emit<E extends keyof EventsOf<C> & string>(event: E, value: Value<EventsOf<C>[E]>): void;
  /** Rejects all pending calls, and cancels those that run here. */
  close(reason?: string): void;
}

/** Serves a contract. What the other end asks before this returns is answered after it. */
export function serve<const C extends Contract>(
  { calls, callbacks = {} }: C,
  channel: Channel,
  handlers: Handlers<C['calls']>,
): Served<C> {
  let state: Readonly<Record<string, unknown>> = {};
  let isAsked = false;
  const tellState = (): void => {
    isAsked = true;
    // Not as the result of the call, which is sent later: a part that was patched meanwhile would arrive before it.
    peer.emit(STATE, state);
  };
  const peer = new RpcPeer(channel, { ...served(calls, handlers), [STATE]: { accepts: () => true, run: tellState } });
  return {
    callbacks: callerOf(callbacks, peer) as Caller<CallbacksOf<C>>,
    patch(part) {
      state = { ...state, ...part };
      if (isAsked) peer.emit(STATE, part);
    },
    emit: (event, value) => peer.emit(event, value),
    close: (reason) => peer.close(reason),
  };
}

/** The connecting end of a contract. */
export interface Connected<C extends Contract> {
  readonly calls: Caller<C['calls']>;
  readonly state: Shown<StateOf<C>>;
  /** What does not fit the event's schema is dropped. Returns the unsubscriber. */
  on<E extends keyof EventsOf<C> & string>(event: E, listener: (value: Value<EventsOf<C>[E]>) => void): () => void;
  close(reason?: string): void;
}

/** The state that the serving end shows: asked for by the first who looks at it. */
export interface Shown<S> {
  /** The parts that have arrived. */
  readonly current: Partial<S>;
  /** Returns the unsubscriber. */
  subscribe(listener: (state: Partial<S>) => void): () => void;
}

/** Connects to who serves a contract, and serves its callbacks. */
export function connect<const C extends Contract>(
  { calls, callbacks = {}, state, events = {} }: C,
  channel: Channel,
  ...[handlers]: C['callbacks'] extends Calls ? [handlers: Handlers<C['callbacks']>] : []
): Connected<C> {
  const peer = new RpcPeer(channel, served(callbacks, handlers ?? {}));
  return {
    calls: callerOf(calls, peer) as Caller<C['calls']>,
    state: new ShownState(peer, state) as unknown as Shown<StateOf<C>>,
    on(event, listener) {
      const schema = events[event] as Schema<Value<EventsOf<C>[typeof event]>>;
      return peer.on(event, (value) => {
        if (accepts(schema, value)) listener(value);
      });
    },
    close: (reason) => peer.close(reason),
  };
}

/** No call or event of a contract has this name. */
const STATE = '~state';

class ShownState {
  current: Readonly<Record<string, unknown>> = {};
  readonly #listeners = new Set<(state: Readonly<Record<string, unknown>>) => void>();
  #isAsked = false;

  constructor(
    private readonly peer: RpcPeer,
    private readonly schema: Schema = { description: '' },
  ) {}

  subscribe(listener: (state: Readonly<Record<string, unknown>>) => void): () => void {
    this.#listeners.add(listener);
    if (!this.#isAsked) this.#ask();
    return () => this.#listeners.delete(listener);
  }

  #ask(): void {
    this.#isAsked = true;
    this.peer.on(STATE, (part) => this.#merge(part));
    // A closed channel has no state to show.
    this.peer.call(STATE, undefined).catch(() => undefined);
  }

  #merge(part: unknown): void {
    const state = { ...this.current, ...(part as object) };
    if (!accepts({ ...this.schema, required: [] }, state)) return;
    this.current = state;
    for (const listener of this.#listeners) listener(state);
  }
}

function served(calls: Calls, handlers: Readonly<Record<string, (params: never, signal: AbortSignal) => unknown>>) {
  return Object.fromEntries(
    Object.entries(calls).flatMap(([method, { params }]) => {
      const run = handlers[method];
      return run === undefined ? [] : [[method, { accepts: (value: unknown) => accepts(params, value), run }] as const];
    }),
  );
}

function callerOf(calls: Calls, peer: RpcPeer): Caller<Calls> {
  const asked = (method: string) => (params: unknown, options?: CallOptions) => peer.call(method, params, options);
  return Object.fromEntries(Object.keys(calls).map((method) => [method, asked(method)]));
}

/** What answers calls that cannot be cancelled: an object of this process, or the other end of a contract. */
export type Answers<C extends Calls> = {
  readonly [M in keyof C]: (params: Params<C[M]>) => Promise<Result<C[M]>>;
};

/** Handlers that hand each of these calls to the object that `find` loads, or chooses, for it. */
export function forward<const C extends Calls>(calls: C, find: () => Answers<C> | Promise<Answers<C>>): Answers<C> {
  const to = (method: keyof C) => async (params: never) => {
    const target = await find();
    return target[method](params);
  };
  return Object.fromEntries(Object.keys(calls).map((method) => [method, to(method)])) as unknown as Answers<C>;
}
