import * as vscode from 'vscode';
import type { RunEvent } from '../../../contracts/engine/engine';
import type { RequestedMode, RunResult, TapeUse } from '../../../core/model/run';
import type { RunRecord } from '../../../core/model/runRecord';
import { isOutdated } from '../../../core/runs/caseState';
import { t } from '../../../core/text/l10n';
import { type LazyCore, loadCore } from '../../../reader/loadCore';
import { caseUri } from '../../base/caseUri';
import { Debouncer } from '../../base/debounce';
import { DisposableStore } from '../../base/disposable';
import { reportError } from '../../base/humanError';
import type { Log } from '../../base/log';
import { onDidChangeSwitch } from '../../base/settings';
import type { CaseEntry } from '../../stores/cases/caseEntry';
import type { CaseStates, KnownCase } from '../../stores/cases/caseStates';
import type { CaseStore } from '../../stores/cases/caseStore';
import type { CaseRunner } from './caseRunner';
import { CaseTestItems, DEBUGGABLE } from './caseTestItems';
import { GutterIcons } from './gutterIcons';
import { TestOutput } from './testOutput';
import { failureMessages, mergeTapeUses, TapeCoverage } from './testResults';

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

const SETTLE_MS = 100;

/** How many cases are looked up at a time. */
const READERS = 64;

/** What the Test Explorer shows of a case. */
interface Shown {
  /** When the run ended whose result it is. */
  readonly finishedAtMs: number;
  readonly isOutdated: boolean;
}

/** A case with its item and its last run. */
interface Found {
  readonly uri: vscode.Uri;
  readonly known: KnownCase;
  readonly item: vscode.TestItem;
  readonly entry: CaseEntry;
  readonly run: RunRecord;
}

type LastResult = Pick<RunRecord, 'status' | 'failures' | 'durationMs'>;

/**
 * Keeps the results in the Test Explorer equal to the states of the cases: it marks outdated ones, and shows those of runs that began
 * elsewhere, on the command line or before the window was loaded.
 */
class LastResults implements vscode.Disposable {
  readonly #owned = new DisposableStore();
  readonly #icons: GutterIcons;
  readonly #shown = new Map<string, Shown>();
  /** How many test runs each case is in. */
  readonly #running = new Map<string, number>();
  /** Cases whose last result was shown as it came. */
  readonly #told = new Set<string>();
  readonly #debounced = this.#owned.add(new Debouncer<vscode.Uri>(SETTLE_MS, (uris) => void this.#follow(uris)));

  constructor(
    private readonly controller: vscode.TestController,
    private readonly items: CaseTestItems,
    private readonly cases: CaseStore,
    private readonly states: CaseStates,
  ) {
    this.#icons = this.#owned.add(new GutterIcons(items));
    this.#owned.add(
      states.onDidChange((uris) => {
        for (const uri of uris) this.#debounced.add(uri.toString(), uri);
      }),
    );
  }

  /** Leaves cases to a test run, until `ended`: to mark a result as outdated would mark the one that is coming, too. */
  began(uris: readonly vscode.Uri[]): void {
    for (const uri of uris) this.#running.set(uri.toString(), (this.#running.get(uri.toString()) ?? 0) + 1);
  }

  ended(uris: readonly vscode.Uri[]): void {
    for (const uri of uris) {
      const key = uri.toString();
      const others = (this.#running.get(key) ?? 1) - 1;
      if (others > 0) this.#running.set(key, others);
      else this.#running.delete(key);
      // A run without a result leaves none in the Test Explorer: the one before is shown again.
      if (!this.#told.has(key)) this.#shown.delete(key);
      this.#debounced.add(key, uri);
    }
  }

  /** Call it when a test run has shown the result of a case that has just ended. */
  told(uri: vscode.Uri): void {
    this.#told.add(uri.toString());
  }

  dispose(): void {
    this.#owned.dispose();
  }

  async #follow(uris: readonly vscode.Uri[]): Promise<void> {
    const found: Found[] = [];
    const ran = await this.states.ranAmong(uris);
    for (let at = 0; at < ran.length; at += READERS) {
      const batch = ran.slice(at, at + READERS);
      const known = await Promise.all(batch.map((uri) => this.states.get(uri)));
      found.push(...batch.flatMap((uri, index) => this.#find(uri, known[index]) ?? []));
    }
    for (const uri of ran) this.items.note(uri);
    if (found.length === 0) return;
    const { diffText } = await loadCore();
    // Others may have changed, or begun to run, while these were looked up.
    this.#apply(
      found.filter(({ uri, known }) => this.states.last(uri) === known && !this.#running.has(uri.toString())),
      diffText,
    );
  }

  #find(uri: vscode.Uri, known: KnownCase | undefined): Found | undefined {
    const item = this.items.of(uri);
    const entry = this.cases.get(uri);
    const run = known?.run;
    if (known === undefined || item === undefined || entry === undefined || run === undefined) return undefined;
    return { uri, known, item, entry, run };
  }

  #apply(found: readonly Found[], diffText: LazyCore['diffText']): void {
    const unshown: Found[] = [];
    const outdated: vscode.TestItem[] = [];
    for (const one of found) {
      const { item, known, run } = one;
      const now = { finishedAtMs: run.finishedAtMs, isOutdated: isOutdated(known.state) };
      const was = this.#wasShown(item.id, now);
      this.#shown.set(item.id, now);
      if (was === undefined || (was.isOutdated && !now.isOutdated)) unshown.push(one);
      if (now.isOutdated && !was?.isOutdated) outdated.push(item);
    }
    if (unshown.length > 0) this.#show(unshown, diffText);
    if (outdated.length > 0) this.controller.invalidateTestResults(outdated);
    this.#icons.redraw([...outdated, ...unshown.map(({ item }) => item)]);
  }

  /** What is shown of the run that ended then; undefined if it has not been shown. */
  #wasShown(key: string, { finishedAtMs }: Shown): Shown | undefined {
    const shown = this.#shown.get(key);
    if (shown?.finishedAtMs === finishedAtMs) return shown;
    return this.#told.delete(key) ? { finishedAtMs, isOutdated: false } : undefined;
  }

  #show(found: readonly Found[], diffText: LazyCore['diffText']): void {
    const request = new vscode.TestRunRequest(found.map(({ item }) => item));
    const shown = this.controller.createTestRun(request, t('Last Results'), false);
    for (const { item, entry, run } of found) showResult(shown, item, entry, run, diffText);
    shown.end();
  }
}

/** Shows the result of a case in a test run. */
function showResult(
  run: vscode.TestRun,
  item: vscode.TestItem,
  entry: CaseEntry,
  { status, failures, durationMs }: LastResult,
  diffText: LazyCore['diffText'],
): void {
  if (status === 'passed') {
    run.passed(item, durationMs);
    return;
  }
  const messages = failures.flatMap((failure) => failureMessages(failure, entry, diffText));
  // "Errored" shows that the case stopped before its assertions were checked.
  const isJudged = failures.every(({ kind }) => kind === 'assertion' || kind === 'difference');
  if (isJudged) run.failed(item, messages, durationMs);
  else run.errored(item, messages, durationMs);
}
