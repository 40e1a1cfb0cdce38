import type { JsonRecord } from '../../json/json';
import type { Interaction } from '../../model/interaction';
import type { Span } from '../../text/source';

/** A message of a WebSocket as a session reads it. */
export interface SocketEvent {
  readonly direction: 'sent' | 'received';
  readonly data: JsonRecord;
  readonly source: Span;
}

/** A turn: the messages sent since the last response, and the response. */
export type Turn = Omit<Interaction, 'index'>;

/** The turns of a session. */
export interface RealtimeSession {
  take(event: SocketEvent): void;
  /** Ends the session with the connection, with the reason if that was unexpected. */
  close(reason?: string): void;
  readonly turns: readonly Turn[];
}
