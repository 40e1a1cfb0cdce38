import { type ClientRequest, type IncomingMessage, STATUS_CODES } from 'node:http';
import { bodyFromBytes, decodeContent } from '../../core/wire/body/body';
import { errorCode } from '../errors/systemError';
import { startRequest } from './outgoing';
import type { NetworkPolicy } from './policy';

/** More than any response of a model; a server that does not stop must not fill the memory. */
const MAX_RESPONSE_BYTES = 64 * 1024 * 1024;

interface PostOptions {
  readonly policy: NetworkPolicy;
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** How long the connection may carry no byte. */
  readonly idleTimeoutMs: number;
  readonly signal: AbortSignal;
}

/** A failed connection. The caller explains what that means for the user. */
export class ExchangeError extends Error {
  constructor(
    readonly reason: 'silent' | 'unreachable' | 'broken' | 'endless',
    message: string,
    /** Of the body. */
    readonly received: number,
    /** Such as "ECONNREFUSED". */
    readonly code: string | undefined,
  ) {
    super(message);
  }
}

/**
 * Posts over a connection of its own, and resolves when the head of the response is there. Rejects with an
 * `ExchangeError`, or the signal's reason.
 */
export async function post(options: PostOptions): Promise<HttpResponse> {
  options.signal.throwIfAborted();
  // Throws if the policy forbids the request, which is no failure of a connection.
  const connection = new Connection(options);
  try {
    return new HttpResponse(connection, await connection.head);
  } catch (error) {
    connection.close();
    throw connection.explain(error, 'unreachable', 0);
  }
}

class Connection {
  readonly head: Promise<IncomingMessage>;
  readonly #request: ClientRequest;
  readonly #signal: AbortSignal;
  #silent = false;
  readonly #abort = () => this.#request.destroy();

  constructor({ policy, url, headers, body, idleTimeoutMs, signal }: PostOptions) {
    const length = String(Buffer.byteLength(body));
    this.#request = startRequest(policy, 'provider', url, {
      method: 'POST',
      headers: { ...headers, 'content-length': length },
    });
    this.#request.setTimeout(idleTimeoutMs, () => {
      this.#silent = true;
      this.#request.destroy();
    });
    this.#signal = signal;
    signal.addEventListener('abort', this.#abort, { once: true });
    this.head = new Promise((resolve, reject) => {
      this.#request.on('response', resolve);
      this.#request.on('error', reject);
    });
    this.#request.end(body);
  }

  close(): void {
    this.#signal.removeEventListener('abort', this.#abort);
    this.#request.destroy();
  }

  /** The cause of an error, where the socket only reports that it was closed. */
  explain(error: unknown, reason: ExchangeError['reason'], received: number): unknown {
    if (this.#signal.aborted) return this.#signal.reason;
    if (error instanceof ExchangeError) return error;
    const message = error instanceof Error ? error.message : String(error);
    return new ExchangeError(this.#silent ? 'silent' : reason, message, received, errorCode(error));
  }
}

/** A response whose body is still being received. Its owner closes it. */
export class HttpResponse {
  readonly status: number;
  readonly contentType: string;
  readonly #connection: Connection;
  readonly #message: IncomingMessage;
  #received = 0;

  constructor(connection: Connection, message: IncomingMessage) {
    this.#connection = connection;
    this.#message = message;
    this.status = message.statusCode ?? 0;
    this.contentType = message.headers['content-type'] ?? '';
  }

  /** The standard's name of the status. */
  get statusName(): string | undefined {
    return STATUS_CODES[this.status];
  }

  /** Bytes of the body so far. */
  get received(): number {
    return this.#received;
  }

  header(name: string): string | undefined {
    const value = this.#message.headers[name];
    return Array.isArray(value) ? value[0] : value;
  }

  /** The body as text, as it comes in. Throws as `post` rejects. */
  async *chunks(): AsyncGenerator<string> {
    const decoder = new TextDecoder();
    for await (const chunk of this.#pieces()) yield decoder.decode(chunk, { stream: true });
  }

  /** The whole body, decompressed: some servers compress what nobody asked them to. Rejects as `post` does. */
  async body(): Promise<Uint8Array> {
    const chunks: Buffer[] = [];
    for await (const chunk of this.#pieces()) chunks.push(chunk);
    const encoding = this.header('content-encoding') ?? '';
    const { bytes, problems } = decodeContent(bodyFromBytes(Buffer.concat(chunks)), [['content-encoding', encoding]]);
    const [problem] = problems;
    if (problem === undefined) return bytes;
    throw new ExchangeError('broken', problem, this.#received, undefined);
  }

  async *#pieces(): AsyncGenerator<Buffer> {
    try {
      for await (const chunk of this.#message as AsyncIterable<Buffer>) {
        this.#received += chunk.length;
        if (this.#received > MAX_RESPONSE_BYTES)
          throw new ExchangeError('endless', 'too long', this.#received, undefined);
        yield chunk;
      }
    } catch (error) {
      throw this.#connection.explain(error, 'broken', this.#received);
    }
  }

  close(): void {
    this.#connection.close();
  }
}
