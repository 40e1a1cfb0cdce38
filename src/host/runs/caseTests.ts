import * as vscode from 'vscode';
import type { Failure, RequestedMode, RunResult } from '../../core/runs/run';
import type { RunEvent } from '../../protocol/engine';
import { reportError } from '../base/humanError';
import type { Log } from '../base/log';
import type { CaseEntry } from '../stores/caseEntry';
import type { CaseStore } from '../stores/caseStore';
import type { CaseRunner } from './caseRunner';

/** The cases in the Test Explorer: the one place where run states live. */
export class CaseTests implements vscode.Disposable {
  readonly #controller = vscode.tests.createTestController('tapedeck', 'Tapedeck');
  readonly #profiles: Record<'replay' | 'record', vscode.TestRunProfile>;
  readonly #subscriptions: vscode.Disposable[] = [this.#controller];

  constructor(
    private readonly cases: CaseStore,
    private readonly runner: CaseRunner,
    private readonly log: Log,
  ) {
    this.#profiles = {
      replay: this.#profile('Replay', 'replay', true),
      record: this.#profile('Re-record', 'record', false),
    };
    this.#controller.resolveHandler = (item) => (item === undefined ? this.cases.load() : undefined);
    this.#controller.refreshHandler = () => this.cases.reload();
    this.#subscriptions.push(cases.onDidChange((uris) => this.#updateAll(uris)));
  }

  /** Runs cases as the Test Explorer does, so that the result shows there however the run was started. */
  async run(entries: readonly CaseEntry[], mode: 'replay' | 'record'): Promise<void> {
    this.#updateAll(entries.map(({ uri }) => uri));
    const items = entries.flatMap(({ uri }) => this.#item(uri) ?? []);
    const request = new vscode.TestRunRequest(items, undefined, this.#profiles[mode]);
    await this.#run(request, mode);
  }

  dispose(): void {
    for (const subscription of this.#subscriptions) subscription.dispose();
  }

  #profile(label: string, mode: RequestedMode, isDefault: boolean): vscode.TestRunProfile {
    const run = (request: vscode.TestRunRequest, token: vscode.CancellationToken) => this.#run(request, mode, token);
    return this.#controller.createRunProfile(label, vscode.TestRunProfileKind.Run, run, isDefault);
  }

  async #run(request: vscode.TestRunRequest, mode: RequestedMode, token?: vscode.CancellationToken): Promise<void> {
    const run = this.#controller.createTestRun(request);
    const cancel = new vscode.CancellationTokenSource();
    const subscriptions = [token, run.token].map((source) => source?.onCancellationRequested(() => cancel.cancel()));
    try {
      await this.cases.load();
      const entries = this.#chosen(request);
      for (const { uri } of entries) this.#withItem(uri, (item) => run.enqueued(item));
      await this.runner.run(entries, mode, cancel.token, (event) => this.#show(run, event));
    } catch (error) {
      void reportError(error, this.log);
    } finally {
      for (const subscription of subscriptions) subscription?.dispose();
      cancel.dispose();
      run.end();
    }
  }

  /** The cases of a request, its folders opened and its exclusions left out. */
  #chosen({ include, exclude }: vscode.TestRunRequest): readonly CaseEntry[] {
    const excluded = new Set(exclude);
    const leaves = (item: vscode.TestItem): vscode.TestItem[] => {
      if (excluded.has(item)) return [];
      return item.children.size === 0 ? [item] : collect(item.children).flatMap(leaves);
    };
    const items = (include ?? collect(this.#controller.items)).flatMap(leaves);
    return items.flatMap(({ uri }) => (uri && this.cases.get(uri)) ?? []);
  }

  #show(run: vscode.TestRun, event: RunEvent): void {
    this.#withItem(vscode.Uri.file(event.casePath), (item, entry) => {
      if (event.type === 'started') run.started(item);
      if (event.type === 'interaction') run.appendOutput(`${entry.name}: ${event.summary}\r\n`, undefined, item);
      if (event.type === 'finished') this.#finish(run, item, entry, event.result);
    });
  }

  #finish(run: vscode.TestRun, item: vscode.TestItem, entry: CaseEntry, result: RunResult): void {
    run.appendOutput(`${entry.name}: ${result.status}; compared: ${result.compared}\r\n`, undefined, item);
    if (result.status === 'cancelled') run.skipped(item);
    else if (result.status === 'passed') run.passed(item, result.durationMs);
    else {
      const messages = result.failures.map((failure) => messageOf(failure, entry));
      // Only "errored" tells the reader that the case did not get as far as being judged.
      const judged = result.failures.every(({ kind }) => kind === 'assertion' || kind === 'difference');
      if (judged) run.failed(item, messages, result.durationMs);
      else run.errored(item, messages, result.durationMs);
    }
  }

  #withItem(uri: vscode.Uri, action: (item: vscode.TestItem, entry: CaseEntry) => void): void {
    const item = this.#item(uri);
    const entry = this.cases.get(uri);
    if (item && entry) action(item, entry);
  }

  #item(uri: vscode.Uri): vscode.TestItem | undefined {
    const entry = this.cases.get(uri);
    return entry && this.#collection(entry, false)?.get(uri.toString());
  }

  #updateAll(uris: readonly vscode.Uri[]): void {
    for (const uri of uris) this.#update(uri);
  }

  /** Adds, changes in place or removes the item of one case. */
  #update(uri: vscode.Uri): void {
    const entry = this.cases.get(uri);
    if (entry === undefined) {
      this.#remove(uri);
      return;
    }
    const collection = this.#collection(entry, true);
    const known = collection?.get(uri.toString());
    const item = known ?? this.#controller.createTestItem(uri.toString(), entry.name, uri);
    item.label = entry.name;
    item.description = entry.relativePath.slice(entry.relativePath.lastIndexOf('/') + 1);
    item.range = new vscode.Range(entry.headLine, 0, entry.headLine, 0);
    item.error = entry.problems[0]?.message;
    if (known === undefined) collection?.add(item);
  }

  #remove(uri: vscode.Uri): void {
    for (const folder of collect(this.#controller.items)) {
      folder.children.delete(uri.toString());
      if (folder.children.size === 0) this.#controller.items.delete(folder.id);
    }
  }

  /** The children of the folder item of a case. */
  #collection(entry: CaseEntry, create: boolean): vscode.TestItemCollection | undefined {
    const uri = vscode.Uri.joinPath(entry.uri, '..');
    const known = this.#controller.items.get(uri.toString());
    if (known || !create) return known?.children;
    const item = this.#controller.createTestItem(uri.toString(), vscode.workspace.asRelativePath(uri), uri);
    this.#controller.items.add(item);
    return item.children;
  }
}

function collect(items: vscode.TestItemCollection): vscode.TestItem[] {
  return [...items].map(([, item]) => item);
}

function messageOf(failure: Failure, entry: CaseEntry): vscode.TestMessage {
  const text = failure.fix === undefined ? failure.message : `${failure.message}\n\n${failure.fix}`;
  const { expected, actual } = failure;
  const message =
    expected === undefined || actual === undefined
      ? new vscode.TestMessage(text)
      : vscode.TestMessage.diff(text, expected, actual);
  const range = failure.span ? entry.range(failure.span) : new vscode.Range(entry.headLine, 0, entry.headLine, 0);
  message.location = new vscode.Location(entry.uri, range);
  message.contextValue = failure.kind;
  return message;
}
