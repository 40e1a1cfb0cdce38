import type * as vscode from 'vscode';
import type { PreviousTotals } from '../../../core/review/previousTotals';
import type { PreviousTotalsUpdate } from '../../../protocol/transcriptEvents';
import { Debouncer } from '../../base/debounce';
import { DisposableStore } from '../../base/disposable';
import type { TapeDocument } from '../tapeDocument';

/** What a tape took before it changed; null where nobody can tell. Never rejects. */
export type ReadPreviousTotals = (tape: vscode.Uri) => Promise<PreviousTotals | null>;

/** A tape that is being recorded on changes many times a second. */
const SETTLE_MS = 400;

/** Finds out what a tape took before it changed, again whenever it has changed on disk. */
export class PreviousTotalsWatcher implements vscode.Disposable {
  readonly #owned = new DisposableStore();
  readonly #settled = this.#owned.add(new Debouncer(SETTLE_MS, () => void this.#tell()));

  constructor(
    private readonly document: TapeDocument,
    private readonly ask: ReadPreviousTotals,
    private readonly tell: (told: PreviousTotalsUpdate) => void,
  ) {
    this.#owned.add(document.onDidChange(() => this.refresh()));
  }

  refresh(): void {
    this.#settled.add('document', undefined);
  }

  dispose(): void {
    this.#owned.dispose();
  }

  async #tell(): Promise<void> {
    const { uri, version, isDirty } = this.document;
    // The earlier recording is compared with the file.
    const earlier = isDirty ? null : await this.ask(uri);
    if (version === this.document.version) this.tell({ version, earlier });
  }
}
