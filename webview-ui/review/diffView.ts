import type { Change } from '../../src/core/review/changes';

/** What shows the two texts of a change. */
export interface DiffView {
  show(change: Change): void;
  setSideBySide(sideBySide: boolean): void;
  dispose(): void;
}

export interface DiffViewOptions {
  readonly workerUrl: URL;
  /** Called when the view has stopped working, with the reason in words. */
  onFailure(reason: string): void;
}
