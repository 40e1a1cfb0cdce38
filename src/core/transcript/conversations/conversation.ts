import { alignWithPrevious, type FingerprintedMessage, type MessageAlignment } from './alignWithPrevious';
import type { MessageFingerprint } from './messageFingerprint';
import type { MessagePlace, SetupFingerprint } from './silentChange';

/** A message of a request. Its latest place on the tape is its place in the last one. */
export interface RequestedMessage extends FingerprintedMessage {
  /** The fingerprint of the message without its reasoning: see `MessageFingerprint`. */
  readonly withoutThinking?: number | undefined;
}

/** A response of a conversation, and its place on the tape. */
interface PlacedResponse extends FingerprintedMessage {
  readonly place: MessagePlace;
}

/** A conversation so far: its last request, and the responses since. */
export interface Conversation {
  readonly id: number;
  /** The interaction of the last request. */
  readonly last: number;
  readonly request: readonly RequestedMessage[];
  readonly responses: readonly PlacedResponse[];
  /** The fingerprints in `responses` by content. A request that was sent again has several responses for one place. */
  readonly responseFingerprints: ReadonlyMap<number, number>;
  /** The same for the pieces into which an agent may split a response. */
  readonly pieceFingerprints: ReadonlyMap<number, number>;
  readonly setup: SetupFingerprint;
}

/** A request compared with a conversation that it may continue. */
export interface ConversationComparison {
  readonly conversation: Conversation;
  readonly now: readonly FingerprintedMessage[];
  readonly alignment: MessageAlignment;
}

export function compareWithConversation(
  conversation: Conversation,
  fingerprints: readonly MessageFingerprint[],
): ConversationComparison {
  const known = recogniseMessages(conversation, fingerprints);
  const now = known.map(({ fingerprint }, place) => ({ role: fingerprints[place]?.role ?? '', fingerprint }));
  // The first piece of a response stands for all of it.
  const places = now.flatMap((_, place) => (known[place]?.isFurtherPiece ? [] : place));
  const alignment = alignWithPrevious(
    [...conversation.request, ...conversation.responses],
    places.flatMap((place) => now[place] ?? []),
  );
  return { conversation, now, alignment: atPositions(alignment, places) };
}

/**
 * The places of what is new among the messages that a request adds to all those of a conversation's last request. Undefined if they
 * do anything else than go on from its responses: then the whole request has to be compared.
 */
export function newMessages(
  conversation: Conversation,
  added: readonly MessageFingerprint[],
): readonly number[] | undefined {
  if (added.some(({ isReference }) => isReference)) return undefined;
  const { alignment } = compareWithConversation({ ...conversation, request: [] }, added);
  return alignment.changes.length > 0 || alignment.lost.length > 0 ? undefined : alignment.added;
}

interface RecognisedMessage {
  readonly fingerprint: number;
  readonly isFurtherPiece: boolean;
}

/**
 * Finds the messages of a request in a conversation: messages of its last request by their whole content, as often as they
 * were in it, and then its responses by what they say, with or without their reasoning.
 */
function recogniseMessages(
  conversation: Conversation,
  fingerprints: readonly MessageFingerprint[],
): readonly RecognisedMessage[] {
  const left = new Map<number, number>();
  const withReasoning = new Map<number, number>();
  for (const { fingerprint, withoutThinking } of conversation.request) {
    left.set(fingerprint, (left.get(fingerprint) ?? 0) + 1);
    if (withoutThinking !== undefined) withReasoning.set(withoutThinking, fingerprint);
  }
  const latest = conversation.responses.at(-1)?.fingerprint;
  const pieces = new Set<number>();
  return fingerprints.map(({ whole, content, isReference }): RecognisedMessage => {
    const times = left.get(whole) ?? 0;
    if (times > 0) {
      left.set(whole, times - 1);
      return { fingerprint: whole, isFurtherPiece: false };
    }
    const response =
      conversation.responseFingerprints.get(content) ??
      withReasoning.get(content) ??
      (isReference ? latest : undefined);
    if (response !== undefined) return { fingerprint: response, isFurtherPiece: false };
    const piece = conversation.pieceFingerprints.get(content);
    if (piece === undefined) return { fingerprint: whole, isFurtherPiece: false };
    const isFurtherPiece = pieces.has(piece);
    pieces.add(piece);
    return { fingerprint: piece, isFurtherPiece };
  });
}

