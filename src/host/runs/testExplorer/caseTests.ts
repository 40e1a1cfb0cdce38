import * as vscode from 'vscode';
import type { RunEvent } from '../../../contracts/engine/engine';
import type { RequestedMode, RunResult, TapeUse } from '../../../core/model/run';
import { t } from '../../../core/text/l10n';
import { type LazyCore, loadCore } from '../../../reader/loadCore';
import { caseUri } from '../../base/caseUri';
import { reportError } from '../../base/humanError';
import type { Log } from '../../base/log';
import { onDidChangeSwitch } from '../../base/settings';
import type { CaseEntry } from '../../stores/cases/caseEntry';
import type { CaseStates } from '../../stores/cases/caseStates';
import type { CaseStore } from '../../stores/cases/caseStore';
import type { CaseRunner } from './caseRunner';
import { CaseTestItems, DEBUGGABLE } from './caseTestItems';
import { LastResults, showResult } from './lastResults';
import { TestOutput } from './testOutput';
import { mergeTapeUses, TapeCoverage } from './testResults';

/** The cases in the Test Explorer, which shows the state of all runs. */
export class CaseTests implements vscode.Disposable {
  readonly #controller = vscode.tests.createTestController('tapedeck', 'Tapedeck');
  readonly #items: CaseTestItems;
  readonly #results: LastResults;
  readonly #profiles: Record<'replay' | 'record', vscode.TestRunProfile>;
  readonly #subscriptions: vscode.Disposable[] = [this.#controller];

  constructor(
    private readonly cases: CaseStore,
    private readonly states: CaseStates,
    private readonly runner: CaseRunner,
    private readonly log: Log,
  ) {
    this.#items = new CaseTestItems(this.#controller, cases, states);
    this.#results = new LastResults(this.#controller, this.#items, cases, states);
    this.#profiles = { replay: this.#replayProfile(), record: this.#recordProfile() };
    this.#addCoverageProfile();
    this.#addDebugProfile();
    this.#controller.resolveHandler = (item) => (item === undefined ? this.cases.load() : undefined);
    this.#controller.refreshHandler = () => this.cases.reload();
    this.#subscriptions.push(
      this.#results,
      cases.onDidChange((uris) => this.#items.update(uris)),
      onDidChangeSwitch('gutter.enabled', () => this.#items.update(cases.all().map(({ uri }) => uri))),
    );
  }

  /**
   * Runs cases as the Test Explorer does, so that it shows the result however the run was started. Returns no results where
   * the run could not be started, which is reported.
   */
  async run(entries: readonly CaseEntry[], mode: 'replay' | 'record', from?: number): Promise<readonly RunResult[]> {
    this.#items.update(entries.map(({ uri }) => uri));
    const items = entries.flatMap(({ uri }) => this.#items.of(uri) ?? []);
    const request = new vscode.TestRunRequest(items, undefined, this.#profiles[mode]);
    return this.#run(request, mode, { from });
  }

  dispose(): void {
    for (const subscription of this.#subscriptions) subscription.dispose();
  }

  #replayProfile(): vscode.TestRunProfile {
    const start = async (request: vscode.TestRunRequest, token: vscode.CancellationToken) => {
      if (request.continuous) await this.#watch(request, token);
      else await this.#run(request, 'replay', { token });
    };
    return this.#controller.createRunProfile(t('Replay'), vscode.TestRunProfileKind.Run, start, true, undefined, true);
  }

  #recordProfile(): vscode.TestRunProfile {
    const start = async (request: vscode.TestRunRequest, token: vscode.CancellationToken) => {
      await this.#run(request, 'record', { token });
    };
    return this.#controller.createRunProfile(t('Re-record'), vscode.TestRunProfileKind.Run, start, false);
  }

  #addCoverageProfile(): void {
    const start = async (request: vscode.TestRunRequest, token: vscode.CancellationToken) => {
      await this.#run(request, 'replay', { token, withCoverage: true });
    };
    const kind = vscode.TestRunProfileKind.Coverage;
    const profile = this.#controller.createRunProfile(t('Replay with Tape Coverage'), kind, start, true);
    profile.loadDetailedCoverage = async (_, coverage) =>
      coverage instanceof TapeCoverage ? await coverage.details() : [];
  }

  /** Runs the agents of cases that have their own under a debugger. */
  #addDebugProfile(): void {
    const start = async (request: vscode.TestRunRequest, token: vscode.CancellationToken) => {
      await this.#run(request, 'replay', { token, debug: true });
    };
    this.#controller.createRunProfile(t('Debug Replay'), vscode.TestRunProfileKind.Debug, start, true, DEBUGGABLE);
  }

