import * as vscode from 'vscode';
import { looksLikeCase } from '../../core/cases/looksLikeCase';
import { IGNORED_FOLDERS } from '../../core/project/layout';
import { Debouncer } from '../base/debounce';
import { type CaseEntry, readCaseEntry } from './caseEntry';
import { findFiles } from './findFiles';

/** Typing settles before a case is read again. */
const SETTLE_MS = 150;
export const CASE_GLOB = '**/*.toml';

/** The cases of the workspace: found on first demand, then kept up to date one file at a time. */
export class CaseStore implements vscode.Disposable {
  readonly #entries = new Map<string, CaseEntry>();
  readonly #changed = new vscode.EventEmitter<readonly vscode.Uri[]>();
  readonly #subscriptions: vscode.Disposable[] = [this.#changed];
  readonly #settled = new Debouncer<vscode.Uri>(SETTLE_MS, (uris) => void this.refresh(uris));
  #loading: Promise<void> | undefined;

  /** Fires with the files whose case appeared, changed or went away. */
  readonly onDidChange = this.#changed.event;

  /** Finds all cases, once; later calls return the same promise. */
  load(): Promise<void> {
    this.#loading ??= this.#discover();
    return this.#loading;
  }

  /** Finds all cases again, for what no watcher has seen. */
  async reload(): Promise<void> {
    const known = [...this.#entries.values()].map(({ uri }) => uri);
    this.#loading = this.#discover();
    await this.#loading;
    await this.refresh(known);
  }

  all(): readonly CaseEntry[] {
    return [...this.#entries.values()].sort((left, right) => left.relativePath.localeCompare(right.relativePath));
  }

  get(uri: vscode.Uri): CaseEntry | undefined {
    return this.#entries.get(uri.toString());
  }

  /** The case of a file, read now if it is not known yet; undefined when the file is no case. */
  async open(uri: vscode.Uri): Promise<CaseEntry | undefined> {
    if (this.get(uri) === undefined) await this.refresh([uri]);
    return this.get(uri);
  }

  /** Reads files again, from the editor where they are open, and tells who listens what changed. */
  async refresh(uris: readonly vscode.Uri[]): Promise<void> {
    const changed = await Promise.all(uris.map((uri) => this.#read(uri)));
    const affected = uris.filter((_, index) => changed[index]);
    if (affected.length > 0) this.#changed.fire(affected);
  }

  dispose(): void {
    this.#settled.dispose();
    for (const subscription of this.#subscriptions) subscription.dispose();
  }

  async #discover(): Promise<void> {
    if (this.#subscriptions.length === 1) this.#watch();
    const uris = await findFiles(CASE_GLOB, (path) => path.endsWith('.toml'));
    await this.refresh(uris);
  }

  #watch(): void {
    const watcher = vscode.workspace.createFileSystemWatcher(CASE_GLOB);
    const touch = (uri: vscode.Uri): void => {
      if (isSearched(uri)) this.#settled.add(uri.toString(), uri);
    };
    this.#subscriptions.push(
      watcher,
      watcher.onDidCreate(touch),
      watcher.onDidChange(touch),
      watcher.onDidDelete(touch),
      vscode.workspace.onDidChangeTextDocument(({ document }) => {
        if (document.uri.path.endsWith('.toml')) touch(document.uri);
      }),
      vscode.workspace.onDidChangeWorkspaceFolders(() => void this.reload()),
    );
  }

  /** Returns whether the store changed. */
  async #read(uri: vscode.Uri): Promise<boolean> {
    const key = uri.toString();
    const previous = this.#entries.get(key);
    const folder = vscode.workspace.getWorkspaceFolder(uri);
    const text = folder && (await readText(uri));
    const stillCase = text !== undefined && (looksLikeCase(text) || (previous !== undefined && text.trim() !== ''));
    if (!folder || !stillCase) return this.#entries.delete(key);
    this.#entries.set(key, readCaseEntry(uri, folder, text, previous));
    return true;
  }
}

/** Is a file in a place where cases and tapes are looked for? */
export function isSearched(uri: vscode.Uri): boolean {
  const path = vscode.workspace.asRelativePath(uri, false);
  return uri.scheme !== 'git' && !path.split('/').some((part) => (IGNORED_FOLDERS as readonly string[]).includes(part));
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
