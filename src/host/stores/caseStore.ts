import * as vscode from 'vscode';
import { CASE_FILES_GLOB, mayHoldCases } from '../../core/project/filePatterns';
import { loadCore } from '../../reader/loadCore';
import { caseFileOf } from '../base/caseUri';
import { Debouncer } from '../base/debounce';
import { type CaseEntry, readCaseEntries } from './caseEntry';
import type { FolderChange, FolderChanges } from './folderChanges';
import { findFiles, isSearched, watchFiles } from './workspaceFiles';

/** Typing settles before a case is read again. */
const SETTLE_MS = 150;
/** Files read at the same time while looking for cases. Each read asks the window once, so few at a time are slow. */
const READERS = 256;
export const CASE_GLOB = '**/*.{toml,yaml,yml,json,jsonl}';

/** The cases of the workspace: found on first demand, then kept up to date one file at a time. */
export class CaseStore implements vscode.Disposable {
  /** By file. */
  readonly #files = new Map<string, readonly CaseEntry[]>();
  readonly #changed = new vscode.EventEmitter<readonly vscode.Uri[]>();
  readonly #subscriptions: vscode.Disposable[] = [this.#changed];
  readonly #settled = new Debouncer<vscode.Uri>(SETTLE_MS, (uris) => void this.refresh(uris));
  #sorted: readonly CaseEntry[] | undefined;
  #loading: Promise<void> | undefined;

  /** Fires with the cases that appeared, changed or went away. */
  readonly onDidChange = this.#changed.event;

  constructor(private readonly folders: FolderChanges) {}

  /** Finds all cases, once; later calls return the same promise. */
  load(): Promise<void> {
    this.#loading ??= this.#discover();
    return this.#loading;
  }

  /** Finds all cases again, for what no watcher has seen. */
  async reload(): Promise<void> {
    const known = this.all().map(({ file }) => file);
    this.#loading = this.#discover();
    await this.#loading;
    await this.refresh(known);
  }

  /** By path, and in a file in their order there. */
  all(): readonly CaseEntry[] {
    this.#sorted ??= [...this.#files.values()]
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

  /** The cases of a file, read now if none is known yet; none when the file holds no case. */
  async open(uri: vscode.Uri): Promise<readonly CaseEntry[]> {
    if (this.inFile(uri).length === 0) await this.refresh([caseFileOf(uri)]);
    return this.inFile(uri);
  }

  /** Reads files again, from the editor where they are open, and tells who listens what changed. */
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
    this.#settled.dispose();
    for (const subscription of this.#subscriptions) subscription.dispose();
  }

  async #discover(): Promise<void> {
    if (this.#subscriptions.length === 1) this.#watch();
    const found = await findFiles(CASE_FILES_GLOB, mayHoldCases);
    await this.refresh(found.filter(({ path }) => mayHoldCases(path)));
  }

  #watch(): void {
    const touch = (uri: vscode.Uri): void => {
      if ((mayHoldCases(uri.path) || this.inFile(uri).length > 0) && isSearched(uri))
        this.#settled.add(uri.toString(), uri);
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
    const entries = await readFile(file, previous);
    if (entries.length === 0 && previous.length === 0) return [];
    if (entries.length === 0) this.#files.delete(key);
    else this.#files.set(key, entries);
    this.#sorted = undefined;
    const uris = [...previous, ...entries].map(({ uri }) => uri);
    return [...new Map(uris.map((uri) => [uri.toString(), uri])).values()];
  }
}

/** The cases of a file as it is now. One that is emptied or goes holds none any more. */
async function readFile(file: vscode.Uri, previous: readonly CaseEntry[]): Promise<readonly CaseEntry[]> {
  const folder = vscode.workspace.getWorkspaceFolder(file);
  const text = folder && (await readText(file));
  if (folder === undefined || text === undefined || text.trim() === '') return [];
  const { caseKindOf } = await loadCore();
  const kind = caseKindOf(text, file.path) ?? previous[0]?.kind;
  return kind === undefined ? [] : readCaseEntries(file, folder, kind, text, previous);
}

/** Quicker than `localeCompare`, and for thousands of paths that counts. */
function compare(left: string, right: string): number {
  return left < right ? -1 : left > right ? 1 : 0;
}

async function readText(uri: vscode.Uri): Promise<string | undefined> {
  const open = vscode.workspace.textDocuments.find((document) => document.uri.toString() === uri.toString());
  if (open) return open.getText();
  try {
    return new TextDecoder().decode(await vscode.workspace.fs.readFile(uri));
  } catch (error) {
    // A file that is gone by now is simply no case any more.
    if (error instanceof vscode.FileSystemError) return undefined;
    throw error;
  }
}
