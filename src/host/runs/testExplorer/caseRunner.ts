import * as vscode from 'vscode';
import type { RunEvent } from '../../../contracts/engine/engine';
import type { RequestedMode, RunResult } from '../../../core/model/run';
import { plural } from '../../../core/text/counts';
import { t } from '../../../core/text/l10n';
import { enginePathOf } from '../../base/caseUri';
import { requireTrust } from '../../base/trust';
import type { EngineClient } from '../../engine/engineClient';
import type { CaseEntry } from '../../stores/cases/caseEntry';
import type { RunStore } from '../../stores/runs/runStore';
import type { PreparedRecording } from '../recordings/prepareRecording';
import { saveCases } from '../recordings/saveCases';

interface RunRequest {
  readonly mode: RequestedMode;
  /** In a recording: the index of the first interaction to record again; those before it are kept. */
  readonly from?: number | undefined;
  /** The user's own agents are run with a debugger. */
  readonly debug?: true | undefined;
}

/** Runs cases in the engine. All runs are started here, whether from a lens, a command or the Test Explorer. */
export class CaseRunner {
  #nextRun = 1;

  constructor(
    private readonly engine: EngineClient,
    private readonly runs: RunStore,
    private readonly prepare: (chosen: readonly CaseEntry[], from?: number) => Promise<PreparedRecording>,
  ) {}

  /**
   * Runs the cases `chosen` and passes each event on. A recording has to be confirmed, and can be cancelled from its
   * notification. Rejects with `CancellationError` when it is declined or cancelled, and with a `HumanError` when none of
   * the cases is recorded by Tapedeck.
   */
  async run(
    chosen: readonly CaseEntry[],
    { mode, from, debug }: RunRequest,
    token: vscode.CancellationToken,
    onEvent: (event: RunEvent) => void,
  ): Promise<readonly RunResult[]> {
    requireTrust();
    await saveCases(chosen);
    const { entries, keys } = mode === 'record' ? await this.prepare(chosen, from) : { entries: chosen, keys: {} };
    return vscode.window.withProgress(progressOptions(entries, mode), async (_, cancelled) => {
      const results: RunResult[] = [];
      for (const root of new Set(entries.map(({ folder }) => folder.uri.fsPath))) {
        const cases = entries.filter(({ folder }) => folder.uri.fsPath === root);
        results.push(...(await this.#runFolder(root, cases, { mode, from, debug }, keys, [token, cancelled], onEvent)));
      }
      return results;
    });
  }

  async #runFolder(
    root: string,
    entries: readonly CaseEntry[],
    { mode, from, debug }: RunRequest,
    keys: Readonly<Record<string, string>>,
    tokens: readonly vscode.CancellationToken[],
    onEvent: (event: RunEvent) => void,
  ): Promise<readonly RunResult[]> {
    const runId = String(this.#nextRun++);
    const abort = new AbortController();
    const cancellations = tokens.map((token) => token.onCancellationRequested(() => abort.abort()));
    if (tokens.some((token) => token.isCancellationRequested)) abort.abort();
    const subscription = this.engine.onRunEvent((event) => {
      if (event.runId !== runId) return;
      this.runs.apply(event, mode);
      onEvent(event);
    });
    try {
      const casePaths = entries.map(({ uri }) => enginePathOf(uri));
      const params = { runId, root, casePaths, mode, from, debug, keys };
      return await this.engine.call('run', params, { signal: abort.signal });
    } finally {
      subscription.dispose();
      for (const cancellation of cancellations) cancellation.dispose();
      this.runs.abandon(entries.map(({ uri }) => uri));
    }
  }
}

/** A replay is shown in the status bar; a recording, which costs time and money, as a notification with Cancel. */
function progressOptions(entries: readonly CaseEntry[], mode: RequestedMode): vscode.ProgressOptions {
  const what = entries.length === 1 ? entries[0]?.name : plural(entries.length, 'case');
  return mode === 'replay'
    ? { location: vscode.ProgressLocation.Window, title: t('Replaying {0}', what ?? '') }
    : { location: vscode.ProgressLocation.Notification, title: t('Recording {0}', what ?? ''), cancellable: true };
}
