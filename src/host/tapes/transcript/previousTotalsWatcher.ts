import type * as vscode from 'vscode';
import type { PreviousTotalsUpdate } from '../../../contracts/transcript/transcriptEvents';
import type { PreviousTotals } from '../../../core/review/previousTotals';
import { Debouncer } from '../../base/debounce';
import { DisposableStore } from '../../base/disposable';
import type { TapeDocument } from '../tapeDocument';

/** Reads the totals of a tape before it changed; null if they are unknown. Never rejects. */
export type ReadPreviousTotals = (tape: vscode.Uri) => Promise<PreviousTotals | null>;

/** A tape that is being recorded changes many times a second. */
const SETTLE_MS = 400;

/** Reads the totals of a tape before it changed, and again whenever the document changes. */
export class PreviousTotalsWatcher implements vscode.Disposable {
  readonly #owned = new DisposableStore();
  readonly #debouncedUpdate = this.#owned.add(new Debouncer(SETTLE_MS, () => void this.#update()));

  constructor(
    private readonly document: TapeDocument,
    private readonly read: ReadPreviousTotals,
    private readonly onUpdate: (update: PreviousTotalsUpdate) => void,
  ) {
    this.#owned.add(document.onDidChange(() => this.refresh()));
  }

  refresh(): void {
    this.#debouncedUpdate.add('document', undefined);
  }

  dispose(): void {
    this.#owned.dispose();
  }

  async #update(): Promise<void> {
    const { uri, version, isDirty } = this.document;
    // The totals are compared with those of the saved file.
    const earlier = isDirty ? null : await this.read(uri);
    if (version === this.document.version) this.onUpdate({ version, earlier });
  }
}
