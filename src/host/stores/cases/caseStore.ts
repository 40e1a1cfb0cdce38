import * as vscode from 'vscode';
import { CASE_FILES_GLOB, mayHoldCases } from '../../../core/project/filePatterns';
import { loadCore } from '../../../reader/loadCore';
import { caseFileOf } from '../../base/caseUri';
import { Debouncer } from '../../base/debounce';
import type { FolderChange, FolderChanges } from '../files/folderChanges';
import { findFiles, isSearched, watchFiles } from '../files/workspaceFiles';
import { type CaseEntry, readCaseEntries } from './caseEntry';

/** How long a file must be unchanged before it is read again. */
const SETTLE_MS = 150;
/** How many files are read at a time. Each read is a round trip to the window, so small batches are slow. */
const READERS = 256;
/** So many files are searched for cases in a folder of the workspace. */
const MOST_CASE_FILES = 10_000;
export const CASE_GLOB = '**/*.{toml,yaml,yml,json,jsonl}';

/** The text of a file; undefined if it is gone, or cannot be read. */
export type ReadDisk = (path: string) => Promise<string | undefined>;

/** The cases of the workspace. They are found on first use, then kept up to date file by file. */
export class CaseStore implements vscode.Disposable {
  /** The cases by the URI of their file. */
  readonly #files = new Map<string, readonly CaseEntry[]>();
  readonly #changed = new vscode.EventEmitter<readonly vscode.Uri[]>();
  readonly #subscriptions: vscode.Disposable[] = [this.#changed];
  readonly #debouncedFiles = new Debouncer<vscode.Uri>(SETTLE_MS, (uris) => void this.refresh(uris));
  #sorted: readonly CaseEntry[] | undefined;
  #loading: Promise<void> | undefined;
  #cut: readonly string[] = [];

  /** Fires with the cases that were added, changed or removed. */
  readonly onDidChange = this.#changed.event;

  /** @param readDisk Reads a file on the disk, at a fraction of what that costs in the API; absent if there is none. */
  constructor(
    private readonly folders: FolderChanges,
    private readonly readDisk?: ReadDisk,
  ) {}

  /** Finds all cases, once; later calls return the same promise. */
  load(): Promise<void> {
    this.#loading ??= this.#discover();
    return this.#loading;
  }

  /** Finds all cases again, for changes that no watcher has reported. */
  async reload(): Promise<void> {
    this.#loading = this.#discover(this.all().map(({ file }) => file));
    await this.#loading;
  }

  /** The folders of the workspace that have more files than are searched for cases. */
  get cut(): readonly string[] {
    return this.#cut;
  }

  /**
   * All cases, ordered by path and by their position in the file. Files that only support cases, such as chaos profiles, hold
   * none.
   */
  all(): readonly CaseEntry[] {
    this.#sorted ??= [...this.#files.values()]
      .filter(holdsCase)
      .sort(([left], [right]) => compare(left?.relativePath ?? '', right?.relativePath ?? ''))
      .flat();
    return this.#sorted;
  }

  /** The case with this URI. */
  get(uri: vscode.Uri): CaseEntry | undefined {
    const key = uri.toString();
    return this.inFile(uri).find((entry) => entry.uri.toString() === key);
  }

  /** The known cases of a file. */
  inFile(uri: vscode.Uri): readonly CaseEntry[] {
    return this.#files.get(caseFileOf(uri).toString()) ?? [];
  }

  /** Whether an entry is a case, and not of a file that only supports cases. */
  isCase({ file }: CaseEntry): boolean {
    return holdsCase(this.inFile(file));
  }

  /** The cases of a file, read now if none is known yet; none when the file holds no case. */
  async open(uri: vscode.Uri): Promise<readonly CaseEntry[]> {
    this.#watch();
    if (this.inFile(uri).length === 0) await this.refresh([caseFileOf(uri)]);
    return this.inFile(uri);
  }

