import { type AlignedMessage, type Alignment, alignMessages } from './alignMessages';
import type { MessagePrint } from './messagePrint';
import type { SetupPrint } from './setupPrint';
import type { MessagePlace } from './silentChange';

/** A message of a conversation, and where on the tape it stands last. */
export interface Spoken extends AlignedMessage {
  readonly place: MessagePlace;
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
  readonly setup: SetupPrint;
}

/** A request beside a conversation that it may go on with. */
export interface Comparison {
  readonly lane: Lane;
  readonly now: readonly AlignedMessage[];
  readonly alignment: Alignment;
}

export function compare(lane: Lane, prints: readonly MessagePrint[]): Comparison {
  const latest = lane.answers.at(-1)?.print;
  const now = prints.map(({ role, whole, spoken, isReference }, place) => {
    const meant = isReference && place >= lane.request.length ? latest : undefined;
    return { role, print: lane.answerPrints.get(spoken) ?? meant ?? whole };
  });
  return { lane, now, alignment: alignMessages([...lane.request, ...lane.answers], now) };
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
