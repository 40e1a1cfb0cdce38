import * as vscode from 'vscode';
import type { TapeTest, TestFile } from '../../../core/tapeTests/tapeTest';
import type { TapeTests } from '../../../core/tapeTests/tapeTests';
import { loadCore } from '../../../reader/loadCore';
import { Debouncer } from '../../base/debounce';
import { DisposableStore } from '../../base/disposable';
import type { FolderChange, FolderChanges } from '../files/folderChanges';
import { findFiles, isSearched, watchFiles } from '../files/workspaceFiles';
import type { TapeEntry } from './tapeStore';

/** How long a test file must be unchanged before it is read again. */
const SETTLE_MS = 200;
const READERS = 32;
const SCRIPTS = ['ts', 'tsx', 'mts', 'cts', 'js', 'jsx', 'mjs', 'cjs'];
/** The default names of test files; `isTestFile` decides. VS Code's globs cannot nest braces. */
export const TEST_GLOB = `{${[
  ...['test_*.py', '*_test.py', '*_test.go'],
  ...SCRIPTS.flatMap((extension) => [`*.test.${extension}`, `*.spec.${extension}`, `__tests__/**/*.${extension}`]),
]
  .map((name) => `**/${name}`)
  .join(',')}}`;

/** A test that uses at least one tape. */
export interface FoundTest {
  readonly file: vscode.Uri;
  readonly folder: vscode.WorkspaceFolder;
  readonly test: TapeTest;
}

/**
 * The tests that use tapes. They are found on first use, then kept up to date file by file. Which test uses which tape
 * is read from the source text; nothing is run.
 */
export class TapeTestStore implements vscode.Disposable {
  /** The tests by workspace folder and path. A test file without tapes has an empty list. */
  readonly #folders = new Map<string, Map<string, TestFile>>();
  /** The index of each folder's tests, until any of them changes. */
  readonly #indexes = new Map<string, TapeTests>();
  readonly #changed = new vscode.EventEmitter<void>();
  readonly #owned = new DisposableStore();
  readonly #debouncedFiles = this.#owned.add(new Debouncer<vscode.Uri>(SETTLE_MS, (uris) => void this.#refresh(uris)));
  #loading: Promise<void> | undefined;
  /** Folders with more tests than are read, whose tapes may be used by any of these. */
  #cut: readonly string[] = [];

  readonly onDidChange = this.#changed.event;

  constructor(private readonly folders: FolderChanges) {}

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
    const { readTestFile } = await loadCore();
    const { tests } = readTestFile(vscode.workspace.asRelativePath(document.uri, false), document.getText());
    return tests.map((test) => ({ file: document.uri, folder, test }));
  }

  /** The tests that use a tape. */
  async testsOf(tape: vscode.Uri): Promise<readonly FoundTest[]> {
    await this.load();
    const folder = vscode.workspace.getWorkspaceFolder(tape);
    if (folder === undefined || this.#in(folder).size === 0) return [];
    const users = (await this.#indexOf(folder)).usersOf(vscode.workspace.asRelativePath(tape, false));
    return users.map((test) => ({ file: vscode.Uri.joinPath(folder.uri, test.file), folder, test }));
  }

  /** The reason why no test can be using a tape, as a sentence; undefined if one does or if that is uncertain. */
  async orphanReason({ uri, tested }: TapeEntry): Promise<string | undefined> {
    if (tested?.orphans === undefined) return undefined;
    await this.load();
    const folder = vscode.workspace.getWorkspaceFolder(uri);
    if (folder === undefined || this.#in(folder).size === 0 || this.#cut.includes(folder.name)) return undefined;
    return (await this.#indexOf(folder)).orphanReason(vscode.workspace.asRelativePath(uri, false), tested);
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
