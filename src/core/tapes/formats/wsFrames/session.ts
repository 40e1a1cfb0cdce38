import type { JsonRecord } from '../../../json/json';
import type { Interaction } from '../../../model/interaction';
import type { Span } from '../../../text/source';

/** A frame as a session reads it. */
export interface WsFrame {
  readonly direction: 'sent' | 'received';
  readonly data: JsonRecord;
  readonly source: Span;
}

/** The turns of a session. */
export interface WsSession {
  take(frame: WsFrame): void;
  /** Ends the session with the connection, with the reason if that was unexpected. */
  close(reason?: string): void;
  readonly turns: readonly Omit<Interaction, 'index'>[];
}
