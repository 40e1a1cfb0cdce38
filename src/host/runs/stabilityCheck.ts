import * as vscode from 'vscode';
import { CONFIG_FILE } from '../../core/project/layout';
import type { StabilityReport } from '../../protocol/engine';
import { loadCore } from '../../reader/loadCore';
import { enginePathOf, relativeCasePath } from '../base/caseUri';
import { confirm } from '../base/confirm';
import { fileExists } from '../base/files';
import { HumanError } from '../base/humanError';
import type { ReportDocuments } from '../base/reportDocuments';
import { requireTrust } from '../base/trust';
import type { EngineClient } from '../engine/engineClient';
import type { CaseEntry } from '../stores/caseEntry';
import { keyVariablesOf, saveAll } from './caseRunner';
import type { KeyStore } from './keyStore';
import { type RecordingPlan, type RecordingPlanner, recordableCases } from './recordingPlan';
import { stabilityQuestion } from './recordingQuestions';

const TAKE_COUNTS = { min: 2, default: 5, max: 50 };

/** Records a case several times without replacing its tape, and reports what varies and how to make it stable. */
export class StabilityCheck {
  #next = 1;

  constructor(
    private readonly engine: EngineClient,
    private readonly keys: KeyStore,
    private readonly planner: RecordingPlanner,
    private readonly reports: ReportDocuments,
  ) {}

  async run(chosen: CaseEntry): Promise<void> {
    requireTrust();
    const [entry = chosen] = recordableCases([chosen]);
    await saveAll([entry]);
    const [plan] = await this.planner.plan([entry]);
    if (plan === undefined)
      throw new HumanError(
        `${entry.name} does not call a provider: its responses are part of the case, and are the same in every run.`,
      );
    const times = await askTimes(entry.name);
    if (times === undefined || !(await confirm(stabilityQuestion(plan, times)))) return;
    await this.planner.allow([plan]);
    const found = await this.#record(plan, times);
    const report = this.reports.put(`${relativeCasePath(entry.uri)}: stability`, found.report);
    await vscode.window.showTextDocument(report, { preview: false });
    void offerSnippets(entry, found);
  }

  async #record(plan: RecordingPlan, times: number): Promise<StabilityReport> {
    const { entry } = plan;
    const keys = await this.keys.stored(keyVariablesOf(plan));
    const runId = `stability-${this.#next++}`;
    const options = {
      location: vscode.ProgressLocation.Notification,
      title: `Checking stability of ${entry.name}`,
      cancellable: true,
    };
    return vscode.window.withProgress(options, async (progress, token) => {
      const abort = new AbortController();
      const cancellation = token.onCancellationRequested(() => abort.abort());
      const takes = this.engine.onRunEvent((event) => {
        if (event.runId !== runId || event.type !== 'interaction') return;
        progress.report({ message: event.summary, increment: event.index === 0 ? 0 : 100 / times });
      });
      try {
        const params = { runId, root: entry.folder.uri.fsPath, casePath: enginePathOf(entry.uri), times, keys };
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
    prompt: 'How many times to record it. The tape, the baseline and the last run are not changed.',
    value: String(TAKE_COUNTS.default),
    validateInput: (value) =>
      isTimes(value) ? undefined : `Enter a whole number from ${TAKE_COUNTS.min} to ${TAKE_COUNTS.max}.`,
  });
  return text !== undefined && isTimes(text) ? Number(text) : undefined;
}

function isTimes(text: string): boolean {
  return /^\d{1,3}$/.test(text) && Number(text) >= TAKE_COUNTS.min && Number(text) <= TAKE_COUNTS.max;
}

/** Shows the summary and offers to add the proposed TOML, as edits that can be undone. */
async function offerSnippets(entry: CaseEntry, { summary, snippets }: StabilityReport): Promise<void> {
  const action = 'Add to Files';
  const chosen = await vscode.window.showInformationMessage(summary, ...(snippets.length > 0 ? [action] : []));
  if (chosen === action) await writeSnippets(entry, snippets);
}

/** Adds the proposed TOML to the files of the project and the case, and shows them. */
export async function writeSnippets(entry: CaseEntry, snippets: StabilityReport['snippets']): Promise<void> {
  const { pasteSnippet } = await loadCore();
  const files = { project: vscode.Uri.joinPath(entry.folder.uri, CONFIG_FILE), case: entry.file };
  for (const file of ['project', 'case'] as const) {
    const own = snippets.filter((snippet) => snippet.file === file);
    if (own.length === 0) continue;
    const edit = new vscode.WorkspaceEdit();
    if (!(await fileExists(files[file]))) edit.createFile(files[file]);
    const text = await textOf(files[file]);
    const whole = new vscode.Range(0, 0, text.split('\n').length, 0);
    edit.replace(files[file], whole, own.reduce(pasteSnippet, text));
    await vscode.workspace.applyEdit(edit);
    await vscode.window.showTextDocument(files[file], { preview: false });
  }
}

async function textOf(uri: vscode.Uri): Promise<string> {
  return (await fileExists(uri)) ? (await vscode.workspace.openTextDocument(uri)).getText() : '';
}
