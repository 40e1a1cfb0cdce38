import * as vscode from 'vscode';
import { isTapePath } from '../../core/project/filePatterns';
import type { ListedTape } from '../../core/project/listTape';
import type { ListAnswer } from '../../protocol/lister';
import { Debouncer } from '../base/debounce';
import { DisposableStore } from '../base/disposable';
import type { FolderChange, FolderChanges } from './folderChanges';
import type { TapeLister } from './tapeLister';
import { findTapes, tapePlaces } from './tapePlaces';
import { isSearched, watchFiles } from './workspaceFiles';

/** A recorder writes a tape at once; what follows within this time is read with it. */
const SETTLE_MS = 30;
/** How soon a tape that was read is reported, and how often while many are read. */
const REPORT_MS = 100;
const REPORT_MANY_MS = 1000;
/** The delay before tapes are read that nobody has asked for, so that the first page is on screen before. */
const FIRST_PAGE_MS = 300;
/** How many tapes are waited for at a time. */
const LANES = 8;

/** The data of a tape that lists need. Its content is read again when it is shown. */
export interface TapeEntry extends ListedTape {
  readonly uri: vscode.Uri;
}

export interface TapeChange {
  readonly uris: readonly vscode.Uri[];
  /** Whether a file became a tape, or is no longer one. */
  readonly listChanged: boolean;
}

/** A file that may be a tape. */
interface Candidate {
  readonly uri: vscode.Uri;
  /** Absent until it has been read. */
  readonly stamp?: string;
  /** Absent as well where it is no tape. */
  readonly entry?: TapeEntry;
}

/**
 * The tapes of the workspace: files that match a glob of `tapedeck.tapes`, or that a case or a review names, and whose content
 * is in a supported format. Their names are found first. What is in them is read one by one, those that are shown before the
 * others, and again only when a file has changed.
 */
export class TapeStore implements vscode.Disposable {
  readonly #files = new Map<string, Candidate>();
  /** The files that something names, with their keys, by the name of what does. */
  readonly #named = new Map<string, ReadonlyMap<string, vscode.Uri>>();
  readonly #waiting = new Map<string, vscode.Uri>();
  readonly #shown = new Set<string>();
  readonly #news = new Map<string, { readonly uri: vscode.Uri; readonly listChanged: boolean }>();
  readonly #changed = new vscode.EventEmitter<TapeChange>();
  readonly #owned = new DisposableStore();
  readonly #debouncedFiles = this.#owned.add(new Debouncer<vscode.Uri>(SETTLE_MS, (uris) => this.#touched(uris)));
  #loading: Promise<void> | undefined;
  #reading: Promise<void> | undefined;
  #readingSoon: ReturnType<typeof setTimeout> | undefined;
  #reporting: { readonly at: number; readonly timer: ReturnType<typeof setTimeout> } | undefined;
  #watchers: vscode.Disposable | undefined;
  #namedWatchers: vscode.Disposable | undefined;
  #isDisposed = false;

  /** Fires with the tapes that were added, read, changed, or removed. */
  readonly onDidChange = this.#changed.event;

  constructor(
    private readonly folders: FolderChanges,
    private readonly lister: TapeLister,
  ) {
    this.#owned.add(this.#changed);
  }

  /** Finds the names of all tapes, once. */
  load(): Promise<void> {
    this.#loading ??= this.#discover();
    return this.#loading;
  }

  /** Finds all tapes again, for changes that no watcher has reported or after a change of the globs. */
  async reload(): Promise<void> {
    this.#loading = this.#discover(this.#loading);
    await this.#loading;
    this.#read([...this.#files.values()].map(({ uri }) => uri));
  }

