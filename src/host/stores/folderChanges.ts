import * as vscode from 'vscode';
import { Debouncer } from '../base/debounce';
import { DisposableStore } from '../base/disposable';
import { filesBelow, isSearched } from './workspaceFiles';

/** A checkout makes many folders, and files come into them after they are there. */
const SETTLE_MS = 300;
/** The name of a file. Folders are called `v1.2` and `Acme.Tests` as well, so only short extensions count. */
const FILE_NAME = /\.[a-z]\w{0,3}$/i;

export interface FolderChange {
  /** Was the file, by its URI, in a folder that is gone? */
  readonly isGone: (file: string) => boolean;
  /** The files in folders that came. */
  readonly files: readonly vscode.Uri[];
}

/**
 * Tells of the files in folders that come, go or get another name: VS Code tells of the folder alone, which no glob for files
 * fits. What has the name of a file is not looked at, as a build writes thousands.
 */
export class FolderChanges implements vscode.Disposable {
  readonly #owned = new DisposableStore();
  readonly #changed = this.#owned.add(new vscode.EventEmitter<FolderChange>());
  readonly #settled = this.#owned.add(new Debouncer<FolderEvent>(SETTLE_MS, (events) => void this.#tell(events)));
  #isWatching = false;

  readonly onDidChange: vscode.Event<FolderChange> = (listener) => {
    this.#watch();
    return this.#changed.event(listener);
  };

  dispose(): void {
    this.#owned.dispose();
  }

  #watch(): void {
    if (this.#isWatching) return;
    this.#isWatching = true;
    const watcher = this.#owned.add(vscode.workspace.createFileSystemWatcher('**', false, true));
    const hear = (type: FolderEvent['type']) => (uri: vscode.Uri) => {
      if (!FILE_NAME.test(uri.path) && isSearched(uri)) this.#settled.add(`${type} ${uri}`, { type, uri });
    };
    this.#owned.add(watcher.onDidCreate(hear('came')));
    this.#owned.add(watcher.onDidDelete(hear('went')));
  }

  async #tell(events: readonly FolderEvent[]): Promise<void> {
    const urisOf = (wanted: FolderEvent['type']) => events.filter(({ type }) => type === wanted).map(({ uri }) => uri);
    const gone = new Set(urisOf('went').map(String));
    const came = await Promise.all(topmost(urisOf('came')).map(filesIn));
    this.#changed.fire({ isGone: (file) => isBelow(file, gone), files: came.flat() });
  }
}

interface FolderEvent {
  readonly type: 'came' | 'went';
  readonly uri: vscode.Uri;
}

function topmost(uris: readonly vscode.Uri[]): readonly vscode.Uri[] {
  const all = new Set(uris.map(String));
  return uris.filter((uri) => !isBelow(uri.toString(), all));
}

function isBelow(uri: string, folders: ReadonlySet<string>): boolean {
  if (folders.size === 0) return false;
  for (let end = uri.lastIndexOf('/'); end > 0; end = uri.lastIndexOf('/', end - 1))
    if (folders.has(uri.slice(0, end))) return true;
  return false;
}

/** None where it is a file, or gone by now. */
async function filesIn(uri: vscode.Uri): Promise<readonly vscode.Uri[]> {
  try {
    const { type } = await vscode.workspace.fs.stat(uri);
    return type === vscode.FileType.Directory ? await filesBelow(uri) : [];
  } catch (error) {
    if (error instanceof vscode.FileSystemError) return [];
    throw error;
  }
}
