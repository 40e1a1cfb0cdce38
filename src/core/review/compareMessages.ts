import { jsonEqual } from '../json/json';
import type { JsonPath } from '../json/jsonPath';
import type { Message } from '../tapes/tape';
import { alignSequences } from './alignSequences';
import { compareSpoken } from './compareSpoken';
import { type Found, found, withOrigin } from './found';
import { spokenMessage, spokenShape } from './messageShape';
import type { Normaliser } from './normaliser';
import { similarity, type Words, wordsOf } from './similarity';

/** What differs in the messages of a request: which are new, gone or elsewhere, and what was edited in the others. */
export function compareMessages(
  before: readonly Message[],
  after: readonly Message[],
  path: JsonPath,
  normaliser: Normaliser,
): readonly Found[] {
  const words = remembered((message) => wordsOf(normaliser.key(spokenShape(spokenMessage(message)))));
  const { pairs } = alignSequences(before, after, {
    same: jsonEqual,
    digests: [(message) => normaliser.key(spokenShape(spokenMessage(message)))],
    likeness: (old, now) => (old.role === now.role ? likeness(words(old), words(now)) : 0),
    alone: (old, now) => old.role === now.role,
    nearby: LEAST_LIKENESS,
    anywhere: () => false,
  });
  return pairs.flatMap((pair) => {
    const at = [...path, pair.afterIndex ?? pair.beforeIndex ?? 0];
    const [old, now] = [pair.before && spokenMessage(pair.before), pair.after && spokenMessage(pair.after)];
    const name = now?.role ?? old?.role ?? '';
    if (old === undefined || now === undefined)
      return [found('message', at, old && spokenShape(old), now && spokenShape(now), { name })];
    const edits = compareSpoken(old, now, at, normaliser);
    const whole = found('message', at, spokenShape(old), spokenShape(now), { name });
    const changes = pair.moved ? [{ ...whole, kind: 'moved' as const }, ...edits] : edits;
    return changes.map((change) => withOrigin(change, path.length, pair.beforeIndex));
  });
}

const LEAST_LIKENESS = 0.1;

/** Where only one message can be meant, it need not be much alike. */
function likeness(before: Words, after: Words): number {
  return LEAST_LIKENESS + (1 - LEAST_LIKENESS) * similarity(before, after);
}

function remembered(read: (message: Message) => Words): (message: Message) => Words {
  const known = new Map<Message, Words>();
  return (message) => {
    const words = known.get(message) ?? read(message);
    known.set(message, words);
    return words;
  };
}
