import * as vscode from 'vscode';
import type { StabilityReport } from '../../protocol/stability';
import { enginePathOf } from '../base/caseUri';
import { confirm } from '../base/confirm';
import { HumanError } from '../base/humanError';
import { requireTrust } from '../base/trust';
import type { EngineClient } from '../engine/engineClient';
import type { CaseEntry } from '../stores/caseEntry';
import type { KeyStore } from './keyStore';
import { keyVariablesOf, type RecordingPlan, type RecordingPlanner, recordableCases } from './recordingPlan';
import { stabilityQuestion } from './recordingQuestions';
import { saveCases } from './saveCases';

const TAKE_COUNTS = { min: 2, default: 5, max: 50 };

/** Records a case several times without replacing its tape, and reports what varies and how to make it stable. */
export class StabilityCheck {
  constructor(
    private readonly engine: EngineClient,
    private readonly keys: KeyStore,
    private readonly planner: RecordingPlanner,
    private readonly extensionUri: vscode.Uri,
  ) {}

  async run(chosen: CaseEntry): Promise<void> {
    requireTrust();
    const [entry = chosen] = recordableCases([chosen]);
    await saveCases([entry]);
    const [plan] = await this.planner.plan([entry]);
    if (plan === undefined)
      throw new HumanError(
        `${entry.name} does not call a provider: its responses are part of the case, and are the same in every run.`,
      );
    const times = await askTimes(entry.name);
    if (times === undefined || !(await confirm(stabilityQuestion(plan, times)))) return;
    await this.planner.allow([plan]);
    const found = await this.#record(plan, times);
    const { showStability } = await import('./stability/stabilityPanel');
    showStability(this.extensionUri, entry, found);
  }

  async #record(plan: RecordingPlan, times: number): Promise<StabilityReport> {
    const { entry } = plan;
    const keys = await this.keys.stored(keyVariablesOf(plan));
    const runId = `stability-${crypto.randomUUID()}`;
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
