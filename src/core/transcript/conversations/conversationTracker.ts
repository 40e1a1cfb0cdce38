import type { ChatRequest, ChatResponse, Message } from '../../model/message';
import type { AlignmentChange } from './alignWithPrevious';
import {
  branchesOff,
  type Conversation,
  type ConversationComparison,
  ConversationIndex,
  closeness,
  compareWithConversation,
  isContinuation,
  newMessages,
  type RequestedMessage,
} from './conversation';
import {
  fingerprintMessage,
  fingerprintPieces,
  fingerprintResponse,
  type MessageFingerprint,
} from './messageFingerprint';
import type { MessagePlace, SilentChange } from './silentChange';
import { fingerprintSetup, type SetupFingerprint, setupChanges } from './silentChange';

/**
 * The relation of a request to the ones before it. `start`: a new conversation (which may begin like an earlier one).
 * `continue`: the next request of one. `resend`: the same request again, as after an error. `branch`: a continuation from an
 * earlier place.
 */
export type Relation = 'start' | 'continue' | 'resend' | 'branch';

export interface Continuation {
  /** The number of the conversation, from 0. Agents that take turns on one tape have one each. */
  readonly conversation: number;
  readonly relation: Relation;
  /** The interaction whose messages this one repeats; absent if it repeats none. */
  readonly base?: number;
  /** The number of repeated messages in the request. */
  readonly repeated: number;
  /** The places of the new messages in the request. */
  readonly added: readonly number[];
  readonly changes: readonly SilentChange[];
}

interface TrackedRequest {
  readonly index: number;
  readonly fingerprints: readonly MessageFingerprint[];
  readonly setup: SetupFingerprint;
}

/**
 * Follows the conversations of a tape, interaction by interaction, in time proportional to their size. The log of a session stores
 * each message once, and its size does not grow with what its requests repeat: there, only what is new is looked at.
 */
export class ConversationTracker {
  readonly #conversations = new ConversationIndex();
  #nextId = 0;
  #latest: Conversation | undefined;
  /** The last request of the latest conversation: its messages, and what is known of each, which grows with them. */
  #repeated: readonly Message[] = [];
  #known: RequestedMessage[] = [];

  /** Undefined for an interaction without a request, whose response belongs to the latest conversation. */
  follow(
    index: number,
    request: ChatRequest | undefined,
    response: ChatResponse | undefined,
  ): Continuation | undefined {
    const continuation = request === undefined ? undefined : this.#addRequest(index, request);
    if (response !== undefined && !isEmptyResponse(response)) this.#addResponse(index, response);
    return continuation;
  }

  #addRequest(index: number, request: ChatRequest): Continuation {
    const { messages } = request;
    const setup = fingerprintSetup(request);
    const continuation = this.#growLatest(index, messages, setup) ?? this.#compare(index, messages, setup);
    this.#repeated = messages;
    return continuation;
  }

  /** Undefined unless a request begins with the very messages of the latest one, and goes on from its responses. */
  #growLatest(index: number, messages: readonly Message[], setup: SetupFingerprint): Continuation | undefined {
    const latest = this.#latest;
    const repeated = this.#repeated.length;
    if (latest === undefined || repeated === 0 || messages.length <= repeated) return undefined;
    if (!this.#repeated.every((message, at) => message === messages[at])) return undefined;
    const fingerprints = messages.slice(repeated).map(fingerprintMessage);
    if (this.#conversations.isInAnother(fingerprints, latest)) return undefined;
    const added = newMessages(latest, fingerprints);
    if (added === undefined) return undefined;
    this.#known.push(...fingerprints.map(requested));
    this.#keep(
      { ...latest, last: index, setup, request: this.#known, ...NO_RESPONSES },
      fingerprints.map(({ whole }) => whole),
    );
    return {
      conversation: latest.id,
      relation: 'continue',
      base: latest.last,
      repeated: repeated + latest.responses.length,
      added: added.map((at) => repeated + at),
      changes: setupChanges(latest.setup, setup, latest.last, index),
    };
  }

  #compare(index: number, messages: readonly Message[], setup: SetupFingerprint): Continuation {
    const tracked = { index, fingerprints: messages.map(fingerprintMessage), setup };
    const candidates = this.#conversations
      .candidates(tracked.fingerprints)
      .map((conversation) => compareWithConversation(conversation, tracked.fingerprints));
    const best = maxBy(candidates.filter(isContinuation), closeness);
    const continuation =
      best === undefined ? startConversation(this.#nextId++, candidates, tracked) : continueConversation(best, tracked);
    const isResend = continuation.relation === 'resend' && best !== undefined;
    this.#known = tracked.fingerprints.map(requested);
    const conversation: Conversation = {
      id: continuation.conversation,
      last: index,
      setup,
      request: this.#known,
      ...(isResend ? responsesOf(best.conversation) : NO_RESPONSES),
    };
    this.#keep(
      conversation,
      conversation.request.map(({ fingerprint }) => fingerprint),
    );
    return continuation;
  }

  #addResponse(interaction: number, response: ChatResponse): void {
    const conversation = this.#latest;
    if (conversation === undefined) return;
    const { role, content, withoutThinking } = fingerprintResponse(response);
    const other = conversation.last === interaction ? conversation.responses.at(-1) : undefined;
    const fingerprint = other?.fingerprint ?? content;
    const pieceFingerprints = new Map([
      ...conversation.pieceFingerprints,
      ...fingerprintPieces(response).map((piece) => [piece, fingerprint] as const),
    ]);
    const message = { role, fingerprint, place: { interaction, message: 'response' } as const };
    const responses = [
      ...(other === undefined ? conversation.responses : conversation.responses.slice(0, -1)),
      message,
    ];
    const contents = withoutThinking === undefined ? [content] : [content, withoutThinking];
    const responseFingerprints = new Map([
      ...conversation.responseFingerprints,
      ...contents.map((one) => [one, fingerprint] as const),
    ]);
    this.#keep({ ...conversation, responses, responseFingerprints, pieceFingerprints }, contents);
  }

  #keep(conversation: Conversation, fingerprints: readonly number[]): void {
    this.#latest = conversation;
    this.#conversations.keep(conversation, fingerprints);
  }
}

