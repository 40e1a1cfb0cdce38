import * as vscode from 'vscode';
import type { TestFile } from '../../../core/tapeTests/tapeTest';
import type { TapeTests } from '../../../core/tapeTests/tapeTests';
import { loadCore } from '../../../reader/loadCore';
import { Debouncer } from '../../base/debounce';
import { DisposableStore } from '../../base/disposable';
import type { FolderChange, FolderChanges } from '../files/folderChanges';
import { findFiles, isSearched, watchFiles } from '../files/workspaceFiles';
import type { FoundTest } from './foundTest';
import type { TapeEntry, TapeStore } from './tapeStore';
import type { TestsByTapes } from './testsByTapes';

/** How long a test file must be unchanged before it is read again. */
const SETTLE_MS = 200;
const READERS = 32;
const SCRIPTS = ['ts', 'tsx', 'mts', 'cts', 'js', 'jsx', 'mjs', 'cjs'];
/** The default names of test files; `isTestFile` decides. VS Code's globs cannot nest braces. */
const TEST_GLOB = `{${[
  ...['test_*.py', '*_test.py', '*_test.go'],
  ...SCRIPTS.flatMap((extension) => [`*.test.${extension}`, `*.spec.${extension}`, `__tests__/**/*.${extension}`]),
]
  .map((name) => `**/${name}`)
  .join(',')}}`;

/** All sources that may define tests: a tape names the file of its own. */
export const SOURCE_GLOB = `**/*.{py,go,${SCRIPTS.join(',')}}`;

/**
 * The tests that use tapes. They are found on first use, then kept up to date file by file. Which test uses which tape
 * is read from the source text; nothing is run.
 */
export class TapeTestStore implements vscode.Disposable {
  /** The tests by workspace folder and path. A test file without tapes has an empty list. */
  readonly #folders = new Map<string, Map<string, TestFile>>();
  /** The index of each folder's tests, until any of them changes. */
  readonly #indexes = new Map<string, TapeTests>();
  /** The tests of each folder that tapes name, until a source changes. */
  readonly #named = new Map<string, TestsByTapes>();
  readonly #changed = new vscode.EventEmitter<void>();
  readonly #owned = new DisposableStore();
  readonly #debouncedFiles = this.#owned.add(new Debouncer<vscode.Uri>(SETTLE_MS, (uris) => void this.#refresh(uris)));
  #loading: Promise<void> | undefined;
  /** Folders with more tests than are read, whose tapes may be used by any of these. */
  #cut: readonly string[] = [];

  readonly onDidChange = this.#changed.event;

  constructor(
    private readonly folders: FolderChanges,
    private readonly tapes: Pick<TapeStore, 'all' | 'get' | 'load'>,
  ) {}

  load(): Promise<void> {
    this.#loading ??= this.#discover();
    return this.#loading;
  }

