import type { HttpHeader } from '../../core/model/http';

/** One end of a talk: a WebSocket is one as it is, and a call of gRPC is made to be one. */
export interface TalkLine {
  /** 1 while it is open. */
  readonly readyState: number;
  readonly bufferedAmount: number;
  readonly isPaused: boolean;
  on(event: 'message', listener: (data: Buffer, isBinary: boolean) => void): unknown;
  /** Of gRPC: this end has no further message. */
  on(event: 'last', listener: () => void): unknown;
  once(event: 'close', listener: (code: number, reason: Buffer, trailers?: readonly HttpHeader[]) => void): unknown;
  send(data: Buffer | string, options: { binary: boolean }, done?: (error?: Error | null) => void): void;
  /** Tells the other that no further message comes. */
  finish?(): void;
  close(code?: number, reason?: string, trailers?: readonly HttpHeader[]): void;
  /** Breaks the connection off. */
  terminate(): void;
  pause(): void;
  resume(): void;
}