type Responses = Pick<Conversation, 'responses' | 'responseFingerprints' | 'pieceFingerprints'>;

const NO_RESPONSES: Responses = { responses: [], responseFingerprints: new Map(), pieceFingerprints: new Map() };

function responsesOf({ responses, responseFingerprints, pieceFingerprints }: Conversation): Responses {
  return { responses, responseFingerprints, pieceFingerprints };
}

function requested({ role, whole, withoutThinking }: MessageFingerprint): RequestedMessage {
  return { role, fingerprint: whole, withoutThinking };
}

/** Whether a response has no content that a later request could repeat. */
function isEmptyResponse({ content, parts, toolCalls }: ChatResponse): boolean {
  return (content ?? '') === '' && toolCalls.length === 0 && (parts ?? []).length === 0;
}

/** Starts a conversation, whose beginning may repeat an earlier one. */
function startConversation(
  conversation: number,
  candidates: readonly ConversationComparison[],
  { fingerprints }: TrackedRequest,
): Continuation {
  const closest = maxBy(candidates, sharedBeginning);
  const repeated = closest === undefined ? 0 : sharedBeginning(closest);
  return {
    conversation,
    relation: 'start',
    ...(closest === undefined || repeated === 0 ? {} : { base: closest.conversation.last }),
    repeated,
    added: fingerprints.map((_, place) => place).slice(repeated),
    changes: [],
  };
}

function sharedBeginning({ conversation: { request }, now }: ConversationComparison): number {
  const differs = now.findIndex(({ fingerprint }, at) => fingerprint !== request[at]?.fingerprint);
  return differs === -1 ? now.length : differs;
}

function continueConversation(comparison: ConversationComparison, { index, setup }: TrackedRequest): Continuation {
  const { conversation, alignment } = comparison;
  const end = unrepeatedEnd(comparison);
  const isBranch = branchesOff(comparison);
  const isResend =
    alignment.added.length === 0 && alignment.repeated.every((place) => place < conversation.request.length);
  return {
    conversation: conversation.id,
    relation: isBranch ? 'branch' : isResend ? 'resend' : 'continue',
    base: conversation.last,
    repeated: alignment.repeated.length,
    added: end.added,
    changes: [
      ...setupChanges(conversation.setup, setup, conversation.last, index),
      ...[...alignment.changes, ...end.changes].map((change) => placed(change, conversation, index)),
    ],
  };
}

/** Finds the response that a request does not repeat although it continues after it: rewritten, or left out. */
function unrepeatedEnd(comparison: ConversationComparison): { added: readonly number[]; changes: AlignmentChange[] } {
  const { conversation, now, alignment } = comparison;
  const { added, lost } = alignment;
  const [first, ...rest] = added;
  if (branchesOff(comparison) || first === undefined || lost.length === 0) return { added, changes: [] };
  const dropped = lost.map((before): AlignmentChange => ({ type: 'dropped', before }));
  const [before] = lost;
  const wasRewritten = before !== undefined && now[first]?.role === conversation.responses.at(-1)?.role;
  if (!wasRewritten) return { added, changes: dropped };
  return { added: rest, changes: [{ type: 'edited', before, after: first }, ...dropped.slice(1)] };
}

function placed(change: AlignmentChange, { request, responses, last }: Conversation, index: number): SilentChange {
  const old = (place: number): MessagePlace =>
    responses[place - request.length]?.place ?? { interaction: last, message: place };
  const now = (message: number): MessagePlace => ({ interaction: index, message });
  switch (change.type) {
    case 'dropped':
      return { type: 'dropped', before: old(change.before) };
    case 'inserted':
      return { type: 'inserted', after: now(change.after) };
    default:
      return { type: change.type, before: old(change.before), after: now(change.after) };
  }
}

function maxBy<T>(items: readonly T[], measure: (item: T) => number): T | undefined {
  return items.reduce<T | undefined>(
    (best, item) => (best === undefined || measure(item) > measure(best) ? item : best),
    undefined,
  );
}
