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
  /** The connection ended, with the reason where it was not meant to. */
  close(reason?: string): void;
  readonly turns: readonly Omit<Interaction, 'index'>[];
}