/** Converts an alignment of some messages of a list to their places in the whole list. */
function atPositions({ added, changes, ...alignment }: MessageAlignment, places: readonly number[]): MessageAlignment {
  const at = (index: number): number => places[index] ?? index;
  return {
    ...alignment,
    added: added.map(at),
    changes: changes.map((change) => ('after' in change ? { ...change, after: at(change.after) } : change)),
  };
}

/** Higher for conversations that the request more likely belongs to; the latest of equals is the highest. */
export function closeness({ conversation, alignment: { repeated, changes, lost } }: ConversationComparison): number {
  return repeated.length - changes.length - lost.length + conversation.last / 1e9;
}

/** Whether the request goes back to before the last request, and continues from there. */
export function branchesOff({ conversation: { request }, alignment: { lost } }: ConversationComparison): boolean {
  return (lost[0] ?? request.length) < request.length;
}

/**
 * Whether the request continues the conversation. A common beginning is not enough: all conversations of an agent have the
 * same instructions, and two agents may be given the same task.
 */
export function isContinuation(comparison: ConversationComparison): boolean {
  const { conversation, alignment } = comparison;
  const { request } = conversation;
  const { repeated, changes } = alignment;
  if (changes.length === 0 && !branchesOff(comparison)) return request.length > 0;
  const messages = request.filter(({ role }) => !isInstruction(role)).length;
  const repeatedMessages = repeated.filter((place) => !isInstruction(request[place]?.role ?? 'system')).length;
  if (repeatedMessages === 0) return false;
  if (repeated.some((place) => place >= request.length)) return true;
  const instructionsChanged = changes.some(
    (change) => 'before' in change && isInstruction(request[change.before]?.role ?? ''),
  );
  return !instructionsChanged && repeatedMessages * 2 >= messages;
}

function isInstruction(role: string): boolean {
  return role === 'system' || role === 'developer';
}

/** Conversations that are kept; beyond this number the least recent one is dropped. */
const MAX_CONVERSATIONS = 256;
/** Conversations that share a message with a request and are compared with it. */
const MAX_CANDIDATES = 4;

/** Finds the conversations that a request may belong to, by the messages they share. */
export class ConversationIndex {
  readonly #conversations = new Map<number, Conversation>();
  /** The latest conversations with a message, by its fingerprint, in order. */
  readonly #ids = new Map<number, number[]>();

  /** The closest first: the later a shared message is in the request, the more it distinguishes conversations. */
  candidates(fingerprints: readonly MessageFingerprint[]): readonly Conversation[] {
    const found = new Set<Conversation>();
    for (let at = fingerprints.length - 1; at >= 0 && found.size < MAX_CANDIDATES; at -= 1) {
      const fingerprint = fingerprints[at];
      if (fingerprint === undefined) continue;
      for (const id of [
        ...(this.#ids.get(fingerprint.whole) ?? []),
        ...(this.#ids.get(fingerprint.content) ?? []),
      ].reverse()) {
        const conversation = this.#conversations.get(id);
        if (conversation !== undefined && found.size < MAX_CANDIDATES) found.add(conversation);
      }
    }
    return [...found];
  }

  /** Whether another conversation than this one has one of these messages. */
  isInAnother(fingerprints: readonly MessageFingerprint[], conversation: Conversation): boolean {
    const isOther = (id: number): boolean => id !== conversation.id;
    return fingerprints.some(({ whole, content }) =>
      [whole, content].some((fingerprint) => this.#ids.get(fingerprint)?.some(isOther) === true),
    );
  }

  /** Adds or replaces a conversation, with the fingerprints by which it is found. */
  keep(conversation: Conversation, fingerprints: readonly number[]): void {
    this.#conversations.delete(conversation.id);
    this.#conversations.set(conversation.id, conversation);
    for (const fingerprint of fingerprints) this.#note(fingerprint, conversation.id);
    const [oldest] = this.#conversations.keys();
    if (this.#conversations.size > MAX_CONVERSATIONS && oldest !== undefined) this.#forget(oldest);
  }

  #note(fingerprint: number, id: number): void {
    const ids = this.#ids.get(fingerprint) ?? [];
    if (ids.at(-1) === id) return;
    this.#ids.set(fingerprint, [...ids.filter((other) => other !== id), id].slice(-MAX_CANDIDATES));
  }

  #forget(id: number): void {
    const conversation = this.#conversations.get(id);
    this.#conversations.delete(id);
    for (const { fingerprint } of [...(conversation?.request ?? []), ...(conversation?.responses ?? [])]) {
      const left = (this.#ids.get(fingerprint) ?? []).filter((other) => other !== id);
      if (left.length === 0) this.#ids.delete(fingerprint);
      else this.#ids.set(fingerprint, left);
    }
  }
}