  /** Reads files again, from the editor if they are open there, and fires an event with the cases that changed. */
  async refresh(files: readonly vscode.Uri[]): Promise<void> {
    const changed: vscode.Uri[] = [];
    const unique = [...new Map(files.map((file) => [file.toString(), file])).values()];
    for (let at = 0; at < unique.length; at += READERS) {
      const batch = await Promise.all(unique.slice(at, at + READERS).map((file) => this.#read(file)));
      changed.push(...batch.flat());
    }
    if (changed.length > 0) this.#changed.fire(changed);
  }

  dispose(): void {
    this.#debouncedFiles.dispose();
    for (const subscription of this.#subscriptions) subscription.dispose();
  }

  async #discover(known: readonly vscode.Uri[] = []): Promise<void> {
    this.#watch();
    const { files, cut } = await findFiles(CASE_FILES_GLOB, mayHoldCases, MOST_CASE_FILES);
    this.#cut = cut;
    await this.refresh([...known, ...files.filter(({ path }) => mayHoldCases(path))]);
  }

  #watch(): void {
    if (this.#subscriptions.length > 1) return;
    const touch = (uri: vscode.Uri): void => {
      if ((mayHoldCases(uri.path) || this.inFile(uri).length > 0) && isSearched(uri))
        this.#debouncedFiles.add(uri.toString(), uri);
    };
    this.#subscriptions.push(
      watchFiles([CASE_GLOB], touch),
      this.folders.onDidChange((change) => void this.#foldersChanged(change)),
      vscode.workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
        if (contentChanges.length > 0) touch(document.uri);
      }),
      vscode.workspace.onDidChangeWorkspaceFolders(() => void this.reload()),
    );
  }

  async #foldersChanged({ isGone, files }: FolderChange): Promise<void> {
    const gone = this.all().filter(({ file }) => isGone(file.toString()));
    await this.refresh([...gone.map(({ file }) => file), ...files.filter(({ path }) => mayHoldCases(path))]);
  }

  /** Returns the cases that changed. */
  async #read(file: vscode.Uri): Promise<readonly vscode.Uri[]> {
    const key = file.toString();
    const previous = this.#files.get(key) ?? [];
    const entries = await this.#entriesOf(file, previous);
    if (entries.length === 0 && previous.length === 0) return [];
    if (entries.length === 0) this.#files.delete(key);
    else this.#files.set(key, entries);
    this.#sorted = undefined;
    const uris = [...previous, ...entries].map(({ uri }) => uri);
    return [...new Map(uris.map((uri) => [uri.toString(), uri])).values()];
  }

  /** None if the file is gone, or was never one of cases. */
  async #entriesOf(file: vscode.Uri, previous: readonly CaseEntry[]): Promise<readonly CaseEntry[]> {
    const folder = vscode.workspace.getWorkspaceFolder(file);
    const text = folder && (await readText(file, this.readDisk));
    if (folder === undefined || text === undefined) return [];
    const { caseKindOf } = await loadCore();
    const kind = caseKindOf(text, file.path) ?? previous[0]?.kind;
    return kind === undefined ? [] : readCaseEntries(file, folder, kind, text, previous);
  }
}

function holdsCase(entries: readonly CaseEntry[]): boolean {
  return entries.some(({ listed }) => listed?.lacks === undefined);
}

/** Much faster than `localeCompare`, which matters for thousands of paths. */
function compare(left: string, right: string): number {
  return left < right ? -1 : left > right ? 1 : 0;
}

async function readText(uri: vscode.Uri, readDisk?: ReadDisk): Promise<string | undefined> {
  const open = vscode.workspace.textDocuments.find((document) => document.uri.toString() === uri.toString());
  if (open) return open.getText();
  if (readDisk !== undefined && uri.scheme === 'file') return readDisk(uri.fsPath);
  try {
    return new TextDecoder().decode(await vscode.workspace.fs.readFile(uri));
  } catch (error) {
    // The file is gone, and its cases with it.
    if (error instanceof vscode.FileSystemError) return undefined;
    throw error;
  }
}
