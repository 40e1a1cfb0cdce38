import * as vscode from 'vscode';
import type { FoundFile } from '../../../contracts/reader/lister';
import { isTapePath } from '../../../core/project/filePatterns';
import type { ListedTape } from '../../../core/project/listTape';
import { Debouncer } from '../../base/debounce';
import { DisposableStore } from '../../base/disposable';
import type { FolderChange, FolderChanges } from '../files/folderChanges';
import { ReadingQueue } from '../files/readingQueue';
import { isSearched, watchFiles } from '../files/workspaceFiles';
import type { ListingCache, Listings } from './listingCache';
import type { ListRequest, ListResult, TapeLister } from './tapeLister';
import { TapeNews } from './tapeNews';
import { findTapes, tapePlaces } from './tapePlaces';

/** A recorder writes a tape at once; what follows within this time is read with it. */
const SETTLE_MS = 30;
/** How soon a tape that was read is reported. */
const REPORT_MS = 100;
/** While many are read: ever more seldom, since the list may be made anew each time. */
const [REPORT_MANY_MS, LONGEST_REPORT_MS] = [1000, 8000];
/** The delay before tapes are read that nobody has asked for, so that the first page is on screen before. */
const FIRST_PAGE_MS = 300;
/** So many tapes are few, whose details are shown at once. */
const FEW = 8;
/** How many are asked for at a time, at most: twice as many as were answered before, since those that take long are left over. */
const BATCH = 512;

/** The data of a tape that lists need. Its content is read again when it is shown. */
export interface TapeEntry extends ListedTape {
  readonly uri: vscode.Uri;
}

