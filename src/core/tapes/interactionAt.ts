import type { Interaction } from './tape';

/**
 * The interaction (from 0) that stands at an offset of the text, or else the last that begins before it; undefined before
 * the first, and where interactions have no place in the text.
 */
export function interactionAt(interactions: readonly Interaction[], offset: number): number | undefined {
  const covering = interactions.find(({ source: { start, end } }) => start <= offset && offset < end);
  const before = interactions.findLast(({ source: { start, end } }) => start <= offset && start < end);
  return (covering ?? before)?.index;
}
