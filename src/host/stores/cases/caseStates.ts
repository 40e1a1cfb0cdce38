import * as vscode from 'vscode';
import type { RunRecord } from '../../../core/model/runRecord';
import { caseOfRunRecord, STATE_FOLDER } from '../../../core/project/layout';
import { type CaseState, caseState } from '../../../core/runs/caseState';
import { caseUriIn } from '../../base/caseUri';
import { Debouncer } from '../../base/debounce';
import { DisposableStore } from '../../base/disposable';
import type { InputFiles } from '../files/inputFiles';
import { type ChangedBy, InputWatchers } from '../files/inputWatchers';
import type { OwnState } from '../files/ownState';
import { watchFiles } from '../files/workspaceFiles';
import { pendingChanges, type ReviewStore } from '../reviews/reviewStore';
import { readLastRun } from '../runs/runRecords';
import type { RunStore } from '../runs/runStore';
import type { CaseStore } from './caseStore';

/** A result, its review and its inputs are often written together. */
const SETTLE_MS = 50;
/** So many cases are looked up one by one; of more, the names of the records are listed before. */
const FEW = 32;

/** The state of a case, with the run that it is about. */
export interface KnownCase {
  readonly state: CaseState;
  /** The last run that was not cancelled; undefined when there is none. */
  readonly run: RunRecord | undefined;
}

/** A file that changed, and the cases whose last run depends on it. */
export interface InputChange {
  readonly file: vscode.Uri;
  readonly cases: readonly vscode.Uri[];
  readonly by: ChangedBy;
}

/**
 * The one place where the state of a case is known. Everything that shows a state asks here, so that all agree: the result of the last run
 * is on disk with the files that it holds for, and is compared with these files as they are now.
 */
export class CaseStates implements vscode.Disposable {
  readonly #known = new Map<string, Promise<KnownCase>>();
  /** As they were last read. */
  readonly #last = new Map<string, KnownCase>();
  readonly #owned = new DisposableStore();
  readonly #changed = this.#owned.add(new vscode.EventEmitter<readonly vscode.Uri[]>());
  readonly #inputsChanged = this.#owned.add(new vscode.EventEmitter<InputChange>());
  /** Loaded with the first case that has run. */
  #files: Promise<InputFiles> | undefined;
  readonly #watchers = this.#owned.add(new InputWatchers((file, by) => this.#fileChanged(file, by)));
  readonly #debounced = this.#owned.add(new Debouncer<vscode.Uri>(SETTLE_MS, (uris) => this.#refresh(uris)));

  /** Fires with the cases whose state may have changed, of which there may be thousands. */
  readonly onDidChange = this.#changed.event;
  /** Fires when files changed on which the last runs of cases depend. */
  readonly onDidChangeInputs = this.#inputsChanged.event;

  constructor(
    private readonly cases: Pick<CaseStore, 'all' | 'get' | 'onDidChange'>,
    private readonly runs: Pick<RunStore, 'get' | 'onDidChange'>,
    private readonly reviews: Pick<ReviewStore, 'get' | 'onDidChange'>,
    private readonly own: OwnState,
  ) {
    this.#owned.add(own.onDidChange((root) => this.#refresh(this.#knownIn(root))));
    this.#owned.add(runs.onDidChange((uri) => this.#refresh([uri])));
    this.#owned.add(reviews.onDidChange((uri) => this.#refresh([uri])));
    this.#owned.add(cases.onDidChange((uris) => this.#refresh(uris)));
    this.#owned.add(
      watchFiles([`**/{${STATE_FOLDER},${STATE_FOLDER}/runs/**}`], (file) => this.#stateFileChanged(file)),
    );
  }

  /** The current state of a case. Never rejects. */
  get(uri: vscode.Uri): Promise<KnownCase> {
    const key = uri.toString();
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    const reading = this.#read(uri).then((found) => {
      // A reading that took longer than a change is no longer true: who asked for it would show it over what came after.
      if (this.#known.get(key) !== reading) return this.get(uri);
      this.#last.set(key, found);
      return found;
    });
    this.#known.set(key, reading);
    return reading;
  }

  /** Those of some cases that have run, or are running. A workspace may have thousands that never did, so none of those is looked at. */
  async ranAmong(uris: readonly vscode.Uri[]): Promise<readonly vscode.Uri[]> {
    if (uris.length <= FEW) return uris;
    const { RecordedRuns } = await import('../runs/recordedRuns');
    const recorded = await RecordedRuns.find();
    return uris.filter(
      (uri) => this.runs.get(uri) !== undefined || this.last(uri)?.run !== undefined || recorded.has(uri),
    );
  }

  /** The state as it was last read; undefined until somebody has asked for it. */
  last(uri: vscode.Uri): KnownCase | undefined {
    return this.#last.get(uri.toString());
  }

  dispose(): void {
    this.#owned.dispose();
  }

  async #read(uri: vscode.Uri): Promise<KnownCase> {
    const root = vscode.workspace.getWorkspaceFolder(uri)?.uri;
    const entry = this.cases.get(uri);
    const [run, review] = await Promise.all([readLastRun(uri, this.own), this.reviews.get(uri)]);
    if (root !== undefined && run !== undefined) this.#watchers.follow(uri, root, run);
    const state = caseState({
      isBroken: entry === undefined || entry.isBroken,
      isRunning: this.runs.get(uri)?.type === 'running',
      run,
      now: root === undefined || run === undefined ? new Map() : await (await this.#inputFiles()).contents(root, run),
      pending: pendingChanges(review),
    });
    return { state, run };
  }

  #inputFiles(): Promise<InputFiles> {
    this.#files ??= import('../files/inputFiles').then(({ InputFiles }) => new InputFiles());
    return this.#files;
  }

  #knownIn(root: vscode.Uri): readonly vscode.Uri[] {
    const inRoot = [...this.#known.keys()].filter((key) => key.startsWith(`${root.toString()}/`));
    return inRoot.map((key) => vscode.Uri.parse(key));
  }

  #refresh(uris: readonly vscode.Uri[]): void {
    for (const uri of uris) this.#known.delete(uri.toString());
    if (uris.length > 0) this.#changed.fire(uris);
  }

  #fileChanged(file: vscode.Uri, by: ChangedBy): void {
    const cases = this.#watchers.usersOf(file);
    if (cases.length === 0) return;
    for (const uri of cases) this.#known.delete(uri.toString());
    for (const uri of cases) this.#debounced.add(uri.toString(), uri);
    this.#inputsChanged.fire({ file, cases, by });
  }

  /** For a deleted folder, VS Code reports no events for the files in it. */
  #stateFileChanged(file: vscode.Uri): void {
    const folder = vscode.workspace.getWorkspaceFolder(file);
    const casePath = caseOfRunRecord(vscode.workspace.asRelativePath(file, false));
    if (folder !== undefined && casePath !== undefined) {
      const uri = caseUriIn(folder.uri, casePath);
      this.#debounced.add(uri.toString(), uri);
    } else if (!/\.\w+$/.test(file.path) || file.path.endsWith(`/${STATE_FOLDER}`)) {
      const listed = this.cases.all().map(({ uri }) => [uri.toString(), uri] as const);
      const read = [...this.#last.keys()].map((key) => [key, vscode.Uri.parse(key)] as const);
      for (const [key, uri] of new Map([...read, ...listed])) this.#debounced.add(key, uri);
    }
  }
}
