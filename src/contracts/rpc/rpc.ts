/** A method that one end serves: it is called only with what it accepts. */
export interface Method {
  accepts(params: unknown): boolean;
  run(params: never, signal: AbortSignal): unknown;
}

export interface Channel {
  send(message: unknown): void;
  /** Returns the unsubscriber. */
  onMessage(listener: (message: unknown) => void): () => void;
}

const CODES = ['unknown-method', 'invalid-params', 'failed', 'timeout', 'closed', 'cancelled'] as const;
export type RpcErrorCode = (typeof CODES)[number];

export class RpcError extends Error {
  constructor(
    readonly code: RpcErrorCode,
    message: string,
  ) {
    super(message);
    this.name = 'RpcError';
  }
}

export interface CallOptions {
  /** In milliseconds; absent for no limit. */
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal;
}

interface Pending {
  resolve(value: unknown): void;
  reject(error: RpcError): void;
}

type Envelope =
  | { readonly v: 1; readonly id: number; readonly method: string; readonly params?: unknown }
  | { readonly v: 1; readonly id: number; readonly ok: unknown }
  | { readonly v: 1; readonly id: number; readonly error: { readonly code: string; readonly message: string } }
  | { readonly v: 1; readonly cancel: number }
  | { readonly v: 1; readonly event: string; readonly params?: unknown };

/**
 * One end of a channel that carries JSON values in order: the engine's stdio, a thread's port, a webview's postMessage. It serves
 * methods, calls those of the other end, and sends and receives events. Every failure (unknown method, wrong argument, exception,
 * timeout, closed channel) rejects with a code. `contract.ts` gives calls their types.
 */
export class RpcPeer {
  #nextId = 1;
  #closed = false;
  readonly #channel: Channel;
  readonly #methods: Readonly<Record<string, Method>>;
  readonly #pending = new Map<number, Pending>();
  readonly #running = new Map<number, AbortController>();
  readonly #listeners = new Map<string, Set<(params: unknown) => void>>();
  readonly #unsubscribe: () => void;

  constructor(channel: Channel, methods: Readonly<Record<string, Method>> = {}) {
    this.#channel = channel;
    this.#methods = methods;
    this.#unsubscribe = channel.onMessage((message) => this.#receive(message));
  }

  call(method: string, params: unknown, { timeoutMs, signal }: CallOptions = {}): Promise<unknown> {
    if (this.#closed) return Promise.reject(new RpcError('closed', `${method}: the connection is closed`));
    if (signal?.aborted) return Promise.reject(new RpcError('cancelled', `${method}: cancelled`));
    const id = this.#nextId++;
    const { promise, resolve, reject } = deferred();
    const cancel = (): void => this.#trySend({ v: 1, cancel: id });
    const timer =
      timeoutMs === undefined ? undefined : setTimeout(() => this.#expire(id, method, timeoutMs), timeoutMs);
    signal?.addEventListener('abort', cancel);
    this.#pending.set(id, { resolve, reject });
    try {
      this.#send({ v: 1, id, method, params });
    } catch (error) {
      reject(new RpcError('failed', `${method}: ${messageOf(error)}`));
    }
    return promise.finally(() => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', cancel);
      this.#pending.delete(id);
    });
  }

  emit(event: string, params?: unknown): void {
    if (!this.#closed) this.#send({ v: 1, event, params });
  }

  /** Listens to one event of the other end. Returns the unsubscriber. */
  on(event: string, listener: (params: unknown) => void): () => void {
    const listeners = this.#listeners.get(event) ?? new Set();
    this.#listeners.set(event, listeners.add(listener));
    return () => listeners.delete(listener);
  }

  /** Rejects all pending calls and cancels those that run here. */
  close(reason = 'the connection is closed'): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#unsubscribe();
    for (const { reject } of this.#pending.values()) reject(new RpcError('closed', reason));
    for (const controller of this.#running.values()) controller.abort();
  }

  #send(message: Envelope): void {
    this.#channel.send(message);
  }

  /** For messages whose loss does no harm. A channel that cannot send has ended, and its owner closes this peer. */
  #trySend(message: Envelope): void {
    try {
      this.#send(message);
    } catch {
      return;
    }
  }

  #expire(id: number, method: string, timeoutMs: number): void {
    this.#trySend({ v: 1, cancel: id });
    this.#pending.get(id)?.reject(new RpcError('timeout', `${method}: no response within ${timeoutMs} ms`));
  }

  #receive(message: unknown): void {
    if (!isEnvelope(message)) return;
    if ('method' in message) void this.#serve(message.id, message.method, message.params);
    else if ('cancel' in message) this.#running.get(message.cancel)?.abort();
    else if ('event' in message)
      for (const listener of this.#listeners.get(message.event) ?? []) listener(message.params);
    else if ('ok' in message) this.#pending.get(message.id)?.resolve(message.ok);
    else this.#pending.get(message.id)?.reject(remoteError(message.error));
  }

  async #serve(id: number, method: string, params: unknown): Promise<void> {
    const controller = new AbortController();
    this.#running.set(id, controller);
    try {
      const ok = await this.#invoke(method, params, controller.signal);
      if (!this.#closed) this.#send({ v: 1, id, ok: ok ?? null });
    } catch (error) {
      const code = error instanceof RpcError ? error.code : controller.signal.aborted ? 'cancelled' : 'failed';
      if (!this.#closed) this.#trySend({ v: 1, id, error: { code, message: messageOf(error) } });
    } finally {
      this.#running.delete(id);
    }
  }

  #invoke(method: string, params: unknown, signal: AbortSignal): unknown {
    const served = Object.hasOwn(this.#methods, method) ? this.#methods[method] : undefined;
    if (served === undefined) throw new RpcError('unknown-method', `there is no method ${method}`);
    if (!served.accepts(params)) throw new RpcError('invalid-params', `${method}: invalid parameters`);
    return served.run(params as never, signal);
  }
}

function remoteError({ code, message }: { readonly code: string; readonly message: string }): RpcError {
  return new RpcError(CODES.find((known) => known === code) ?? 'failed', message);
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function deferred(): { promise: Promise<unknown> } & Pending {
  let resolve: Pending['resolve'] = () => undefined;
  let reject: Pending['reject'] = () => undefined;
  const promise = new Promise<unknown>((onValue, onError) => {
    resolve = onValue;
    reject = onError;
  });
  return { promise, resolve, reject };
}

function isEnvelope(value: unknown): value is Envelope {
  if (!isObject(value) || value.v !== 1) return false;
  if ('cancel' in value) return typeof value.cancel === 'number';
  if ('event' in value) return typeof value.event === 'string';
  if (typeof value.id !== 'number') return false;
  if ('method' in value) return typeof value.method === 'string';
  if ('error' in value) return isObject(value.error) && typeof value.error.message === 'string';
  return 'ok' in value;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
