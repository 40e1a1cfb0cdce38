import * as vscode from 'vscode';
import { formatRetakeCost } from '../../core/prices/cost';
import type { StabilityFound } from '../../protocol/engine';
import { casePathOf, relativeCasePath } from '../base/caseUri';
import { HumanError } from '../base/humanError';
import type { ReportDocuments } from '../base/reportDocuments';
import type { CaseEntry } from '../stores/caseEntry';
import { requireTrust, saveAll, variableOf } from './caseRunner';
import type { EngineClient } from './engineClient';
import type { KeyStore } from './keyStore';
import { pasteSnippets } from './pasteSnippets';
import { asked, planRecordings, type RecordingPlan, recordableHere } from './recordingPlan';

const TIMES = { least: 2, usual: 5, most: 50 };

/** Records a case several times aside, after asking, and shows what varies and what would hold it still. */
export class StabilityCheck {
  #next = 1;

  constructor(
    private readonly engine: EngineClient,
    private readonly keys: KeyStore,
    private readonly reports: ReportDocuments,
  ) {}

  async run(chosen: CaseEntry): Promise<void> {
    requireTrust();
    const [entry = chosen] = recordableHere([chosen]);
    await saveAll([entry]);
    const [plan] = await planRecordings([entry]);
    if (plan === undefined)
      throw new HumanError(`${entry.name} asks no provider: its answers are in the case, and the same in every run.`);
    const times = await askTimes(entry.name);
    if (times === undefined || !(await confirm(plan, times))) return;
    const found = await this.#record(plan, times);
    const report = this.reports.put(`${relativeCasePath(entry.uri)}: stability`, found.report);
    await vscode.window.showTextDocument(report, { preview: false });
    void offer(entry, found);
  }

  async #record(plan: RecordingPlan, times: number): Promise<StabilityFound> {
    const { entry } = plan;
    const keys = await this.keys.stored(variableOf(plan));
    const runId = `stability-${this.#next++}`;
    const options = {
      location: vscode.ProgressLocation.Notification,
      title: `Recording ${entry.name} aside`,
      cancellable: true,
    };
    return vscode.window.withProgress(options, async (progress, token) => {
      const abort = new AbortController();
      const cancellation = token.onCancellationRequested(() => abort.abort());
      const takes = this.engine.onRun((event) => {
        if (event.runId !== runId || event.type !== 'interaction') return;
        progress.report({ message: event.summary, increment: event.index === 0 ? 0 : 100 / times });
      });
      try {
        const params = { runId, root: entry.folder.uri.fsPath, casePath: casePathOf(entry.uri), times, keys };
        return await this.engine.call('stability', params, { signal: abort.signal });
      } finally {
        takes.dispose();
        cancellation.dispose();
      }
    });
  }
}

async function askTimes(name: string): Promise<number | undefined> {
  const text = await vscode.window.showInputBox({
    title: `Check Stability of ${name}`,
    prompt: 'How many times to record it. The tape, the baseline and the last run stay as they are.',
    value: String(TIMES.usual),
    validateInput: (value) => (isTimes(value) ? undefined : `A whole number from ${TIMES.least} to ${TIMES.most}.`),
  });
  return text !== undefined && isTimes(text) ? Number(text) : undefined;
}

function isTimes(text: string): boolean {
  return /^\d{1,3}$/.test(text) && Number(text) >= TIMES.least && Number(text) <= TIMES.most;
}

/** Says who will be asked and what that takes, before anything is spent. False when the user declines. */
async function confirm(plan: RecordingPlan, times: number): Promise<boolean> {
  const { entry, cost } = plan;
  const { calls = 0, dollars } = cost ?? {};
  const all = { calls: calls * times, ...(dollars !== undefined && { dollars: dollars * times }) };
  const price = calls === 0 ? `${times} runs; there is no tape yet to go by` : formatRetakeCost(all);
  const detail = `${entry.name} ${asked(plan)}.\nThat is ${price}.\n\nThe takes go to .tapedeck/stability.`;
  const options = { modal: true, detail };
  const chosen = await vscode.window.showInformationMessage(`Record ${entry.name} ${times} times?`, options, 'Record');
  return chosen === 'Record';
}

/** What was found, and the way to take what is proposed: as edits, which can be undone. */
async function offer(entry: CaseEntry, { summary, snippets }: StabilityFound): Promise<void> {
  const action = 'Add to Files';
  const chosen = await vscode.window.showInformationMessage(summary, ...(snippets.length > 0 ? [action] : []));
  if (chosen === action) await pasteSnippets(entry, snippets);
}
