import type { Json, JsonRecord } from '../json/json';
import type { JsonPath } from '../json/jsonPath';
import type { ProtocolId, Timing } from '../model/interaction';
import type { ChatRequest, ChatResponse } from '../model/message';

/**
 * The definition of one wire protocol. To add a protocol, write a folder that exports such an object, and list it in
 * `registry.ts`.
 *
 * Readers are total: an unsupported part becomes an `unknown` part, a missing member is left out, and nothing throws.
 */
export interface Protocol {
  readonly id: ProtocolId;
  readonly kind: 'llm' | 'embedding';

  readonly endpoints: ProtocolEndpoints;
  isRequest(body: Json): boolean;
  isResponse(body: Json): boolean;
  isEvent(event: StreamEvent): boolean;

  readonly members: RequestMembers;
  /** What a provider keeps of a request, so that it need not read the same beginning again. Absent if it is not known to. */
  readonly cache?: PromptCache;
  /**
   * Parameters that name a request, its user or its conversation, by which calls differ that are otherwise the same. Names that
   * end in `_id` need no entry.
   */
  readonly requestIds?: readonly string[];
  /**
   * The ids of tool calls in a request, as JSON pointers in which `*` stands for any key. They only say which result belongs to which
   * call, and some clients make up new ones for each request.
   */
  readonly callIds?: readonly string[];
  /**
   * What only the result of a tool has, as such pointers: the element of a list in which it is found is one. Agents that run tools at
   * once send their results in the order in which they come.
   */
  readonly results?: readonly string[];
  /** A result can say that its tool failed. Elsewhere it is a text like any other. */
  readonly marksToolErrors?: true;
  /** What a member of a request is where it is absent, as the provider documents it, by JSON pointer; the innermost come first. */
  readonly defaults?: Readonly<Record<string, Json>>;

  readRequest(body: JsonRecord): ChatRequest;
  readResponse(body: Json): ChatResponse;
  /**
   * Whether an event is one with which a complete stream ends, or comes close to its end. A stream without such an event was
   * cut off. Absent if streams end without one.
   */
  endsStream?(event: StreamEvent): boolean;
  /** Joins the events of a stream into the response that the protocol sends when no stream is requested. */
  joinStream(events: readonly StreamEvent[]): JsonRecord;
  /** Writes an error as the provider does, so that its SDKs raise it with the message. */
  writeError(error: ApiError): WrittenError;
  /** The durations that a response reports about itself. */
  reportedTiming?(response: Json): Timing;

  /** The strings that make up the text of an unstreamed response, in order. Absent: the text cannot be edited. */
  textSites?(response: Json): readonly TextSite[];
  /** The same for a stream: a reader that is called with each event in turn. */
  streamTextSites?(events: readonly StreamEvent[]): StreamSiteReader;
  /** The bodies of a new, unstreamed call. Absent: no call can be added. `model` is `{}` or `{ model }`. */
  blankBodies?(model: JsonRecord): BlankBodies;
  /** The URL of the same call without streaming, for protocols that request a stream in the URL. Other URLs stay as they are. */
  unstreamedUrl?(url: string): string;
}

/** The URL paths of a protocol. `endpoints.ts` makes one table of them all. */
interface ProtocolEndpoints {
  /** Paths at which only this protocol is served. */
  readonly own?: readonly PathGroup[];
  /** Matches such paths where no list can say what they are. */
  readonly ownPattern?: RegExp;
  /** Matches paths that other protocols share; the bodies decide. */
  readonly shared?: RegExp;
  /** Matches paths from which a response is fetched later, with GET. */
  readonly polling?: RegExp;
  /** Other paths of the same API: those that are shared, and those of what it stores, counts or lists. */
  readonly others?: readonly PathGroup[];
  /**
   * Match the model in a path, in their only group and with the flag `d`. They count for every protocol, because hosts serve
   * several of them below the same paths.
   */
  readonly models?: readonly RegExp[];
}

export interface PathGroup {
  /**
   * The base of the API that may precede the paths. `any`: whatever it is, because no other service has such paths. `api`: one
   * that ends in a version or in the name of an API, because other services have such paths too.
   */
  readonly below: 'any' | 'api';
  /** `{id}` stands for any one segment, `{model}` for a model. */
  readonly paths: readonly string[];
}

/**
 * The members of a request that are compared and edited as parts of their own. A path of several names leads through objects.
 * The model needs none: it is in `model` where it is in the body.
 */
export interface RequestMembers {
  /** They hold a system prompt, outside of the messages. */
  readonly system?: readonly JsonPath[];
  /** Where a system prompt is added to a request without one, and what is written there: by default, its text. */
  readonly newSystem?: { readonly path: JsonPath; value?(text: string): Json };
  /** The first of `messages` is a list that may begin with a system prompt; one is rather added there. */
  readonly hasSystemMessages?: true;
  /** They hold messages, or a single one, in the order of the conversation. */
  readonly messages: readonly JsonPath[];
  /** They hold lists of tools. One is added in the first place. */
  readonly tools?: readonly JsonPath[];
  /** They choose among tools, and are an error without any. */
  readonly toolSettings?: readonly JsonPath[];
  /** The names of the members that hold the result of a tool. */
  readonly toolResults?: readonly string[];
}

interface PromptCache {
  /** The parameters that are a part of the beginning, as the tools and messages are. */
  readonly parameters?: readonly string[];
  /** Members of tools and messages that say up to where it is to be kept, and move with each request. */
  readonly markers?: readonly string[];
  /** Requests are kept without being asked for. */
  readonly isAutomatic?: true;
}

export interface ApiError {
  /** The status of the response. */
  readonly status: number;
  /** For programs, such as `tapedeck_no_recording`. */
  readonly code: string;
  readonly message: string;
}

export interface WrittenError {
  readonly body: Json;
  readonly headers?: Readonly<Record<string, string>>;
}

/** One frame of a stream. */
export interface StreamEvent {
  /** The event name, where the framing has one. */
  readonly event?: string;
  readonly data: string;
  /** The parsed data; empty unless the data is a JSON object. */
  readonly json: JsonRecord;
}

/** A string in a response that holds the response's text, or a piece of it. */
export interface TextSite {
  readonly path: JsonPath;
  readonly text: string;
}

/** A text site in one event. A stream may carry the same text several times: in deltas, then as a whole. */
export interface PieceSite extends TextSite {
  /** Sites with the same occurrence are pieces of one copy of the text. */
  readonly occurrence: string;
  /** Orders the pieces of an occurrence: the segment seen first comes first, even when segments interleave. */
  readonly segment: string;
}

/** Returns the text sites of one event; called with the events in order. */
export type StreamSiteReader = (event: StreamEvent, frame: number) => readonly PieceSite[];

export interface BlankBodies {
  readonly request: Json;
  /** Unstreamed, with an empty text that can be typed into. */
  readonly response: Json;
}

/** The user message of a new request until it is edited. Not empty, because an empty text would match any request. */
export const NEW_REQUEST_TEXT = 'New request';
