import type { Json, JsonRecord } from '../json/json';
import type { JsonPath } from '../json/jsonPath';
import type { ProtocolId } from '../model/interaction';
import type { ChatRequest, ChatResponse } from '../model/message';

/** A frame of a stream. */
export interface StreamEvent {
  /** The name it was sent under. */
  readonly event?: string;
  readonly data: string;
  /** The object in the data; empty where the data is none. */
  readonly json: JsonRecord;
}

/**
 * A protocol, as one file knows it. The readers take whatever is there: what they do not understand becomes an
 * `unknown` part, what is missing is left out. Nothing throws.
 */
export interface Protocol {
  readonly id: ProtocolId;
  readonly kind: 'llm' | 'embedding';
  /** Matches the path of an address at which only this protocol is served. */
  readonly path: RegExp;
  /** Matches paths that others serve as well: the bodies decide. */
  readonly sharedPath?: RegExp;
  /** Matches paths from which an answer is fetched when it is there, with GET. */
  readonly pollingPath?: RegExp;
  isRequest(body: Json): boolean;
  isResponse(body: Json): boolean;
  isEvent(event: StreamEvent): boolean;
  readRequest(body: JsonRecord): ChatRequest;
  readResponse(body: Json): ChatResponse;
  /** Puts the pieces of a stream together: into the answer as the protocol sends it when nobody asks for a stream. */
  join(events: readonly StreamEvent[]): JsonRecord;
}

/** A string in an answer that is text of the answer, or a piece of it. */
export interface TextSite {
  readonly path: JsonPath;
  readonly text: string;
}

/** A piece of the text in a frame. Streams may tell the same text several times: in deltas, and at the end as a whole. */
export interface StreamSite extends TextSite {
  readonly frame: number;
  /** Sites of one telling are pieces of one text. */
  readonly telling: string;
  /** Pieces of one segment belong together, even where those of another come in between. */
  readonly segment: string;
}

export type PieceSite = Omit<StreamSite, 'frame'>;
/** Gives the sites of one frame after the other. */
export type StreamSiteReader = (event: StreamEvent, frame: number) => readonly PieceSite[];
