import type { ChatRequest, ChatResponse } from '../tapes/tape';
import type { MessageChange } from './alignMessages';
import { type Comparison, closeness, compare, goesBack, isContinued, type Lane } from './lane';
import { LaneIndex } from './laneIndex';
import { type MessagePrint, printAnswer, printMessage, printPieces } from './messagePrint';
import { printSetup, type SetupPrint, setupChanges } from './setupPrint';
import type { MessagePlace, SilentChange } from './silentChange';

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

interface Asked {
  readonly index: number;
  readonly prints: readonly MessagePrint[];
  readonly setup: SetupPrint;
}

/** Follows the conversations of a tape, interaction by interaction, in time proportional to what it is given. */
export class Conversations {
  readonly #lanes = new LaneIndex();
  #nextLane = 0;
  #latest: Lane | undefined;

  /** Undefined for an interaction without a request; its answer goes on with the conversation before it. */
  follow(
    index: number,
    request: ChatRequest | undefined,
    response: ChatResponse | undefined,
  ): Continuation | undefined {
    const continuation = request === undefined ? undefined : this.#ask(index, request);
    if (response !== undefined && !isSilent(response)) this.#answer(index, response);
    return continuation;
  }

  #ask(index: number, request: ChatRequest): Continuation {
    const asked = { index, prints: request.messages.map(printMessage), setup: printSetup(request) };
    const candidates = this.#lanes.candidates(asked.prints).map((lane) => compare(lane, asked.prints));
    const best = most(candidates.filter(isContinued), closeness);
    const continuation = best === undefined ? start(this.#nextLane++, candidates, asked) : goOn(best, asked);
    const isAgain = continuation.relation === 'resend' && best !== undefined;
    const lane: Lane = {
      ...{ id: continuation.lane, last: index, setup: asked.setup },
      request: asked.prints.map(({ role, whole, unthought }, at) => ({
        ...{ role, print: whole, unthought },
        place: { interaction: index, message: at },
      })),
      answers: isAgain ? best.lane.answers : [],
      answerPrints: isAgain ? best.lane.answerPrints : new Map(),
      piecePrints: isAgain ? best.lane.piecePrints : new Map(),
    };
    this.#keep(
      lane,
      lane.request.map(({ print }) => print),
    );
    return continuation;
  }

  #answer(interaction: number, response: ChatResponse): void {
    const lane = this.#latest;
    if (lane === undefined) return;
    const { role, spoken, unthought } = printAnswer(response);
    const other = lane.last === interaction ? lane.answers.at(-1) : undefined;
    const print = other?.print ?? spoken;
    const piecePrints = new Map([
      ...lane.piecePrints,
      ...printPieces(response).map((piece) => [piece, print] as const),
    ]);
    const answer = { role, print, place: { interaction, message: 'answer' } as const };
    const answers = [...(other === undefined ? lane.answers : lane.answers.slice(0, -1)), answer];
    const names = unthought === undefined ? [spoken] : [spoken, unthought];
    const answerPrints = new Map([...lane.answerPrints, ...names.map((name) => [name, print] as const)]);
    this.#keep({ ...lane, answers, answerPrints, piecePrints }, names);
  }

  #keep(lane: Lane, prints: readonly number[]): void {
    this.#latest = lane;
    this.#lanes.keep(lane, prints);
  }
}

/** Nothing was said: there is no message that could come back. */
function isSilent({ content, parts, toolCalls }: ChatResponse): boolean {
  return (content ?? '') === '' && toolCalls.length === 0 && (parts ?? []).length === 0;
}

/** Another conversation. What it begins with may have been seen before. */
function start(lane: number, candidates: readonly Comparison[], { prints }: Asked): Continuation {
  const closest = most(candidates, sharedBeginning);
  const repeated = closest === undefined ? 0 : sharedBeginning(closest);
  return {
    ...{ lane, relation: 'start', repeated, changes: [] },
    ...(closest === undefined || repeated === 0 ? {} : { base: closest.lane.last }),
    added: prints.map((_, place) => place).slice(repeated),
  };
}

function sharedBeginning({ lane: { request }, now }: Comparison): number {
  const differs = now.findIndex(({ print }, at) => print !== request[at]?.print);
  return differs === -1 ? now.length : differs;
}

function goOn(comparison: Comparison, { index, setup }: Asked): Continuation {
  const { lane, alignment } = comparison;
  const end = endOfTalk(comparison);
  const isBranch = goesBack(comparison);
  const isAgain = alignment.added.length === 0 && alignment.repeated.every((place) => place < lane.request.length);
  return {
    ...{ lane: lane.id, base: lane.last, repeated: alignment.repeated.length, added: end.added },
    relation: isBranch ? 'branch' : isAgain ? 'resend' : 'continue',
    changes: [
      ...setupChanges(lane.setup, setup, lane.last, index),
      ...[...alignment.changes, ...end.changes].map((change) => placed(change, lane, index)),
    ],
  };
}

/** An answer that did not come back, although the conversation goes on after it: rewritten, or left out. */
function endOfTalk(comparison: Comparison): { added: readonly number[]; changes: MessageChange[] } {
  const { lane, now, alignment } = comparison;
  const { added, lost } = alignment;
  const [first, ...rest] = added;
  if (goesBack(comparison) || first === undefined || lost.length === 0) return { added, changes: [] };
  const dropped = lost.map((before): MessageChange => ({ type: 'dropped', before }));
  const [before] = lost;
  const wasRewritten = before !== undefined && now[first]?.role === lane.answers.at(-1)?.role;
  if (!wasRewritten) return { added, changes: dropped };
  return { added: rest, changes: [{ type: 'edited', before, after: first }, ...dropped.slice(1)] };
}

function placed(change: MessageChange, { request, answers, last }: Lane, index: number): SilentChange {
  const old = (place: number): MessagePlace =>
    request[place]?.place ?? answers[place - request.length]?.place ?? { interaction: last, message: place };
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

function most<T>(items: readonly T[], measure: (item: T) => number): T | undefined {
  return items.reduce<T | undefined>(
    (best, item) => (best === undefined || measure(item) > measure(best) ? item : best),
    undefined,
  );
}
