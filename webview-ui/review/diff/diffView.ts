import type { Change } from '../../../src/core/model/change';

/** Pixels; in less than this, side by side would be too narrow. The same as in review.css. */
export const INLINE_BELOW = 640;

/** How a change is laid out. */
export interface DiffLayout {
  readonly sideBySide: boolean;
  /** Lines far from any difference are folded. */
  readonly folded: boolean;
}

/** Whether there are two texts. One that moved, or that stands beside nothing is neither compared nor folded, only shown. */
export function hasTwoSides({ before, after }: Change): boolean {
  return before !== '' && after !== '' && before !== after;
}

/** The layout that suits a change, as near as possible to the one that is wanted. */
export function layoutFor(change: Change, wanted: DiffLayout): DiffLayout {
  return hasTwoSides(change) ? wanted : { sideBySide: false, folded: false };
}

/** What shows the two texts of a change. */
export interface DiffView {
  show(change: Change, layout: DiffLayout): void;
  dispose(): void;
}

export interface DiffViewOptions {
  readonly workerUrl: URL;
  /** Called when the view has stopped working, with the reason in words. */
  onFailure(reason: string): void;
}