/** Opens what an earlier window has found; absent if nothing can be kept. */
export type OpenListings = () => Promise<ListingCache | undefined>;

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
  readonly #waiting = new ReadingQueue();
  readonly #owned = new DisposableStore();
  readonly #news = this.#owned.add(new TapeNews());
  readonly #named = this.#owned.add(new NamedTapes((uri) => this.#touch(uri)));
  readonly #debouncedFiles = this.#owned.add(new Debouncer<vscode.Uri>(SETTLE_MS, (uris) => this.#touched(uris)));
  #loading: Promise<void> | undefined;
  #reading: Promise<void> | undefined;
  #readingSoon: ReturnType<typeof setTimeout> | undefined;
  #readingSince = 0;
  /** What an earlier window has found, while many are read. */
  #kept: Listings | undefined;
  #watchers: vscode.Disposable | undefined;
  #cut: readonly string[] = [];
  #isDisposed = false;

  /** Fires with the tapes that were added, read, changed, or removed. */
  readonly onDidChange = this.#news.onDidReport;

  constructor(
    private readonly folders: FolderChanges,
    private readonly lister: TapeLister,
    private readonly openKept: OpenListings = async () => undefined,
  ) {}

  /** Finds the names of all tapes, once. */
  load(): Promise<void> {
    this.#loading ??= this.#discover();
    return this.#loading;
  }

  /** Finds all tapes again, for changes that no watcher has reported or after a change of the globs. */
  async reload(): Promise<void> {
    this.#loading = this.#discover(this.#loading);
    await this.#loading;
    this.#waiting.refill();
    this.#read([...this.#files.values()].map(({ uri }) => uri));
  }

  /** Resolves when every tape has been read. */
  async readAll(): Promise<void> {
    await this.load();
    while (this.#waiting.size > 0 || this.#reading !== undefined) await (this.#reading ?? this.#startReading());
    this.#news.report();
  }

  /** The folders that have more tapes than are listed, and how many files are not read until they are shown. */
  get omitted(): { readonly folders: readonly string[]; readonly unread: number } {
    return { folders: this.#cut, unread: this.#waiting.left };
  }

  /** All tapes, also those that have not been read. Some of those, in a folder of tapes, may turn out to be none. */
  uris(): readonly vscode.Uri[] {
    return [...this.#files.values()].filter(isListed).map(({ uri }) => uri);
  }

  /** A tape, once it has been read. */
  get(uri: vscode.Uri): TapeEntry | undefined {
    return this.#files.get(uri.toString())?.entry;
  }

  /** Whether a file is a tape, and has not been read yet. Requesting it moves it to the front of the queue. */
  isUnread(uri: vscode.Uri): boolean {
    const key = uri.toString();
    const candidate = this.#files.get(key);
    const isUnread = candidate !== undefined && candidate.stamp === undefined;
    if (isUnread) {
      this.#waiting.show(uri);
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
    const gone = this.#named.set(by, uris);
    if (gone === undefined || this.#loading === undefined) return;
    if (gone.some(({ path }) => !isTapePath(path))) this.#loading = this.#discover(this.#loading);
    else this.#read(uris.filter((uri) => !this.#files.has(uri.toString())));
  }

  dispose(): void {
    this.#isDisposed = true;
    clearTimeout(this.#readingSoon);
    this.#watchers?.dispose();
    this.#owned.dispose();
  }

  async #discover(running?: Promise<void>): Promise<void> {
    await Promise.allSettled([running]);
    if (running === undefined) this.#follow();
    const places = tapePlaces();
    const before = this.#watchers;
    this.#watchers = watchFiles(places, (uri) => this.#touch(uri));
    before?.dispose();
    const { files, cut } = await findTapes(places);
    this.#cut = cut;
    const found = [...files, ...this.#named.all()];
    const isFound = new Set(found.map(String));
    this.#drop([...this.#files.values()].flatMap(({ uri }) => (isFound.has(uri.toString()) ? [] : [uri])));
    this.#read(found.filter((uri) => !this.#files.has(uri.toString())));
    this.#news.report();
  }

  async #foldersChanged({ isGone, files }: FolderChange): Promise<void> {
    const gone = [...this.#files.values()].flatMap(({ uri }) => (isGone(uri.toString()) ? [uri] : []));
    const came = new Set(files.map(String));
    const { files: found } = came.size === 0 ? { files: [] } : await findTapes(tapePlaces());
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

  #touch(uri: vscode.Uri): void {
    if (isSearched(uri)) this.#debouncedFiles.add(uri.toString(), uri);
  }

  /** Reads files at once that a watcher has reported. */
  #touched(uris: readonly vscode.Uri[]): void {
    this.#read(uris);
    for (const uri of uris) this.#waiting.show(uri);
    void this.#startReading();
  }

  /** Removes files that are no longer tapes of the workspace. */
  #drop(uris: readonly vscode.Uri[]): void {
    for (const uri of uris) {
      const key = uri.toString();
      const candidate = this.#files.get(key);
      this.#waiting.remove(uri);
      this.#files.delete(key);
      if (candidate !== undefined && isListed(candidate)) this.#news.add(uri, true);
    }
  }

  /** Queues files to be read. Those whose names are certain are listed as tapes at once. */
  #read(uris: readonly vscode.Uri[]): void {
    for (const uri of uris) {
      const key = uri.toString();
      this.#waiting.add(uri);
      if (this.#files.has(key)) continue;
      this.#files.set(key, { uri });
      if (isTapePath(uri.path)) this.#news.add(uri, true);
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
    const kept = this.#waiting.size > FEW ? await this.openKept() : undefined;
    this.#kept = await kept?.read();
    this.#readingSince = performance.now();
    let [read, count] = [0, 2 * FEW];
    while (this.#waiting.size > 0 && !this.#isDisposed) {
      const results = await this.#list(this.#waiting.take(count));
      read += results.filter((result) => result !== 'unchanged').length;
      count = Math.min(BATCH, 2 * results.length);
    }
    this.#kept = undefined;
    this.#news.report();
    if (read > FEW && !this.#isDisposed) await kept?.write(this.#listings());
  }

  #listings(): Listings {
    const read = [...this.#files].filter(([, { stamp }]) => stamp !== undefined);
    return new Map(
      read.map(([key, { uri: _, entry, ...stamp }]) => [key, { ...stamp, ...(entry && { tape: tapeOf(entry) }) }]),
    );
  }

  /** Lists the first of these files. */
  async #list(uris: readonly vscode.Uri[]): Promise<readonly ListResult[]> {
    const results = await this.lister.list(uris.map((uri) => this.#requestFor(uri)));
    uris.forEach((uri, at) => {
      const result = results[at];
      if (this.#isDisposed || !this.#files.has(uri.toString())) return;
      if (result === undefined) this.#waiting.putBack(uri);
      else this.#take(uri, result);
    });
    return results;
  }

  #requestFor(uri: vscode.Uri): ListRequest {
    const key = uri.toString();
    const stamp = this.#files.get(key)?.stamp ?? this.#kept?.get(key)?.stamp;
    return { uri, stamp, ...(this.#named.has(uri) && { isExpected: true }) };
  }

  #take(uri: vscode.Uri, result: ListResult): void {
    const key = uri.toString();
    const isShown = this.#waiting.takeShown(uri);
    if (result !== 'unchanged') this.#put(uri, result, isShown);
    else if (this.#files.get(key)?.stamp === undefined) this.#put(uri, this.#kept?.get(key) ?? {}, isShown);
  }

  #put(uri: vscode.Uri, { stamp, tape }: FoundFile, isShown: boolean): void {
    const key = uri.toString();
    const before = this.#files.get(key);
    if (stamp === undefined) this.#files.delete(key);
    else this.#files.set(key, { uri, stamp, ...(tape && { entry: { uri, ...tape } }) });
    const after = this.#files.get(key);
    const [was, is] = [before !== undefined && isListed(before), after !== undefined && isListed(after)];
    if (!was && !is) return;
    this.#news.add(uri, was !== is);
    const sinceMs = performance.now() - this.#readingSince;
    const seldom = Math.min(LONGEST_REPORT_MS, Math.max(REPORT_MANY_MS, sinceMs));
    this.#news.reportIn(isShown || this.#waiting.size <= FEW ? REPORT_MS : seldom);
  }
}

/** Whether a file is a tape, as far as is known. */
function isListed({ uri, stamp, entry }: Candidate): boolean {
  return stamp === undefined ? isTapePath(uri.path) : entry !== undefined;
}

function tapeOf({ uri: _, ...tape }: TapeEntry): ListedTape {
  return tape;
}

/** The files that something names as tapes, by the name of what does. Those that no glob is certain to match are watched here. */
class NamedTapes implements vscode.Disposable {
  readonly #named = new Map<string, ReadonlyMap<string, vscode.Uri>>();
  #watchers: vscode.Disposable | undefined;

  constructor(private readonly touched: (uri: vscode.Uri) => void) {}

  /** Returns what is named no longer by this; undefined if nothing has changed. */
  set(by: string, uris: readonly vscode.Uri[]): readonly vscode.Uri[] | undefined {
    const before = this.#named.get(by);
    const named = new Map(uris.map((uri) => [uri.toString(), uri]));
    const gone = [...(before ?? [])].flatMap(([key, uri]) => (named.has(key) ? [] : [uri]));
    if (gone.length === 0 && named.size === (before?.size ?? 0)) return undefined;
    this.#named.set(by, named);
    this.#watch();
    return gone;
  }

  all(): readonly vscode.Uri[] {
    return [...this.#named.values()].flatMap((uris) => [...uris.values()]);
  }

  has(uri: vscode.Uri): boolean {
    const key = uri.toString();
    return [...this.#named.values()].some((uris) => uris.has(key));
  }

  dispose(): void {
    this.#watchers?.dispose();
  }

  #watch(): void {
    const others = this.all().filter(({ path }) => !isTapePath(path));
    const folders = new Map(others.map((uri) => vscode.Uri.joinPath(uri, '..')).map((uri) => [uri.toString(), uri]));
    const isNamed = new Set(others.map(String));
    const patterns = [...folders.values()].map((folder) => new vscode.RelativePattern(folder, '*'));
    this.#watchers?.dispose();
    this.#watchers = watchFiles(patterns, (uri) => isNamed.has(uri.toString()) && this.touched(uri));
  }
}
