import * as vscode from 'vscode';
import type { FormatId, PytestTapes, TapeFamily } from '../../core/model/tape';
import { isTapePath } from '../../core/project/filePatterns';
import type { Problem } from '../../core/text/source';
import { LineIndex } from '../../core/text/source';
import { isText } from '../../protocol/guards';
import { loadCore } from '../../reader/loadCore';
import { Debouncer } from '../base/debounce';
import { DisposableStore } from '../base/disposable';
import { problemRange } from '../base/ranges';
import type { FolderChange, FolderChanges } from './folderChanges';
import { findIn, isSearched, watchFiles } from './workspaceFiles';

const SETTLE_MS = 100;
/** How many files are read at a time. */
const READERS = 16;

/** The data of a tape that lists need. Its content is read again when it is shown. */
export interface TapeEntry {
  readonly uri: vscode.Uri;
  readonly format: FormatId;
  readonly formatLabel: string;
  readonly family: TapeFamily;
  readonly pytest?: PytestTapes;
  readonly interactions: number;
  readonly problems: readonly PlacedProblem[];
}

export interface PlacedProblem extends Problem {
  readonly range: vscode.Range;
}

export interface TapeChange {
  readonly uris: readonly vscode.Uri[];
  /** Whether a file became a tape, or is no longer one. */
  readonly listChanged: boolean;
}

/**
 * The tapes of the workspace: files that match a glob of `tapedeck.tapes` and whose content is in a supported format.
 * They are found on first use, then kept up to date file by file.
 */
export class TapeStore implements vscode.Disposable {
  readonly #entries = new Map<string, TapeEntry>();
  readonly #changed = new vscode.EventEmitter<TapeChange>();
  readonly #owned = new DisposableStore();
  readonly #debouncedFiles = this.#owned.add(new Debouncer<vscode.Uri>(SETTLE_MS, (uris) => void this.#refresh(uris)));
  #loading: Promise<void> | undefined;
  #watchers: vscode.Disposable | undefined;

  /** Fires with the tapes that were added, changed or removed. */
  readonly onDidChange = this.#changed.event;

  constructor(private readonly folders: FolderChanges) {}

  load(): Promise<void> {
    this.#loading ??= this.#discover();
    return this.#loading;
  }

  /** Finds all tapes again, for changes that no watcher has reported or after a change of the globs. */
  async reload(): Promise<void> {
    this.#loading = this.#discover(this.#loading);
    await this.#loading;
  }

  get(uri: vscode.Uri): TapeEntry | undefined {
    return this.#entries.get(uri.toString());
  }

  all(): readonly TapeEntry[] {
    return [...this.#entries.values()];
  }

  dispose(): void {
    this.#watchers?.dispose();
    this.#owned.dispose();
    this.#changed.dispose();
  }

  async #discover(running?: Promise<void>): Promise<void> {
    await Promise.allSettled([running]);
    if (running === undefined) this.#follow();
    const places = tapePlaces();
    this.#watchers?.dispose();
    this.#watchers = watchFiles(places, (uri) => this.#touch(uri));
    const found = await findTapes(places);
    const isFound = new Set(found.map(String));
    this.#drop(this.all().flatMap(({ uri }) => (isFound.has(uri.toString()) ? [] : [uri])));
    await this.#refresh(found);
  }

  async #foldersChanged({ isGone, files }: FolderChange): Promise<void> {
    const gone = this.all().flatMap(({ uri }) => (isGone(uri.toString()) ? [uri] : []));
    const came = new Set(files.map(String));
    const found = came.size === 0 ? [] : await findTapes(tapePlaces());
    await this.#refresh([...gone, ...found.filter((uri) => came.has(uri.toString()))]);
  }

  /** Subscribes to all events that may change the list, other than those of the file watchers. */
  #follow(): void {
    for (const listening of [
      // A watcher misses changes below a folder that was just created; this event reports those saved here.
      vscode.workspace.onDidSaveTextDocument(({ uri }) => {
        if (this.get(uri) !== undefined) this.#touch(uri);
      }),
      vscode.workspace.onDidChangeConfiguration((event) => {
        if (event.affectsConfiguration('tapedeck.tapes')) void this.reload();
      }),
      vscode.workspace.onDidChangeWorkspaceFolders(() => void this.reload()),
      this.folders.onDidChange((change) => void this.#foldersChanged(change)),
    ])
      this.#owned.add(listening);
  }

  #touch(uri: vscode.Uri): void {
    if (isSearched(uri)) this.#debouncedFiles.add(uri.toString(), uri);
  }

  /** Removes files that are no longer tapes of the workspace. */
  #drop(uris: readonly vscode.Uri[]): void {
    for (const uri of uris) this.#entries.delete(uri.toString());
    if (uris.length > 0) this.#changed.fire({ uris, listChanged: true });
  }

  async #refresh(uris: readonly vscode.Uri[]): Promise<void> {
    const changed: vscode.Uri[] = [];
    let listChanged = false;
    for (let at = 0; at < uris.length; at += READERS) {
      const batch = uris.slice(at, at + READERS);
      const results = await Promise.all(batch.map((uri) => this.#read(uri)));
      changed.push(...batch.filter((_, index) => results[index] !== 'none'));
      listChanged ||= results.includes('listed');
    }
    if (changed.length > 0) this.#changed.fire({ uris: changed, listChanged });
  }

  /** Reads a file again. Returns what that changed: nothing, the tape, or the list of tapes as well. */
  async #read(uri: vscode.Uri): Promise<'none' | 'tape' | 'listed'> {
    const entry = await readTapeEntry(uri);
    const key = uri.toString();
    const was = this.#entries.has(key);
    if (entry === undefined) return this.#entries.delete(key) ? 'listed' : 'none';
    this.#entries.set(key, entry);
    return was ? 'tape' : 'listed';
  }
}

/** The globs of `tapedeck.tapes` for each folder of the workspace. */
function tapePlaces(): readonly vscode.RelativePattern[] {
  return (vscode.workspace.workspaceFolders ?? []).flatMap((folder) => {
    const globs = vscode.workspace.getConfiguration('tapedeck', folder.uri).get<unknown>('tapes');
    return Array.isArray(globs) ? globs.filter(isText).map((glob) => new vscode.RelativePattern(folder, glob)) : [];
  });
}

async function findTapes(places: readonly vscode.RelativePattern[]): Promise<readonly vscode.Uri[]> {
  const found = await Promise.all(places.map(({ baseUri, pattern }) => findIn(baseUri, pattern, isTapePath)));
  return [...new Map(found.flat().map((uri) => [uri.toString(), uri])).values()];
}

/** Reads a file as a tape; undefined if it is not one or is gone. */
async function readTapeEntry(uri: vscode.Uri): Promise<TapeEntry | undefined> {
  const { listTape } = await loadCore();
  try {
    const { size } = await vscode.workspace.fs.stat(uri);
    const listed = await listTape(uri.path, size, () => vscode.workspace.fs.readFile(uri));
    if (listed === undefined) return undefined;
    const { interactions, problems, text } = listed;
    const lines = problems.length > 0 ? new LineIndex(text) : undefined;
    const placed = problems.map((problem) => ({ ...problem, range: problemRange(problem, lines) }));
    const { id, label, family, pytest } = listed.format;
    return {
      uri,
      format: id,
      formatLabel: label,
      family,
      ...(pytest && { pytest }),
      interactions,
      problems: placed,
    };
  } catch (error) {
    // A file that is gone or cannot be read is not a tape at present; the watcher reports when that changes.
    if (error instanceof vscode.FileSystemError) return undefined;
    throw error;
  }
}