  /** Finds all tests again, for changes that no watcher has reported. */
  async reload(): Promise<void> {
    if (this.#loading === undefined) return;
    this.#loading = this.#find();
    await this.#loading;
  }

  dispose(): void {
    this.#owned.dispose();
    this.#changed.dispose();
  }

  /** The tests of a document that use tapes, saved or not. */
  async testsIn(document: vscode.TextDocument): Promise<readonly FoundTest[]> {
    const folder = vscode.workspace.getWorkspaceFolder(document.uri);
    if (folder === undefined) return [];
    const { isTestFile, joinedTests, readTestFile } = await loadCore();
    const path = vscode.workspace.asRelativePath(document.uri, false);
    // Those that name their tests are told of once they are read.
    if (isTestFile(path)) void this.tapes.load();
    const { tests } = readTestFile(path, document.getText());
    const named = await (await this.#namedIn(folder)).testsIn(document);
    return joinedTests(tests, named).map((test) => ({ file: document.uri, folder, test }));
  }

  /** The test of a document with this name: also one of several that a place defines. */
  async testIn(document: vscode.TextDocument, name: string): Promise<FoundTest | undefined> {
    const found = (await this.testsIn(document)).find(({ test }) => test.name === name);
    const folder = vscode.workspace.getWorkspaceFolder(document.uri);
    return found ?? (folder && (await this.#namedIn(folder)).testNamed(document, name));
  }

  /** The tests that use a tape. */
  async testsOf(tape: vscode.Uri): Promise<readonly FoundTest[]> {
    await this.load();
    const folder = vscode.workspace.getWorkspaceFolder(tape);
    const named = folder && (await (await this.#namedIn(folder)).testOf(tape));
    if (named !== undefined) return [named];
    if (folder === undefined || this.#in(folder).size === 0) return [];
    const users = (await this.#indexOf(folder)).usersOf(vscode.workspace.asRelativePath(tape, false));
    return users.map((test) => ({ file: vscode.Uri.joinPath(folder.uri, test.file), folder, test }));
  }

  /** The reason why no test can be using a tape, as a sentence; undefined if one does or if that is uncertain. */
  async orphanReason(tape: TapeEntry): Promise<string | undefined> {
    const { uri, tested } = tape;
    const folder = vscode.workspace.getWorkspaceFolder(uri);
    if (tape.test !== undefined && folder !== undefined) {
      await this.load();
      return (await this.#namedIn(folder)).orphanReason(tape);
    }
    if (tested?.orphans === undefined) return undefined;
    await this.load();
    if (folder === undefined || this.#in(folder).size === 0 || this.#cut.includes(folder.name)) return undefined;
    return (await this.#indexOf(folder)).orphanReason(vscode.workspace.asRelativePath(uri, false), tested);
  }

  async #namedIn(folder: vscode.WorkspaceFolder): Promise<TestsByTapes> {
    const { TestsByTapes } = await import('./testsByTapes');
    const key = folder.uri.toString();
    const known = this.#named.get(key) ?? new TestsByTapes(folder, this.tapes);
    this.#named.set(key, known);
    return known;
  }

  async #indexOf(folder: vscode.WorkspaceFolder): Promise<TapeTests> {
    const { TapeTests } = await loadCore();
    const key = folder.uri.toString();
    const known = this.#indexes.get(key) ?? new TapeTests(this.#in(folder));
    this.#indexes.set(key, known);
    return known;
  }

  #in({ uri }: vscode.WorkspaceFolder): Map<string, TestFile> {
    const key = uri.toString();
    const files = this.#folders.get(key) ?? new Map<string, TestFile>();
    this.#folders.set(key, files);
    return files;
  }

  async #discover(): Promise<void> {
    this.#watch();
    await this.#find();
  }

  async #find(): Promise<void> {
    const { isTestFile } = await loadCore();
    const { files, cut } = await findFiles(TEST_GLOB, isTestFile);
    this.#cut = cut;
    await this.#refresh(files);
  }

  #watch(): void {
    const touch = (uri: vscode.Uri): void => {
      if (isSearched(uri)) this.#debouncedFiles.add(uri.toString(), uri);
    };
    this.#owned.add(watchFiles([TEST_GLOB], touch));
    // Of a test file with a name of its own.
    this.#owned.add(watchFiles([SOURCE_GLOB], () => this.#named.clear()));
    this.#owned.add(this.folders.onDidChange((change) => void this.#foldersChanged(change)));
    this.#owned.add(vscode.workspace.onDidChangeWorkspaceFolders(() => void this.reload()));
  }

  async #foldersChanged({ isGone, files }: FolderChange): Promise<void> {
    const { isTestFile } = await loadCore();
    const gone = this.#files().filter((uri) => isGone(uri.toString()));
    await this.#refresh([...gone, ...files.filter(({ path }) => isTestFile(path))]);
  }

  #files(): readonly vscode.Uri[] {
    return [...this.#folders].flatMap(([folder, files]) =>
      [...files.keys()].map((path) => vscode.Uri.joinPath(vscode.Uri.parse(folder), path)),
    );
  }

  async #refresh(uris: readonly vscode.Uri[]): Promise<void> {
    for (let at = 0; at < uris.length; at += READERS)
      await Promise.all(uris.slice(at, at + READERS).map((uri) => this.#read(uri)));
    this.#indexes.clear();
    this.#named.clear();
    if (uris.length > 0) this.#changed.fire();
  }

  async #read(uri: vscode.Uri): Promise<void> {
    const folder = vscode.workspace.getWorkspaceFolder(uri);
    if (folder === undefined) return;
    const path = vscode.workspace.asRelativePath(uri, false);
    try {
      const text = new TextDecoder().decode(await vscode.workspace.fs.readFile(uri));
      const { readTestFile } = await loadCore();
      this.#in(folder).set(path, readTestFile(path, text));
    } catch (error) {
      // A file that is gone has no tests; the watcher reports when it is back.
      if (!(error instanceof vscode.FileSystemError)) throw error;
      this.#in(folder).delete(path);
    }
  }
}