  /** Resolves when every tape has been read. */
  async readAll(): Promise<void> {
    await this.load();
    while (this.#waiting.size > 0 || this.#reading !== undefined) await (this.#reading ?? this.#startReading());
    this.#report();
  }

  /** All tapes, also those that have not been read. Some of those, in a folder of tapes, may turn out to be none. */
  uris(): readonly vscode.Uri[] {
    return [...this.#files.values()].filter(isListed).map(({ uri }) => uri);
  }

  /** A tape, once it has been read. */
  get(uri: vscode.Uri): TapeEntry | undefined {
    return this.#files.get(uri.toString())?.entry;
  }

  /** Whether a file is a tape, and has not been read yet. It is read before those that nobody has asked for. */
  isUnread(uri: vscode.Uri): boolean {
    const key = uri.toString();
    const isUnread = this.#waiting.has(key) && this.#files.get(key)?.stamp === undefined;
    if (isUnread) {
      this.#shown.add(key);
      void this.#startReading();
    }
    return isUnread;
  }

  /** The tapes that have been read. */
  all(): readonly TapeEntry[] {
    return [...this.#files.values()].flatMap(({ entry }) => entry ?? []);
  }

  /** Says that these files are tapes wherever they lie, and whatever is left of them: a case or a review names them. */
  name(by: string, uris: readonly vscode.Uri[]): void {
    const before = this.#named.get(by);
    const named = new Map(uris.map((uri) => [uri.toString(), uri]));
    const gone = [...(before ?? [])].filter(([key]) => !named.has(key));
    if (gone.length === 0 && named.size === (before?.size ?? 0)) return;
    this.#named.set(by, named);
    this.#watchNamed();
    if (this.#loading === undefined) return;
    if (gone.some(([, { path }]) => !isTapePath(path))) this.#loading = this.#discover(this.#loading);
    else this.#read([...named].flatMap(([key, uri]) => (this.#files.has(key) ? [] : [uri])));
  }

  dispose(): void {
    this.#isDisposed = true;
    clearTimeout(this.#readingSoon);
    clearTimeout(this.#reporting?.timer);
    this.#watchers?.dispose();
    this.#namedWatchers?.dispose();
    this.#owned.dispose();
  }

  async #discover(running?: Promise<void>): Promise<void> {
    await Promise.allSettled([running]);
    if (running === undefined) this.#follow();
    const places = tapePlaces();
    const before = this.#watchers;
    this.#watchers = watchFiles(places, (uri) => this.#touch(uri));
    before?.dispose();
    const found = [...(await findTapes(places)), ...this.#allNamed()];
    const isFound = new Set(found.map(String));
    this.#drop([...this.#files.values()].flatMap(({ uri }) => (isFound.has(uri.toString()) ? [] : [uri])));
    this.#read(found.filter((uri) => !this.#files.has(uri.toString())));
    this.#report();
  }

  async #foldersChanged({ isGone, files }: FolderChange): Promise<void> {
    const gone = [...this.#files.values()].flatMap(({ uri }) => (isGone(uri.toString()) ? [uri] : []));
    const came = new Set(files.map(String));
    const found = came.size === 0 ? [] : await findTapes(tapePlaces());
    this.#read([...gone, ...found.filter((uri) => came.has(uri.toString()))]);
  }

  /** Subscribes to all events that may change the list, other than those of the file watchers. */
  #follow(): void {
    for (const listening of [
      // A watcher misses changes below a folder that was just created; this event reports those saved here.
      vscode.workspace.onDidSaveTextDocument(({ uri }) => {
        if (this.#files.has(uri.toString())) this.#touch(uri);
      }),
      vscode.workspace.onDidChangeConfiguration((event) => {
        if (event.affectsConfiguration('tapedeck.tapes')) this.#loading = this.#discover(this.#loading);
      }),
      vscode.workspace.onDidChangeWorkspaceFolders(() => {
        this.#loading = this.#discover(this.#loading);
      }),
      this.folders.onDidChange((change) => void this.#foldersChanged(change)),
    ])
      this.#owned.add(listening);
  }

  /** Watches the folders of named files that no glob is certain to match. */
  #watchNamed(): void {
    const others = this.#allNamed().filter(({ path }) => !isTapePath(path));
    const folders = new Map(others.map((uri) => vscode.Uri.joinPath(uri, '..')).map((uri) => [uri.toString(), uri]));
    const isNamed = new Set(others.map(String));
    const patterns = [...folders.values()].map((folder) => new vscode.RelativePattern(folder, '*'));
    this.#namedWatchers?.dispose();
    this.#namedWatchers = watchFiles(patterns, (uri) => isNamed.has(uri.toString()) && this.#touch(uri));
  }

  #allNamed(): readonly vscode.Uri[] {
    return [...this.#named.values()].flatMap((uris) => [...uris.values()]);
  }

  #touch(uri: vscode.Uri): void {
    if (isSearched(uri)) this.#debouncedFiles.add(uri.toString(), uri);
  }

  /** Reads files at once that a watcher has reported. */
  #touched(uris: readonly vscode.Uri[]): void {
    this.#read(uris);
    for (const uri of uris) this.#shown.add(uri.toString());
    void this.#startReading();
  }

  /** Removes files that are no longer tapes of the workspace. */
  #drop(uris: readonly vscode.Uri[]): void {
    for (const uri of uris) {
      const key = uri.toString();
      const candidate = this.#files.get(key);
      this.#waiting.delete(key);
      this.#files.delete(key);
      if (candidate !== undefined && isListed(candidate)) this.#news.set(key, { uri, listChanged: true });
    }
  }

  /** Puts files on the list of those that are to be read. Their names are tapes at once where they say so. */
  #read(uris: readonly vscode.Uri[]): void {
    for (const uri of uris) {
      const key = uri.toString();
      this.#waiting.set(key, uri);
      if (this.#files.has(key)) continue;
      this.#files.set(key, { uri });
      if (isTapePath(uri.path)) this.#news.set(key, { uri, listChanged: true });
    }
    if (uris.length === 0 || this.#readingSoon !== undefined) return;
    this.#readingSoon = setTimeout(() => {
      this.#readingSoon = undefined;
      void this.#startReading();
    }, FIRST_PAGE_MS);
  }

  #startReading(): Promise<void> {
    this.#reading ??= this.#readWaiting().finally(() => {
      this.#reading = undefined;
    });
    return this.#reading;
  }

  async #readWaiting(): Promise<void> {
    const isOneOfMany = this.#waiting.size > LANES;
    const lane = async (): Promise<void> => {
      for (let next = this.#next(); next !== undefined; next = this.#next()) await this.#list(next, isOneOfMany);
    };
    await Promise.all(Array.from({ length: LANES }, lane));
    this.#report();
  }

  /** The next file that is to be read, one that is shown if there is any. */
  #next() {
    for (const key of this.#shown) {
      const shown = this.#waiting.get(key);
      if (shown !== undefined) return shown;
      this.#shown.delete(key);
    }
    return this.#isDisposed ? undefined : this.#waiting.values().next().value;
  }

  async #list(uri: vscode.Uri, isOneOfMany: boolean): Promise<void> {
    const key = uri.toString();
    const isShown = this.#shown.delete(key);
    this.#waiting.delete(key);
    const before = this.#files.get(key);
    const isNamed = [...this.#named.values()].some((uris) => uris.has(key));
    const request = { stamp: before?.stamp, isExpected: isNamed || undefined, isOneOfMany };
    const answer = await this.lister.list(uri, request);
    if (answer !== 'unchanged' && !this.#isDisposed) this.#put(uri, answer, isShown);
  }

  #put(uri: vscode.Uri, { stamp, tape }: Exclude<ListAnswer, 'unchanged'>, isShown: boolean): void {
    const key = uri.toString();
    const before = this.#files.get(key);
    if (stamp === undefined) this.#files.delete(key);
    else this.#files.set(key, { uri, stamp, ...(tape && { entry: entryOf(uri, tape) }) });
    const after = this.#files.get(key);
    const [was, is] = [before !== undefined && isListed(before), after !== undefined && isListed(after)];
    if (!was && !is) return;
    this.#news.set(key, { uri, listChanged: was !== is || this.#news.get(key)?.listChanged === true });
    this.#reportIn(isShown || this.#waiting.size <= LANES ? REPORT_MS : REPORT_MANY_MS);
  }

  #reportIn(ms: number): void {
    const at = performance.now() + ms;
    if (this.#reporting !== undefined && this.#reporting.at <= at) return;
    clearTimeout(this.#reporting?.timer);
    this.#reporting = { at, timer: setTimeout(() => this.#report(), ms) };
  }

  #report(): void {
    clearTimeout(this.#reporting?.timer);
    this.#reporting = undefined;
    const news = [...this.#news.values()];
    this.#news.clear();
    if (news.length === 0 || this.#isDisposed) return;
    this.#changed.fire({ uris: news.map(({ uri }) => uri), listChanged: news.some((one) => one.listChanged) });
  }
}

/** Whether a file is a tape, as far as is known. */
function isListed({ uri, stamp, entry }: Candidate): boolean {
  return stamp === undefined ? isTapePath(uri.path) : entry !== undefined;
}

function entryOf(uri: vscode.Uri, tape: ListedTape): TapeEntry {
  return { uri, ...tape };
}
