import * as vscode from 'vscode';
import { runOutcome, summaryLine } from '../../../core/cases/runSummary';
import type { RunResult } from '../../../core/model/run';
import { t } from '../../../core/text/l10n';
import { caseUri } from '../../base/caseUri';
import { type CommandId, registerCommand } from '../../base/commands';
import { HumanError } from '../../base/humanError';
import type { SummaryPanel, SummaryParts } from './summaryPanel';

/** The summaries of runs of several cases: a notice at the end of each, and a page that is loaded when it is first shown. */
export class RunSummaries implements vscode.Disposable {
  readonly #commands: vscode.Disposable;
  #panel: SummaryPanel | undefined;
  /** The cases of the last run that had several. */
  #last: readonly vscode.Uri[] = [];

  constructor(private readonly parts: SummaryParts) {
    this.#commands = vscode.Disposable.from(
      registerCommand('tapedeck.showRunSummary', parts.log, () => this.#showLast()),
      registerCommand('tapedeck.fixDrifts', parts.log, () => this.#showDrifts()),
      vscode.window.registerWebviewPanelSerializer('tapedeck.summary', {
        deserializeWebviewPanel: (panel, kept) => this.#restore(panel, kept),
      }),
    );
  }

  /** Tells the outcome of a run of several cases. */
  async announce(results: readonly RunResult[]): Promise<void> {
    this.#last = results.map(({ casePath }) => caseUri(casePath));
    const outcomes = results.map(runOutcome);
    const isBad = outcomes.some((outcome) => outcome === 'failed' || outcome === 'drifted');
    const show = isBad ? vscode.window.showWarningMessage : vscode.window.showInformationMessage;
    const fix = { title: t('Fix All…'), command: 'tapedeck.fixDrifts' } as const;
    const more = { title: t('Show Summary'), command: 'tapedeck.showRunSummary' } as const;
    const actions: readonly { readonly title: string; readonly command: CommandId }[] = outcomes.includes('drifted')
      ? [fix, more]
      : [more];
    const chosen = await show(summaryLine(results), ...actions);
    if (chosen !== undefined) await vscode.commands.executeCommand(chosen.command);
  }

  dispose(): void {
    this.#commands.dispose();
  }

  async #showLast(): Promise<void> {
    if (this.#last.length === 0)
      throw new HumanError(t('No run of several cases has ended in this window. Run "Tapedeck: Replay All" first.'));
    await this.#show(this.#last);
  }

  /** All cases whose last run drifted, however it was started. */
  async #showDrifts(): Promise<void> {
    const { cases, states } = this.parts;
    const { lastMiss } = await import('../drifts/driftedCase');
    await cases.load();
    const all = cases.all();
    const misses = await Promise.all(all.map(({ uri }) => lastMiss(states, uri)));
    const drifted = all.filter((_, index) => misses[index] !== undefined);
    if (drifted.length === 0)
      throw new HumanError(t('No case drifted in its last run. Run "Tapedeck: Replay All" to find out.'));
    await this.#show(drifted.map(({ uri }) => uri));
  }

  /** Restores the page after the window was reloaded. */
  async #restore(panel: vscode.WebviewPanel, kept: unknown): Promise<void> {
    await this.parts.cases.load();
    const { keptCases } = await import('./summaryPanel');
    const uris = keptCases(kept);
    if (uris.length === 0 || this.#panel !== undefined) panel.dispose();
    else await this.#show(uris, panel);
  }

  async #show(uris: readonly vscode.Uri[], restored?: vscode.WebviewPanel): Promise<void> {
    const { SummaryPanel, createSummaryPanel } = await import('./summaryPanel');
    this.#panel ??= new SummaryPanel(this.parts, restored ?? createSummaryPanel(), () => {
      this.#panel = undefined;
    });
    this.#panel.show(uris);
  }
}
