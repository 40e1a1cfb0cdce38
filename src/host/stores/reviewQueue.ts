import * as vscode from 'vscode';
import { mayBeTape } from '../../core/project/filePatterns';
import { TAPE_EXTENSIONS } from '../../core/project/formatNames';
import { CONFIG_FILE, STATE_FOLDER } from '../../core/project/layout';
import type { ReviewSummary } from '../../protocol/review';
import { Debouncer } from '../base/debounce';
import { DisposableStore } from '../base/disposable';
import type { FolderChanges } from './folderChanges';
import { isSameReview, type ReviewAddress, summaryAddress } from './reviewAddress';
import { isSearched, watchFiles } from './workspaceFiles';

/** So long the first list waits, so that the cases come on screen before git and the engine are asked. */
const FIRST_PAGE_MS = 300;
/** Files of a recording, its run and its decisions are written one after the other. */
const SETTLE_MS = 200;
const WATCHED = [
  // A script in TOML is never a recording.
  `**/*.{${[...TAPE_EXTENSIONS.filter((extension) => extension !== 'toml'), 'gz'].join(',')}}`,
  // What was run and decided, and the rules by which it is judged.
  `**/${STATE_FOLDER}/{runs,reviews,takes}/**`,
  `**/{${STATE_FOLDER},${CONFIG_FILE}}`,
];

/** A review of the workspace, with where it leads. */
export interface QueuedReview extends ReviewSummary {
  readonly address: ReviewAddress;
}

export type QueueState =
  | { readonly type: 'unknown' }
  | { readonly type: 'listed' }
  /** Why there is no list, in words. */
  | { readonly type: 'failed'; readonly problem: string };

/** Lists what changed in the project at an absolute path. */
export type ListReviews = (root: string) => Promise<readonly ReviewSummary[]>;

/**
 * Everything in the workspace that is to be reviewed. It is listed on first demand, and again after changes as long as
 * somebody follows it.
 */
export class ReviewQueue implements vscode.Disposable {
  readonly #changed = new vscode.EventEmitter<void>();
  readonly #owned = new DisposableStore();
  readonly #settled = this.#owned.add(new Debouncer<string>(SETTLE_MS, () => this.touch()));
  #entries: readonly QueuedReview[] = [];
  #state: QueueState = { type: 'unknown' };
  #followers = 0;
  #isStale = true;
  #watchers: DisposableStore | undefined;
  #loading: Promise<void> | undefined;

  readonly onDidChange = this.#changed.event;

  constructor(
    private readonly list: ListReviews,
    private readonly folders: FolderChanges,
  ) {
    this.#owned.add(this.#changed);
    this.#owned.add(vscode.workspace.onDidGrantWorkspaceTrust(() => this.touch()));
    this.#owned.add(vscode.workspace.onDidChangeWorkspaceFolders(() => this.#foldersChanged()));
  }

  /** As it was listed last. */
  get entries(): readonly QueuedReview[] {
    return this.#entries;
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

  /** The list as it is now. Never rejects. */
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

  /** Something may have changed. */
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
          (await this.list(root.fsPath)).map((entry) => ({ ...entry, address: summaryAddress(root, entry) })),
        ),
      );
      this.#entries = lists.flat();
      this.#state = { type: 'listed' };
    } catch (error) {
      this.#entries = [];
      this.#state = { type: 'failed', problem: error instanceof Error ? error.message : String(error) };
    }
    this.#changed.fire();
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
    const touched = () => this.#settled.add('', '');
    watchers.add(watchFiles(WATCHED, (uri) => isListed(uri) && touched()));
    watchers.add(this.folders.onDidChange(touched));
    const patterns = await Promise.all(folders.map(headAndIndex));
    watchers.add(watchFiles(patterns.flat(), touched));
  }
}

function isLocal({ scheme }: vscode.Uri): boolean {
  return scheme === 'file';
}

/** May the list change with the file? */
function isListed(uri: vscode.Uri): boolean {
  return /\/\.tapedeck(?:\/|$)/.test(uri.path) || (mayBeTape(uri.path) && isSearched(uri));
}

/** What git writes, in its own folder, with each commit and checkout, and when something is staged. */
export async function headAndIndex(folder: vscode.Uri): Promise<readonly vscode.RelativePattern[]> {
  const git = await gitFolder(folder);
  // Without a slash in the pattern, VS Code watches no folder below these two, where the objects of a large repository are.
  return [
    new vscode.RelativePattern(git, '{HEAD,index}'),
    new vscode.RelativePattern(vscode.Uri.joinPath(git, 'logs'), 'HEAD'),
  ];
}

/** Git's own folder, looked for as git does it: upwards. Where there is none, the one that `git init` would make. */
export async function gitFolder(folder: vscode.Uri): Promise<vscode.Uri> {
  for (let at = folder, up = at; ; at = up) {
    const git = vscode.Uri.joinPath(at, '.git');
    const type = await typeOf(git);
    if (type === vscode.FileType.File) return linkedGitFolder(git);
    if (type !== undefined) return git;
    up = vscode.Uri.joinPath(at, '..');
    if (up.path === at.path) return vscode.Uri.joinPath(folder, '.git');
  }
}

/** In a worktree or a submodule, `.git` is a file that names the folder. */
async function linkedGitFolder(file: vscode.Uri): Promise<vscode.Uri> {
  const text = new TextDecoder().decode(await vscode.workspace.fs.readFile(file));
  const path = /^gitdir: (.+)$/m.exec(text)?.[1]?.trim();
  if (path === undefined) return file;
  return /^(?:\/|[a-z]:)/i.test(path) ? vscode.Uri.file(path) : vscode.Uri.joinPath(file, '..', path);
}

async function typeOf(uri: vscode.Uri): Promise<vscode.FileType | undefined> {
  try {
    return (await vscode.workspace.fs.stat(uri)).type;
  } catch {
    return undefined;
  }
}
