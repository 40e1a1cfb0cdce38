import * as vscode from 'vscode';
import type { RequestedMode, RunResult } from '../../core/model/run';
import type { RunEvent } from '../../protocol/engine';
import { enginePathOf } from '../base/caseUri';
import { confirm } from '../base/confirm';
import { requireTrust } from '../base/trust';
import type { EngineClient } from '../engine/engineClient';
import type { CaseEntry } from '../stores/caseEntry';
import type { RunStore } from '../stores/runStore';
import type { KeyStore } from './keyStore';
import { type RecordingPlan, type RecordingPlanner, recordableCases } from './recordingPlan';
import { recordingQuestion } from './recordingQuestions';

export interface RunRequest {
  readonly mode: RequestedMode;
  /** In a recording: the index of the first interaction to record again; those before it are kept. */
  readonly from?: number | undefined;
}

/** Runs cases in the engine. All runs are started here, whether from a lens, a command or the Test Explorer. */
export class CaseRunner {
  #nextRun = 1;

  constructor(
    private readonly engine: EngineClient,
    private readonly runs: RunStore,
    private readonly keys: KeyStore,
    private readonly planner: RecordingPlanner,
  ) {}

  /**
   * Runs the cases `chosen` and passes each event on. A recording has to be confirmed, and can be cancelled from its
   * notification. Rejects with `CancellationError` when it is declined or cancelled, and with a `HumanError` when none of
   * the cases is recorded by Tapedeck.
   */
  async run(
    chosen: readonly CaseEntry[],
    { mode, from }: RunRequest,
    token: vscode.CancellationToken,
    onEvent: (event: RunEvent) => void,
  ): Promise<readonly RunResult[]> {
    requireTrust();
    const entries = mode === 'record' ? recordableCases(chosen) : chosen;
    await saveAll(entries);
    const plans = mode === 'record' ? await this.planner.plan(entries, from) : [];
    if (plans.length > 0 && !(await confirm(recordingQuestion(plans)))) throw new vscode.CancellationError();
    await this.planner.allow(plans);
    const keys = await this.keys.stored(plans.flatMap(keyVariablesOf));
    return vscode.window.withProgress(progressOptions(entries, mode), async (_, cancelled) => {
      const results: RunResult[] = [];
      for (const root of new Set(entries.map(({ folder }) => folder.uri.fsPath))) {
        const cases = entries.filter(({ folder }) => folder.uri.fsPath === root);
        results.push(...(await this.#runFolder(root, cases, { mode, from }, keys, [token, cancelled], onEvent)));
      }
      return results;
    });
  }

  async #runFolder(
    root: string,
    entries: readonly CaseEntry[],
    { mode, from }: RunRequest,
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
      return await this.engine.call('run', { runId, root, casePaths, mode, from, keys }, { signal: abort.signal });
    } finally {
      subscription.dispose();
      for (const cancellation of cancellations) cancellation.dispose();
      this.runs.abandon(entries.map(({ uri }) => uri));
    }
  }
}

/** A replay is shown in the status bar; a recording, which costs time and money, as a notification with Cancel. */
function progressOptions(entries: readonly CaseEntry[], mode: RequestedMode): vscode.ProgressOptions {
  const what = entries.length === 1 ? entries[0]?.name : `${entries.length} cases`;
  return mode === 'replay'
    ? { location: vscode.ProgressLocation.Window, title: `Replaying ${what}` }
    : { location: vscode.ProgressLocation.Notification, title: `Recording ${what}`, cancellable: true };
}

/** Saves the files of the cases, because the engine reads them from disk. */
export async function saveAll(entries: readonly CaseEntry[]): Promise<void> {
  const files = new Set(entries.map(({ file }) => file.toString()));
  const dirty = vscode.workspace.textDocuments.filter(({ isDirty, uri }) => isDirty && files.has(uri.toString()));
  await Promise.all(dirty.map((document) => document.save()));
}

/** The variables whose values a recording sends to its hosts. */
export function keyVariablesOf({ targets }: RecordingPlan): readonly string[] {
  return targets.flatMap(({ variable }) => variable ?? []);
}
