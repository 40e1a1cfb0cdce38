import * as vscode from 'vscode';
import type { EngineReviewsApi, LastDecision } from '../../../contracts/engine/engineReviews';
import type { ReviewSummary } from '../../../contracts/engine/review';
import { mayBeTape } from '../../../core/project/filePatterns';
import { TAPE_EXTENSIONS } from '../../../core/project/formatNames';
import { STATE_FOLDER } from '../../../core/project/layout';
import { Debouncer } from '../../base/debounce';
import { DisposableStore } from '../../base/disposable';
import type { FolderChanges } from '../files/folderChanges';
import { headAndIndex } from '../files/gitFolder';
import { isSearched, watchFiles } from '../files/workspaceFiles';
import { type ChangeAddress, isSameReview, type ReviewAddress, summaryAddress } from './reviewAddress';

/** The delay of the first list, so that the cases are on screen before git and the engine start. */
const FIRST_PAGE_MS = 300;
/** A recording, its run and its decisions are written one after the other. */
const SETTLE_MS = 200;
const WATCHED = [
  // Tapes, and the rules of the project and of its cases.
  `**/*.{${[...TAPE_EXTENSIONS, 'gz'].join(',')}}`,
  // Runs and decisions.
  `**/${STATE_FOLDER}/{runs,reviews,takes}/**`,
  `**/${STATE_FOLDER}`,
];

/** A review of the workspace, with its address. */
export interface QueuedReview extends Omit<ReviewSummary, 'results'> {
  readonly address: ChangeAddress;
  /** What is decided with it. */
  readonly results: readonly ChangeAddress[];
}

type QueueState =
  | { readonly type: 'unknown' }
  | { readonly type: 'listed' }
  /** `problem` is the reason why there is no list. */
  | { readonly type: 'failed'; readonly problem: string };

/** A decision with the address of what it was made on. */
interface QueuedDecision extends LastDecision {
  readonly address: ChangeAddress;
}

/**
 * The pending reviews of the workspace. They are listed on first use, and again after changes for as long as there are
 * followers.
 */
export class ReviewQueue implements vscode.Disposable {
  readonly #changed = new vscode.EventEmitter<void>();
  readonly #owned = new DisposableStore();
  readonly #debouncedTouch = this.#owned.add(new Debouncer<string>(SETTLE_MS, () => this.touch()));
  #entries: readonly QueuedReview[] = [];
  #lastDecision: QueuedDecision | undefined;
  #state: QueueState = { type: 'unknown' };
  #followers = 0;
  #isStale = true;
  #watchers: DisposableStore | undefined;
  #loading: Promise<void> | undefined;

  readonly onDidChange = this.#changed.event;

  constructor(
    private readonly engine: Pick<EngineReviewsApi, 'reviews' | 'lastDecision'>,
    private readonly folders: FolderChanges,
  ) {
    this.#owned.add(this.#changed);
    this.#owned.add(vscode.workspace.onDidGrantWorkspaceTrust(() => this.touch()));
    this.#owned.add(vscode.workspace.onDidChangeWorkspaceFolders(() => this.#foldersChanged()));
  }

  /** The reviews, as last listed. */
  get entries(): readonly QueuedReview[] {
    return this.#entries;
  }

  /** The last decision that can be undone, in whatever folder and window it was made. */
  get lastDecision(): QueuedDecision | undefined {
    return this.#lastDecision;
  }

  get state(): QueueState {
    return this.#state;
  }

  /** Keeps the list up to date until the result is disposed. */
  follow(): vscode.Disposable {
    this.#followers += 1;
    if (this.#isStale) void this.load();
    let isOver = false;
    return new vscode.Disposable(() => {
      if (!isOver) this.#followers -= 1;
      isOver = true;
    });
  }

  /** The current list. Never rejects. */
  async load(): Promise<readonly QueuedReview[]> {
    while (this.#isStale || this.#loading !== undefined) {
      this.#loading ??= this.#list().finally(() => {
        this.#loading = undefined;
      });
      await this.#loading;
    }
    return this.#entries;
  }

  find(address: ReviewAddress): QueuedReview | undefined {
    return this.#entries.find((entry) => isSameReview(entry.address, address));
  }

  /** The entry of a review, or of the tape that it is decided with. */
  holding(address: ReviewAddress): QueuedReview | undefined {
    return this.find(address) ?? this.#entries.find(({ results }) => results.some((one) => isSameReview(one, address)));
  }

  /** The tapes that changed, whatever is left of them. */
  tapes(): readonly vscode.Uri[] {
    return this.#entries.filter(({ kind }) => kind === 'tape').map(({ address }) => address.uri);
  }

  /** Marks the list as stale. Call it when something may have changed. */
  touch(): void {
    this.#isStale = true;
    if (this.#followers > 0) void this.load();
  }

  dispose(): void {
    this.#watchers?.dispose();
    this.#owned.dispose();
  }

  async #list(): Promise<void> {
    if (this.#state.type === 'unknown') await new Promise((settle) => setTimeout(settle, FIRST_PAGE_MS));
    this.#isStale = false;
    const folders = (vscode.workspace.workspaceFolders ?? []).map(({ uri }) => uri).filter(isLocal);
    await this.#watch(folders);
    try {
      const lists = await Promise.all(
        folders.map(async (root) =>
          (await this.engine.reviews({ root: root.fsPath })).map((entry) => ({
            ...entry,
            address: summaryAddress(root, entry),
            results: (entry.results ?? []).map((result) => summaryAddress(root, result)),
          })),
        ),
      );
      this.#lastDecision = await this.#findLastDecision(folders);
      this.#entries = lists.flat();
      this.#state = { type: 'listed' };
    } catch (error) {
      this.#entries = [];
      this.#lastDecision = undefined;
      this.#state = { type: 'failed', problem: error instanceof Error ? error.message : String(error) };
    }
    this.#changed.fire();
  }

  async #findLastDecision(folders: readonly vscode.Uri[]): Promise<QueuedDecision | undefined> {
    const decisions = await Promise.all(
      folders.map(async (root) => {
        const last = await this.engine.lastDecision({ root: root.fsPath });
        return last === null ? [] : [{ ...last, address: summaryAddress(root, last.subject) }];
      }),
    );
    return decisions.flat().sort((left, right) => right.at - left.at)[0];
  }

  #foldersChanged(): void {
    this.#watchers?.dispose();
    this.#watchers = undefined;
    this.touch();
  }

  async #watch(folders: readonly vscode.Uri[]): Promise<void> {
    if (this.#watchers !== undefined) return;
    const watchers = new DisposableStore();
    this.#watchers = watchers;
    const touched = () => this.#debouncedTouch.add('', '');
    watchers.add(watchFiles(WATCHED, (uri) => isListed(uri) && touched()));
    watchers.add(this.folders.onDidChange(touched));
    const patterns = await Promise.all(folders.map(headAndIndex));
    watchers.add(watchFiles(patterns.flat(), touched));
  }
}

function isLocal({ scheme }: vscode.Uri): boolean {
  return scheme === 'file';
}

/** Whether a change to the file may change the list. */
function isListed(uri: vscode.Uri): boolean {
  return /\/\.tapedeck(?:\/|$)/.test(uri.path) || (mayBeTape(uri.path) && isSearched(uri));
}