  /** Replays cases when something changes on which they depend, until the request is cancelled. It never records. */
  async #watch(request: vscode.TestRunRequest, token: vscode.CancellationToken): Promise<void> {
    const watched = () => (request.include === undefined ? this.cases.all() : this.#items.chosen(request));
    const replay = (entries: readonly CaseEntry[]): void => {
      const items = entries.flatMap(({ uri }) => this.#items.of(uri) ?? []);
      void this.#run(new vscode.TestRunRequest(items, undefined, request.profile, true), 'replay', { token });
    };
    const { watchReplays } = await import('./watchReplays');
    const watcher = watchReplays({ cases: this.cases, states: this.states, watched, replay });
    if (token.isCancellationRequested) watcher.dispose();
    token.onCancellationRequested(() => watcher.dispose());
  }

  async #run(
    request: vscode.TestRunRequest,
    mode: RequestedMode,
    { token, withCoverage = false, from, debug }: RunOptions,
  ): Promise<readonly RunResult[]> {
    // VS Code need not keep the results: those of the last runs are on disk, with what they hold for.
    const run = this.#controller.createTestRun(request, undefined, false);
    const cancel = new vscode.CancellationTokenSource();
    const subscriptions = [token, run.token].map((source) => source?.onCancellationRequested(() => cancel.cancel()));
    const uses: TapeUse[] = [];
    const output = new TestOutput<vscode.TestItem>((text, item) => run.appendOutput(text, undefined, item));
    let uris: readonly vscode.Uri[] = [];
    try {
      await this.cases.load();
      const entries = this.#items.chosen(request);
      uris = entries.map(({ uri }) => uri);
      this.#results.began(uris);
      for (const { uri } of entries) this.#withItem(uri, (item) => run.enqueued(item));
      const { diffText } = await loadCore();
      const results = await this.runner.run(entries, { mode, from, debug }, cancel.token, (event) => {
        if (event.type === 'finished') uses.push(...(event.result.tapeUses ?? []));
        this.#show(run, output, event, diffText);
      });
      if (withCoverage) for (const use of mergeTapeUses(uses)) run.addCoverage(new TapeCoverage(use));
      return results;
    } catch (error) {
      void reportError(error, this.log);
      return [];
    } finally {
      for (const subscription of subscriptions) subscription?.dispose();
      cancel.dispose();
      output.end();
      run.end();
      this.#results.ended(uris);
    }
  }

  #show(
    run: vscode.TestRun,
    output: TestOutput<vscode.TestItem>,
    event: RunEvent,
    diffText: LazyCore['diffText'],
  ): void {
    const { casePath } = event;
    this.#withItem(caseUri(casePath), (item, entry) => {
      if (event.type === 'started') {
        run.started(item);
        output.started(casePath, item, entry.name);
      }
      if (event.type === 'interaction') output.interaction(casePath, event.index, event.summary);
      if (event.type === 'finished') {
        output.finished(casePath, event.result);
        this.#finish(run, item, entry, event.result, diffText);
      }
    });
  }

  /** Of a run that is cancelled nothing is shown: its case keeps the result that it had. */
  #finish(
    run: vscode.TestRun,
    item: vscode.TestItem,
    entry: CaseEntry,
    { status, ...result }: RunResult,
    diffText: LazyCore['diffText'],
  ): void {
    if (status === 'cancelled') return;
    showResult(run, item, entry, { ...result, status }, diffText);
    this.#results.told(entry.uri);
  }

  #withItem(uri: vscode.Uri, action: (item: vscode.TestItem, entry: CaseEntry) => void): void {
    const item = this.#items.of(uri);
    const entry = this.cases.get(uri);
    if (item && entry) action(item, entry);
  }
}

/** The options of a run, besides its mode. */
interface RunOptions {
  readonly token?: vscode.CancellationToken;
  readonly withCoverage?: boolean;
  readonly debug?: true;
  /** In a recording: the index of the first interaction to record again. */
  readonly from?: number | undefined;
}
