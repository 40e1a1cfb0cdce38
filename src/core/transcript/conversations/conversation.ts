import { alignWithPrevious, type FingerprintedMessage, type MessageAlignment } from './alignWithPrevious';
import type { MessageFingerprint } from './messageFingerprint';
import type { MessagePlace, SetupFingerprint } from './silentChange';

/** A message of a conversation, and where on the tape it stands last. */
export interface PlacedMessage extends FingerprintedMessage {
  readonly place: MessagePlace;
  /** What it is known by when it comes back without its reasoning: see `MessagePrint`. */
  readonly withoutThinking?: number | undefined;
}

/** A conversation as far as it got: its last request, and what was answered since. */
export interface Conversation {
  readonly id: number;
  /** The interaction of the last request. */
  readonly last: number;
  readonly request: readonly PlacedMessage[];
  readonly responses: readonly PlacedMessage[];
  /** The fingerprints in `responses` by what was said: a request that was sent again has several responses for one place. */
  readonly responseFingerprints: ReadonlyMap<number, number>;
  /** The same for the pieces that an answer may come back in. */
  readonly pieceFingerprints: ReadonlyMap<number, number>;
  readonly setup: SetupFingerprint;
}

/** A request beside a conversation that it may go on with. */
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
  // The first piece of an answer stands for all of it.
  const places = now.flatMap((_, place) => (known[place]?.isFurtherPiece ? [] : place));
  const alignment = alignWithPrevious(
    [...conversation.request, ...conversation.responses],
    places.flatMap((place) => now[place] ?? []),
  );
  return { conversation, now, alignment: atPositions(alignment, places) };
}

interface RecognisedMessage {
  readonly fingerprint: number;
  readonly isFurtherPiece: boolean;
}

/**
 * What the messages of a request are known by in a conversation: those of its last request by all of them, as often as it
 * had them; beyond that the responses by what they said, with or without what they thought.
 */
function recogniseMessages(
  conversation: Conversation,
  fingerprints: readonly MessageFingerprint[],
): readonly RecognisedMessage[] {
  const left = new Map<number, number>();
  const withThought = new Map<number, number>();
  for (const { fingerprint, withoutThinking } of conversation.request) {
    left.set(fingerprint, (left.get(fingerprint) ?? 0) + 1);
    if (withoutThinking !== undefined) withThought.set(withoutThinking, fingerprint);
  }
  const latest = conversation.responses.at(-1)?.fingerprint;
  const pieces = new Set<number>();
  return fingerprints.map(({ whole, content: spoken, isReference }): RecognisedMessage => {
    const times = left.get(whole) ?? 0;
    if (times > 0) {
      left.set(whole, times - 1);
      return { fingerprint: whole, isFurtherPiece: false };
    }
    const answer =
      conversation.responseFingerprints.get(spoken) ?? withThought.get(spoken) ?? (isReference ? latest : undefined);
    if (answer !== undefined) return { fingerprint: answer, isFurtherPiece: false };
    const piece = conversation.pieceFingerprints.get(spoken);
    if (piece === undefined) return { fingerprint: whole, isFurtherPiece: false };
    const isFurtherPiece = pieces.has(piece);
    pieces.add(piece);
    return { fingerprint: piece, isFurtherPiece };
  });
}

/** An alignment of some messages of a list, told by their places in the whole. */
function atPositions({ added, changes, ...alignment }: MessageAlignment, places: readonly number[]): MessageAlignment {
  const at = (index: number): number => places[index] ?? index;
  return {
    ...alignment,
    added: added.map(at),
    changes: changes.map((change) => ('after' in change ? { ...change, after: at(change.after) } : change)),
  };
}

/** The more, the more likely a request belongs to the conversation; of equals the latest. */
export function closeness({ conversation, alignment: { repeated, changes, lost } }: ConversationComparison): number {
  return repeated.length - changes.length - lost.length + conversation.last / 1e9;
}

/** Does the request go back behind the last one, and on from there? */
export function branchesOff({ conversation: { request }, alignment: { lost } }: ConversationComparison): boolean {
  return (lost[0] ?? request.length) < request.length;
}

/**
 * Does the request go on with the conversation? Its beginning alone says nothing: every conversation of an agent has the
 * same instructions, and two agents may be given the same task.
 */
export function isContinuation(comparison: ConversationComparison): boolean {
  const { conversation, alignment } = comparison;
  const { request } = conversation;
  const { repeated, changes } = alignment;
  if (changes.length === 0 && !branchesOff(comparison)) return request.length > 0;
  const talk = request.filter(({ role }) => !isInstruction(role)).length;
  const talkIsBack = repeated.filter((place) => !isInstruction(request[place]?.role ?? 'system')).length;
  if (talkIsBack === 0) return false;
  if (repeated.some((place) => place >= request.length)) return true;
  const instructionsChanged = changes.some(
    (change) => 'before' in change && isInstruction(request[change.before]?.role ?? ''),
  );
  return !instructionsChanged && talkIsBack * 2 >= talk;
}

function isInstruction(role: string): boolean {
  return role === 'system' || role === 'developer';
}

/** So many conversations can be open at a time; the one that was longest silent is forgotten. */
const MAX_CONVERSATIONS = 256;
/** Of the conversations that share a message, so many are looked at. */
const MAX_CANDIDATES = 4;

/** Finds the conversations that a request may belong to, by the messages they share. */
export class ConversationIndex {
  readonly #conversations = new Map<number, Conversation>();
  /** By fingerprint, the latest conversations with that message; the last is the latest. */
  readonly #ids = new Map<number, number[]>();

  /** The closest first: what stands at the end of a request is the most its own. */
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

  /** Adds a conversation, or what has become of it, with the fingerprints that it can be found by. */
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
