import * as vscode from 'vscode';
import type { RunTrialParams, TrialEvent } from '../../../contracts/engine/trials';
import type { CurrentTape, SampleAddress, ShownTrial, TrialAdvance } from '../../../contracts/pages/trialPage';
import type { Trial, TrialCase } from '../../../core/model/trial';
import type { PriceTable } from '../../../core/prices/priceTable';
import { CONFIG_FILE } from '../../../core/project/layout';
import { message, t } from '../../../core/text/l10n';
import { loadCore } from '../../../reader/loadCore';
import { HumanError } from '../../base/humanError';
import { withCancellableProgress } from '../../base/progress';
import type { EngineClient } from '../../engine/engineClient';

/** The least time between two readings of a trial while it is recorded. */
const REFRESH_MS = 1000;

/** The trial of a project, stored or being recorded. */
export class TrialSession implements vscode.Disposable {
  readonly #changed = new vscode.EventEmitter<void>();
  readonly onDidChange = this.#changed.event;
  #trial: Trial | undefined;
  #current: readonly CurrentTape[] = [];
  #running: { readonly abort: AbortController; advance: TrialAdvance } | undefined;
  #refreshing: ReturnType<typeof setTimeout> | undefined;

  constructor(
    readonly root: vscode.Uri,
    private readonly engine: Pick<EngineClient, 'call' | 'onTrialEvent'>,
  ) {}

  get trial(): Trial | undefined {
    return this.#trial;
  }

  /** Reads the stored trial, except in Restricted Mode, where the engine reads nothing. */
  async load(): Promise<Trial | undefined> {
    if (!vscode.workspace.isTrusted) return undefined;
    await this.#put(await this.#kept());
    return this.#trial;
  }

  async #kept(): Promise<Trial | undefined> {
    return (await this.engine.call('storedTrial', { root: this.root.fsPath })) ?? undefined;
  }

  /** What the page shows. */
  get state(): ShownTrial {
    const { isTrusted } = vscode.workspace;
    const notice = t(isTrusted ? NO_TRIAL : RESTRICTED);
    return {
      folder: this.root.toString(),
      ...(this.#trial === undefined ? { notice } : { trial: this.#trial }),
      current: this.#current,
      ...(this.#running && { progress: this.#running.advance }),
      canRun: isTrusted,
    };
  }

  /** Records the missing samples. Rejects with `CancellationError` when cancelled, and keeps what was recorded until then. */
  async record(params: Omit<RunTrialParams, 'root' | 'trialId'>): Promise<void> {
    if (this.#running !== undefined)
      throw new HumanError(t('A trial of this project is being recorded: cancel it first.'));
    const trialId = crypto.randomUUID();
    const running = { abort: new AbortController(), advance: { done: 0, of: 0, running: [] } };
    this.#running = running;
    const subscription = this.engine.onTrialEvent((event) => {
      if (event.trialId === trialId) this.#advance(event);
    });
    const title = t('Trying {0}', params.models.join(', '));
    try {
      const trial = await withCancellableProgress(title, async (progress, signal) => {
        const told = this.onDidChange(() => progress.report({ message: advanceText(this.#running?.advance) }));
        const call = { ...params, root: this.root.fsPath, trialId };
        try {
          this.#changed.fire();
          return await this.engine.call('trial', call, { signal: AbortSignal.any([signal, running.abort.signal]) });
        } finally {
          told.dispose();
        }
      });
      this.#running = undefined;
      await this.#put(trial);
    } finally {
      subscription.dispose();
      await this.#end();
    }
  }

  cancel(): void {
    this.#running?.abort.abort();
  }

  dispose(): void {
    this.cancel();
    clearTimeout(this.#refreshing);
    this.#changed.dispose();
  }

  async #end(): Promise<void> {
    clearTimeout(this.#refreshing);
    this.#refreshing = undefined;
    if (this.#running === undefined) return;
    this.#running = undefined;
    await this.load();
  }

  #advance(event: TrialEvent): void {
    if (this.#running === undefined) return;
    const { done, of, state } = event;
    const others = this.#running.advance.running.filter((one) => !isSame(one, event));
    const { casePath, model, sample } = event;
    const running = state === 'started' ? [...others, { casePath, model, sample }] : others;
    this.#running.advance = { done, of, running };
    this.#changed.fire();
    this.#refreshing ??= setTimeout(() => void this.#refresh(), REFRESH_MS);
  }

  /** Shows what was recorded so far. The result at the end of the recording has more, and is not replaced. */
  async #refresh(): Promise<void> {
    const running = this.#running;
    // If the engine has ended, the recording reports that.
    const trial = await this.#kept().catch(() => undefined);
    this.#refreshing = undefined;
    if (trial !== undefined && running !== undefined && running === this.#running) await this.#put(trial);
  }

  async #put(trial: Trial | undefined): Promise<void> {
    // A recording changes no tape.
    if (this.#running === undefined || pathsOf(trial) !== pathsOf(this.#trial))
      this.#current = trial === undefined ? [] : await readCurrentTapes(this.root, trial.cases);
    this.#trial = trial;
    this.#changed.fire();
  }
}

const NO_TRIAL = message(
  'This project has no trial yet. Run “Tapedeck: Try Other Models…” to record its cases with other models.',
);
const RESTRICTED = message('Trials are not available in Restricted Mode. Trust this workspace to see the last one.');

function pathsOf(trial: Trial | undefined): string {
  return JSON.stringify(trial?.cases.map(({ casePath }) => casePath));
}

function isSame(left: SampleAddress, right: SampleAddress): boolean {
  return left.casePath === right.casePath && left.model === right.model && left.sample === right.sample;
}

function advanceText(advance: TrialAdvance | undefined): string {
  return advance === undefined || advance.of === 0 ? '' : t('{0} of {1} samples', advance.done, advance.of);
}

/** The current tapes of the cases, which the models are compared with. Cases without a tape are left out. */
async function readCurrentTapes(root: vscode.Uri, cases: readonly TrialCase[]): Promise<readonly CurrentTape[]> {
  const prices = await readPrices(root);
  const found = await Promise.all(
    cases.map(async ({ casePath, tapePath }) => {
      const totals = tapePath === undefined ? undefined : await readTotals(vscode.Uri.joinPath(root, tapePath), prices);
      return totals === undefined ? [] : [{ casePath, ...totals }];
    }),
  );
  return found.flat();
}

async function readTotals(
  uri: vscode.Uri,
  prices: PriceTable | undefined,
): Promise<Omit<CurrentTape, 'casePath'> | undefined> {
  const bytes = await readIfThere(uri);
  if (bytes === undefined) return undefined;
  const { decodeTapeFile, readTape, tapeTotals } = await loadCore();
  const tape = readTape(decodeTapeFile(uri.path, bytes));
  if (tape === undefined) return undefined;
  const { usage, cost, unpriced, durationMs } = tapeTotals(tape, prices);
  return {
    ...(usage.totalTokens > 0 && { tokens: usage.totalTokens }),
    ...(cost !== undefined && unpriced === undefined && { dollars: cost }),
    durationMs,
  };
}

async function readPrices(root: vscode.Uri): Promise<PriceTable | undefined> {
  const bytes = await readIfThere(vscode.Uri.joinPath(root, CONFIG_FILE));
  return bytes && (await loadCore()).readConfig(new TextDecoder().decode(bytes)).value?.prices;
}

async function readIfThere(uri: vscode.Uri): Promise<Uint8Array | undefined> {
  try {
    return await vscode.workspace.fs.readFile(uri);
  } catch (error) {
    if (error instanceof vscode.FileSystemError) return undefined;
    throw error;
  }
}
