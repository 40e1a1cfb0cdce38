import type { ChatRequest, ChatResponse } from '../../model/message';
import type { AlignmentChange } from './alignWithPrevious';
import {
  branchesOff,
  type Conversation,
  type ConversationComparison,
  ConversationIndex,
  closeness,
  compareWithConversation,
  isContinuation,
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
 * How a request stands to the ones before it. `start`: another conversation (it may begin like one before). `continue`:
 * it goes on. `resend`: the same once more, as after an error. `branch`: it goes back to an earlier place and on from there.
 */
export type Relation = 'start' | 'continue' | 'resend' | 'branch';

export interface Continuation {
  /** The conversation, from 0 in their order; agents that take turns on one tape each have their own. */
  readonly lane: number;
  readonly relation: Relation;
  /** The interaction whose conversation this repeats; absent where it repeats nothing. */
  readonly base?: number;
  /** How many messages of the request were there before. */
  readonly repeated: number;
  /** The messages of the request that are new, by their places. */
  readonly added: readonly number[];
  readonly changes: readonly SilentChange[];
}

interface TrackedRequest {
  readonly index: number;
  readonly fingerprints: readonly MessageFingerprint[];
  readonly setup: SetupFingerprint;
}

/** Follows the conversations of a tape, interaction by interaction, in time proportional to what it is given. */
export class ConversationTracker {
  readonly #conversations = new ConversationIndex();
  #nextId = 0;
  #latest: Conversation | undefined;

  /** Undefined for an interaction without a request; its answer goes on with the conversation before it. */
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
    const asked = { index, fingerprints: request.messages.map(fingerprintMessage), setup: fingerprintSetup(request) };
    const candidates = this.#conversations
      .candidates(asked.fingerprints)
      .map((conversation) => compareWithConversation(conversation, asked.fingerprints));
    const best = maxBy(candidates.filter(isContinuation), closeness);
    const continuation =
      best === undefined ? startConversation(this.#nextId++, candidates, asked) : continueConversation(best, asked);
    const isAgain = continuation.relation === 'resend' && best !== undefined;
    const conversation: Conversation = {
      ...{ id: continuation.lane, last: index, setup: asked.setup },
      request: asked.fingerprints.map(({ role, whole, withoutThinking }, at) => ({
        ...{ role, fingerprint: whole, withoutThinking },
        place: { interaction: index, message: at },
      })),
      responses: isAgain ? best.conversation.responses : [],
      responseFingerprints: isAgain ? best.conversation.responseFingerprints : new Map(),
      pieceFingerprints: isAgain ? best.conversation.pieceFingerprints : new Map(),
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
    const { role, content: spoken, withoutThinking } = fingerprintResponse(response);
    const other = conversation.last === interaction ? conversation.responses.at(-1) : undefined;
    const fingerprint = other?.fingerprint ?? spoken;
    const piecePrints = new Map([
      ...conversation.pieceFingerprints,
      ...fingerprintPieces(response).map((piece) => [piece, fingerprint] as const),
    ]);
    const message = { role, fingerprint, place: { interaction, message: 'answer' } as const };
    const responses = [
      ...(other === undefined ? conversation.responses : conversation.responses.slice(0, -1)),
      message,
    ];
    const names = withoutThinking === undefined ? [spoken] : [spoken, withoutThinking];
    const responseFingerprints = new Map([
      ...conversation.responseFingerprints,
      ...names.map((name) => [name, fingerprint] as const),
    ]);
    this.#keep({ ...conversation, responses, responseFingerprints, pieceFingerprints: piecePrints }, names);
  }

  #keep(conversation: Conversation, fingerprints: readonly number[]): void {
    this.#latest = conversation;
    this.#conversations.keep(conversation, fingerprints);
  }
}

/** Nothing was said: there is no message that could come back. */
function isEmptyResponse({ content, parts, toolCalls }: ChatResponse): boolean {
  return (content ?? '') === '' && toolCalls.length === 0 && (parts ?? []).length === 0;
}

/** Another conversation. What it begins with may have been seen before. */
function startConversation(
  lane: number,
  candidates: readonly ConversationComparison[],
  { fingerprints }: TrackedRequest,
): Continuation {
  const closest = maxBy(candidates, sharedBeginning);
  const repeated = closest === undefined ? 0 : sharedBeginning(closest);
  return {
    ...{ lane, relation: 'start', repeated, changes: [] },
    ...(closest === undefined || repeated === 0 ? {} : { base: closest.conversation.last }),
    added: fingerprints.map((_, place) => place).slice(repeated),
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
  const isAgain =
    alignment.added.length === 0 && alignment.repeated.every((place) => place < conversation.request.length);
  return {
    ...{ lane: conversation.id, base: conversation.last, repeated: alignment.repeated.length, added: end.added },
    relation: isBranch ? 'branch' : isAgain ? 'resend' : 'continue',
    changes: [
      ...setupChanges(conversation.setup, setup, conversation.last, index),
      ...[...alignment.changes, ...end.changes].map((change) => placed(change, conversation, index)),
    ],
  };
}

/** An answer that did not come back, although the conversation goes on after it: rewritten, or left out. */
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
    request[place]?.place ?? responses[place - request.length]?.place ?? { interaction: last, message: place };
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
