import * as vscode from 'vscode';
import { isTapePlace } from '../../core/project/tapePaths';
import type { FormatId } from '../../core/tapes/tape';
import type { Problem } from '../../core/text/source';
import { LineIndex } from '../../core/text/source';
import { Debouncer } from '../base/debounce';
import { DisposableStore } from '../base/disposable';
import { rangeOf } from '../base/ranges';
import { tapeReading } from '../base/tapeReading';
import { isSearched } from './caseStore';
import { findFiles } from './findFiles';

const SETTLE_MS = 100;
/** Files read at the same time while looking for tapes. */
const READERS = 64;

/** A tape of the workspace, as far as lists need it. Its content is read again where it is shown. */
export interface TapeEntry {
  readonly uri: vscode.Uri;
  readonly format: FormatId;
  readonly formatLabel: string;
  readonly interactions: number;
  readonly problems: readonly PlacedProblem[];
}

export interface PlacedProblem extends Problem {
  readonly range: vscode.Range;
}

export interface TapeChange {
  readonly uris: readonly vscode.Uri[];
  /** A file became a tape, or is none any more. */
  readonly listChanged: boolean;
}

/**
 * The tapes of the workspace: files in the places that `tapedeck.tapes` names whose content a format claims. They are
 * found on first demand, then kept up to date one file at a time.
 */
export class TapeStore implements vscode.Disposable {
  readonly #entries = new Map<string, TapeEntry>();
  readonly #changed = new vscode.EventEmitter<TapeChange>();
  readonly #owned = new DisposableStore();
  readonly #settled = this.#owned.add(new Debouncer<vscode.Uri>(SETTLE_MS, (uris) => void this.#refresh(uris)));
  #loading: Promise<void> | undefined;
  #isWatching = false;

  /** Fires with the files that became, changed as or are no longer tapes. */
  readonly onDidChange = this.#changed.event;

  load(): Promise<void> {
    this.#loading ??= this.#discover();
    return this.#loading;
  }

  async reload(): Promise<void> {
    const known = [...this.#entries.values()].map(({ uri }) => uri);
    this.#loading = this.#discover();
    await this.#loading;
    await this.#refresh(known);
  }

  get(uri: vscode.Uri): TapeEntry | undefined {
    return this.#entries.get(uri.toString());
  }

  all(): readonly TapeEntry[] {
    return [...this.#entries.values()];
  }

  dispose(): void {
    this.#owned.dispose();
    this.#changed.dispose();
  }

  async #discover(): Promise<void> {
    const globs = vscode.workspace.getConfiguration('tapedeck').get<readonly string[]>('tapes', []);
    if (!this.#isWatching) this.#watch(globs);
    const found = await Promise.all(globs.map((glob) => findFiles(glob, isTapePlace)));
    const files = new Map(found.flat().map((uri) => [uri.toString(), uri]));
    await this.#refresh([...files.values()]);
  }

  #watch(globs: readonly string[]): void {
    this.#isWatching = true;
    const touch = (uri: vscode.Uri): void => {
      if (isSearched(uri)) this.#settled.add(uri.toString(), uri);
    };
    // A watcher misses changes below a folder that has just been made; what is saved here is known without it.
    this.#owned.add(
      vscode.workspace.onDidSaveTextDocument(({ uri }) => {
        if (this.get(uri) !== undefined) touch(uri);
      }),
    );
    for (const glob of globs) {
      const watcher = this.#owned.add(vscode.workspace.createFileSystemWatcher(glob));
      for (const event of [watcher.onDidCreate, watcher.onDidChange, watcher.onDidDelete])
        this.#owned.add(event(touch));
    }
  }

  async #refresh(uris: readonly vscode.Uri[]): Promise<void> {
    const changed: vscode.Uri[] = [];
    const before = this.#entries.size;
    const known = uris.filter((uri) => this.#entries.has(uri.toString()));
    for (let at = 0; at < uris.length; at += READERS) {
      const batch = uris.slice(at, at + READERS);
      const results = await Promise.all(batch.map((uri) => this.#read(uri)));
      changed.push(...batch.filter((_, index) => results[index]));
    }
    const listChanged = this.#entries.size !== before || known.some((uri) => this.get(uri) === undefined);
    if (changed.length > 0) this.#changed.fire({ uris: changed, listChanged });
  }

  /** Returns whether the store changed. */
  async #read(uri: vscode.Uri): Promise<boolean> {
    const entry = await readTapeEntry(uri);
    if (entry === undefined) return this.#entries.delete(uri.toString());
    this.#entries.set(uri.toString(), entry);
    return true;
  }
}

/** Reads a file as a tape; undefined where it is none, or gone. */
async function readTapeEntry(uri: vscode.Uri): Promise<TapeEntry | undefined> {
  const { detectFormat, tapeFile } = await tapeReading();
  try {
    const file = tapeFile(uri.path, await vscode.workspace.fs.readFile(uri));
    const format = detectFormat(file);
    if (format === undefined) return undefined;
    const { interactions, problems } = format.read(file);
    const lines = problems.length > 0 ? new LineIndex(file.text) : undefined;
    const placed = problems.map((problem) => ({ ...problem, range: rangeOf(problem, lines) }));
    return { uri, format: format.id, formatLabel: format.label, interactions: interactions.length, problems: placed };
  } catch (error) {
    // A file that is gone, or cannot be read, is no tape now; the watcher tells when that changes.
    if (error instanceof vscode.FileSystemError) return undefined;
    throw error;
  }
}
