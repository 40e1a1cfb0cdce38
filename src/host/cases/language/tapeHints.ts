import * as vscode from 'vscode';
import { looksLikeCase } from '../../../core/cases/toml/looksLikeCase';
import { t } from '../../../core/text/l10n';
import { loadCore } from '../../../reader/loadCore';
import { isEnabled, onDidChangeSwitch } from '../../base/settings';
import type { TapeStore } from '../../stores/tapes/tapeStore';
import { resolveTape } from './caseRenames';
import { tapeHover } from './tapeHover';
import type { TapeSummaries } from './tapeSummaries';

/** Shows beside the name of a tape what is on it. */
export class TapeHints implements vscode.InlayHintsProvider, vscode.Disposable {
  readonly #changed = new vscode.EventEmitter<void>();
  readonly #subscriptions: readonly vscode.Disposable[];
  readonly onDidChangeInlayHints = this.#changed.event;

  constructor(
    tapes: TapeStore,
    private readonly summaries: TapeSummaries,
  ) {
    this.#subscriptions = [
      this.#changed,
      tapes.onDidChange(() => this.#changed.fire()),
      onDidChangeSwitch('inlayHints.enabled', () => this.#changed.fire()),
    ];
  }

  dispose(): void {
    for (const subscription of this.#subscriptions) subscription.dispose();
  }

  async provideInlayHints(document: vscode.TextDocument, range: vscode.Range): Promise<vscode.InlayHint[]> {
    const text = document.getText();
    if (!isEnabled('inlayHints.enabled', document.uri) || !looksLikeCase(text)) return [];
    const { caseReferences } = await loadCore();
    const named = caseReferences(text).filter(
      ({ names, span }) => names === 'tape' && range.contains(document.positionAt(span.end)),
    );
    const hints = await Promise.all(
      named.map(({ value, span }) => this.#hint(resolveTape(document, value), document.positionAt(span.end))),
    );
    return hints.filter((hint) => hint !== undefined);
  }

  async #hint(uri: vscode.Uri, position: vscode.Position): Promise<vscode.InlayHint | undefined> {
    const tape = await this.summaries.get(uri);
    if (tape.state === 'unknown') return undefined;
    const { tapeFactWords } = await loadCore();
    const label = tape.state === 'read' ? tapeFactWords(tape.summary, Date.now()).join(' · ') : t('no recording yet');
    const hint = new vscode.InlayHint(position, label);
    hint.paddingLeft = true;
    hint.tooltip = (await tapeHover(uri, tape))[0];
    return hint;
  }
}
