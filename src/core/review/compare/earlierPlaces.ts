import type { AlignedPair } from '../../diff/alignment';
import { digest53 } from '../../hash/digest53';
import { compactJson } from '../../json/json';
import type { Interaction } from '../../model/interaction';
import { contentShape, messageContent, requestHead } from './interactionShape';

/** The place of an item in the earlier version: its own, or of an added one, the last item before it that both versions have there. */
export type EarlierPlace = number | { readonly after: number };

/** The pairs with their places in the earlier version. Nothing that is taken out of the later version changes the place of another. */
export function withPlaces<T>(
  pairs: readonly AlignedPair<T>[],
): readonly (readonly [AlignedPair<T>, place: EarlierPlace])[] {
  let last = -1;
  return pairs.map((pair) => {
    const { beforeIndex, afterIndex, moved } = pair;
    if (beforeIndex === undefined) return [pair, { after: last }];
    if (afterIndex !== undefined && !moved) last = beforeIndex;
    return [pair, beforeIndex];
  });
}

/** A place by the name of the item that it is, or comes after. */
export function placeName(place: EarlierPlace, nameOf: (index: number) => string = String): string {
  if (typeof place === 'number') return nameOf(place);
  return place.after < 0 ? 'first' : `after ${nameOf(place.after)}`;
}

/**
 * Names the items of a list by what identifies each, and the number among those of the same: so that what is added or removed
 * elsewhere leaves the names of the others. Nothing is read of the items behind the one that is named.
 */
export function namesOf<T>(items: readonly T[], identify: (item: T) => string): (index: number) => string {
  const names: string[] = [];
  const counts = new Map<string, number>();
  return (index) => {
    for (const item of items.slice(names.length, index + 1)) {
      const identity = identify(item);
      const count = (counts.get(identity) ?? 0) + 1;
      counts.set(identity, count);
      names.push(`${identity} ${count}`);
    }
    return names[index] ?? '';
  };
}

/** What was asked: the last message of a request, or the request. */
export function askedIn(interaction: Interaction): string {
  const last = interaction.request?.messages.at(-1);
  const asked = last === undefined ? requestHead(interaction) : contentShape(messageContent(last));
  return digest53(compactJson(asked ?? interaction.kind)).toString(36);
}
