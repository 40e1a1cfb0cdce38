import * as vscode from 'vscode';
import type { StabilityReport } from '../../../contracts/engine/stability';
import { t } from '../../../core/text/l10n';
import { enginePathOf } from '../../base/caseUri';
import { HumanError } from '../../base/humanError';
import { withCancellableProgress } from '../../base/progress';
import { requireTrust } from '../../base/trust';
import type { EngineClient } from '../../engine/engineClient';
import type { CaseEntry } from '../../stores/cases/caseEntry';
import type { KeyStore } from '../recordings/keyStore';
import { allowRecording } from '../recordings/prepareRecording';
import { type RecordingPlanner, recordableCases } from '../recordings/recordingPlan';
import { stabilityQuestion } from '../recordings/recordingQuestions';
import { countProblem } from '../recordings/sampleCount';
import { saveCases } from '../recordings/saveCases';

const TAKES = { min: 2, max: 50 } as const;

/** Records a case several times without replacing its tape, and reports what varies and how to make it stable. */
export class StabilityCheck {
  constructor(
    private readonly engine: EngineClient,
    readonly keys: Pick<KeyStore, 'stored'>,
    readonly planner: RecordingPlanner,
    private readonly extensionUri: vscode.Uri,
  ) {}

  async run(chosen: CaseEntry): Promise<void> {
    requireTrust();
    const [entry = chosen] = recordableCases([chosen]);
    await saveCases([entry]);
    const [plan] = await this.planner.plan([entry]);
    if (plan === undefined)
      throw new HumanError(
        t(
          '{0} does not call a provider: its responses are part of the case, and are the same in every run.',
          entry.name,
        ),
      );
    const times = await askTimes(entry.name);
    if (times === undefined) return;
    const keys = await allowRecording([plan], stabilityQuestion(plan, times), this);
    const found = await this.#record(entry, times, keys);
    const { showStability } = await import('./stabilityPanel');
    showStability(this.extensionUri, entry, found);
  }

  async #record(entry: CaseEntry, times: number, keys: Readonly<Record<string, string>>): Promise<StabilityReport> {
    const runId = `stability-${crypto.randomUUID()}`;
    return withCancellableProgress(t('Checking stability of {0}', entry.name), async (progress, signal) => {
      const takes = this.engine.onRunEvent((event) => {
        if (event.runId !== runId || event.type !== 'interaction') return;
        progress.report({ message: event.summary, increment: event.index === 0 ? 0 : 100 / times });
      });
      try {
        const params = { runId, root: entry.folder.uri.fsPath, casePath: enginePathOf(entry.uri), times, keys };
        return await this.engine.call('stability', params, { signal });
      } finally {
        takes.dispose();
      }
    });
  }
}

async function askTimes(name: string): Promise<number | undefined> {
  const text = await vscode.window.showInputBox({
    title: t('Check Stability of {0}', name),
    prompt: t('How many times to record it. The tape, the baseline and the last run are not changed.'),
    value: '5',
    validateInput: (value) => countProblem(value, TAKES),
  });
  return text !== undefined && countProblem(text, TAKES) === undefined ? Number(text) : undefined;
}
