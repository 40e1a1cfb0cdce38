import type { Change } from '../../../src/core/model/change';

/** Pixels; narrower panes show the diff inline. review.css repeats it. */
export const INLINE_BELOW = 640;

/** The layout of a diff. */
export interface DiffLayout {
  readonly sideBySide: boolean;
  /** Whether lines far from any difference are folded. */
  readonly folded: boolean;
}

/** Whether there are two texts to compare. A text that moved, or is on one side only, is shown without a diff. */
export function hasTwoSides({ before, after }: Change): boolean {
  return before !== '' && after !== '' && before !== after;
}

/** The wanted layout, as far as the change allows it. */
export function layoutFor(change: Change, wanted: DiffLayout): DiffLayout {
  return hasTwoSides(change) ? wanted : { sideBySide: false, folded: false };
}

/** A view of the two texts of a change. */
export interface DiffView {
  show(change: Change, layout: DiffLayout): void;
  dispose(): void;
}

export interface DiffViewOptions {
  readonly workerUrl: URL;
  /** Called with the reason when the view stops working. */
  onFailure(reason: string): void;
}
