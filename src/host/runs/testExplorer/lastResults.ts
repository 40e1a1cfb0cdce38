import * as vscode from 'vscode';
import type { RunRecord } from '../../../core/model/runRecord';
import { isOutdated } from '../../../core/runs/caseState';
import { t } from '../../../core/text/l10n';
import { type LazyCore, loadCore } from '../../../reader/loadCore';
import { Debouncer } from '../../base/debounce';
import { DisposableStore } from '../../base/disposable';
import type { CaseEntry } from '../../stores/cases/caseEntry';
import type { CaseStates, KnownCase } from '../../stores/cases/caseStates';
import type { CaseStore } from '../../stores/cases/caseStore';
import type { CaseTestItems } from './caseTestItems';
import { GutterIcons } from './gutterIcons';
import { failureMessages } from './testResults';

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
export class LastResults implements vscode.Disposable {
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
export function showResult(
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
