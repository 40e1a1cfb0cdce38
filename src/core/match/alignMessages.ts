import { diffArrays } from 'diff';
import { jsonEqual } from '../json/json';
import { canonicalJson } from './canonicalJson';
import type { MessageChange } from './changes';
import { pairAlike } from './pairAlike';
import type { RequestPart } from './requestParts';
import { likeness, sketch } from './sketch';
import { valueChanges } from './valueChanges';

/** A message with its text. */
interface Placed {
  readonly message: RequestPart;
  readonly text: string;
}

/** Aligning may take quadratic time; after so many milliseconds what is left counts as one gap. */
const TIMEOUT_MS = 500;

/**
 * How the messages of a conversation differ from those that were recorded: first what is the same is found, then in the
 * gaps between, what is most alike counts as edited, and what is left as added or removed.
 */
export function alignMessages(recorded: readonly RequestPart[], now: readonly RequestPart[]): MessageChange[] {
  const [recordedOnly, nowOnly] = withoutCommonEnds(recorded, now);
  const [before, after] = [recordedOnly.map(placed), nowOnly.map(placed)];
  const changes: MessageChange[] = [];
  const gap: { before: Placed[]; after: Placed[] } = { before: [], after: [] };
  const close = () => {
    changes.push(...gapChanges(gap.before, gap.after));
    gap.before = [];
    gap.after = [];
  };
  let [from, to] = [0, 0];
  for (const { added, removed, count } of runs(before, after)) {
    if (added) gap.after.push(...after.slice(to, to + count));
    else if (removed) gap.before.push(...before.slice(from, from + count));
    else close();
    if (!added) from += count;
    if (!removed) to += count;
  }
  close();
  return foundAgain(changes);
}

/** Most conversations differ in one place: what is before and behind it need not be looked at closely. */
function withoutCommonEnds(
  recorded: readonly RequestPart[],
  now: readonly RequestPart[],
): [readonly RequestPart[], readonly RequestPart[]] {
  const shorter = Math.min(recorded.length, now.length);
  let start = 0;
  while (start < shorter && isSame(recorded[start], now[start])) start += 1;
  let end = 0;
  while (end < shorter - start && isSame(recorded.at(-1 - end), now.at(-1 - end))) end += 1;
  return [recorded.slice(start, recorded.length - end), now.slice(start, now.length - end)];
}

function isSame(left: RequestPart | undefined, right: RequestPart | undefined): boolean {
  return left?.name === right?.name && jsonEqual(left?.value, right?.value);
}

function placed(message: RequestPart): Placed {
  return { message, text: canonicalJson(message.value) };
}

function runs(before: readonly Placed[], after: readonly Placed[]) {
  const texts = (list: readonly Placed[]) => list.map(({ text }) => text);
  const whole = [
    { added: false, removed: true, count: before.length },
    { added: true, removed: false, count: after.length },
  ];
  return diffArrays(texts(before), texts(after), { timeout: TIMEOUT_MS }) ?? whole;
}

/** Beyond this, what is alike is not looked for: the conversation is another one. */
const LARGEST_GAP = 200;

function gapChanges(before: readonly Placed[], after: readonly Placed[]): MessageChange[] {
  const pairs = before.length * after.length > LARGEST_GAP ** 2 ? [] : pairAlike(before, after, distance);
  const matched = new Map(pairs.map(([left, right]) => [right, left]));
  const kept = new Set(pairs.map(([left]) => left));
  const lost = before.filter((item) => !kept.has(item));
  return [
    ...lost.map(
      ({ message: { name, value, path } }): MessageChange => ({ type: 'removed', from: path, role: name, value }),
    ),
    ...after.map((item): MessageChange => {
      const { message } = item;
      const old = matched.get(item);
      if (old === undefined) return { type: 'added', to: message.path, role: message.name, value: message.value };
      const values = valueChanges(old.message.value, message.value);
      return { type: 'edited', from: old.message.path, to: message.path, role: message.name, values };
    }),
  ];
}

/** From 0 for the same to 1 for nothing in common; messages of different roles are not the same message. */
function distance(before: Placed, after: Placed): number {
  if (before.message.name !== after.message.name) return Number.POSITIVE_INFINITY;
  return 1 - likeness(sketch(before.text), sketch(after.text));
}

/** What was taken away in one place and stands in another was moved. */
function foundAgain(changes: readonly MessageChange[]): MessageChange[] {
  const lost = new Map<string, MessageChange & { type: 'removed' }>();
  for (const change of changes) if (change.type === 'removed') lost.set(canonicalJson(change.value), change);
  if (lost.size === 0) return [...changes];
  const found = new Set<MessageChange>();
  const moved = changes.map((change): MessageChange => {
    const old = change.type === 'added' ? lost.get(canonicalJson(change.value)) : undefined;
    if (change.type !== 'added' || old === undefined || found.has(old)) return change;
    found.add(old);
    return { ...change, type: 'moved', from: old.from };
  });
  return moved.filter((change) => !found.has(change));
}
