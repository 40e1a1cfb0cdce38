import { type AlignedMessage, type Alignment, alignMessages } from './alignMessages';
import type { MessagePrint } from './messagePrint';
import type { SetupPrint } from './setupPrint';
import type { MessagePlace } from './silentChange';

/** A message of a conversation, and where on the tape it stands last. */
export interface Spoken extends AlignedMessage {
  readonly place: MessagePlace;
  /** What it is known by when it comes back without its reasoning: see `MessagePrint`. */
  readonly unthought?: number | undefined;
}

/** A conversation as far as it got: its last request, and what was answered since. */
export interface Lane {
  readonly id: number;
  /** The interaction of the last request. */
  readonly last: number;
  readonly request: readonly Spoken[];
  readonly answers: readonly Spoken[];
  /** The prints in `answers` by what was said: a request that was sent again has several answers for one place. */
  readonly answerPrints: ReadonlyMap<number, number>;
  /** The same for the pieces that an answer may come back in. */
  readonly piecePrints: ReadonlyMap<number, number>;
  readonly setup: SetupPrint;
}

/** A request beside a conversation that it may go on with. */
export interface Comparison {
  readonly lane: Lane;
  readonly now: readonly AlignedMessage[];
  readonly alignment: Alignment;
}

export function compare(lane: Lane, prints: readonly MessagePrint[]): Comparison {
  const known = knownAs(lane, prints);
  const now = known.map(({ print }, place) => ({ role: prints[place]?.role ?? '', print }));
  // The first piece of an answer stands for all of it.
  const places = now.flatMap((_, place) => (known[place]?.isFurtherPiece ? [] : place));
  const alignment = alignMessages(
    [...lane.request, ...lane.answers],
    places.flatMap((place) => now[place] ?? []),
  );
  return { lane, now, alignment: inPlaces(alignment, places) };
}

interface Known {
  readonly print: number;
  readonly isFurtherPiece: boolean;
}

/**
 * What the messages of a request are known by in a conversation: those of its last request by all of them, as often as it
 * had them; beyond that the answers by what they said, with or without what they thought.
 */
function knownAs(lane: Lane, prints: readonly MessagePrint[]): readonly Known[] {
  const left = new Map<number, number>();
  const withThought = new Map<number, number>();
  for (const { print, unthought } of lane.request) {
    left.set(print, (left.get(print) ?? 0) + 1);
    if (unthought !== undefined) withThought.set(unthought, print);
  }
  const latest = lane.answers.at(-1)?.print;
  const pieces = new Set<number>();
  return prints.map(({ whole, spoken, isReference }): Known => {
    const times = left.get(whole) ?? 0;
    if (times > 0) {
      left.set(whole, times - 1);
      return { print: whole, isFurtherPiece: false };
    }
    const answer = lane.answerPrints.get(spoken) ?? withThought.get(spoken) ?? (isReference ? latest : undefined);
    if (answer !== undefined) return { print: answer, isFurtherPiece: false };
    const piece = lane.piecePrints.get(spoken);
    if (piece === undefined) return { print: whole, isFurtherPiece: false };
    const isFurtherPiece = pieces.has(piece);
    pieces.add(piece);
    return { print: piece, isFurtherPiece };
  });
}

/** An alignment of some messages of a list, told by their places in the whole. */
function inPlaces({ added, changes, ...alignment }: Alignment, places: readonly number[]): Alignment {
  const at = (index: number): number => places[index] ?? index;
  return {
    ...alignment,
    added: added.map(at),
    changes: changes.map((change) => ('after' in change ? { ...change, after: at(change.after) } : change)),
  };
}

/** The more, the more likely a request belongs to the conversation; of equals the latest. */
export function closeness({ lane, alignment: { repeated, changes, lost } }: Comparison): number {
  return repeated.length - changes.length - lost.length + lane.last / 1e9;
}

/** Does the request go back behind the last one, and on from there? */
export function goesBack({ lane: { request }, alignment: { lost } }: Comparison): boolean {
  return (lost[0] ?? request.length) < request.length;
}

/**
 * Does the request go on with the conversation? Its beginning alone says nothing: every conversation of an agent has the
 * same instructions, and two agents may be given the same task.
 */
export function isContinued(comparison: Comparison): boolean {
  const { lane, alignment } = comparison;
  const { request } = lane;
  const { repeated, changes } = alignment;
  if (changes.length === 0 && !goesBack(comparison)) return request.length > 0;
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
