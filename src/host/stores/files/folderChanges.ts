import * as vscode from 'vscode';
import { Debouncer } from '../../base/debounce';
import { DisposableStore } from '../../base/disposable';
import { filesBelow, isSearched } from './workspaceFiles';

/** A checkout creates many folders, and fills them only afterwards. */
const SETTLE_MS = 300;
/** A name that is taken for a file's. Folders may be called `v1.2` or `Acme.Tests`, so only short extensions count. */
const FILE_NAME = /\.[a-z]\w{0,3}$/i;

export interface FolderChange {
  /** Whether a file, by its URI, was in a folder that is gone. */
  readonly isGone: (file: string) => boolean;
  /** The files in new folders. */
  readonly files: readonly vscode.Uri[];
}

/**
 * Reports the files in folders that are created, deleted or renamed. VS Code reports only the folder, which matches no
 * glob for files. Anything that is named like a file is skipped without a look, because a build may write thousands.
 */
export class FolderChanges implements vscode.Disposable {
  readonly #owned = new DisposableStore();
  readonly #changed = this.#owned.add(new vscode.EventEmitter<FolderChange>());
  readonly #debouncedEvents = this.#owned.add(
    new Debouncer<FolderEvent>(SETTLE_MS, (events) => void this.#report(events)),
  );
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
    const listener = (type: FolderEvent['type']) => (uri: vscode.Uri) => {
      if (!FILE_NAME.test(uri.path) && isSearched(uri)) this.#debouncedEvents.add(`${type} ${uri}`, { type, uri });
    };
    this.#owned.add(watcher.onDidCreate(listener('created')));
    this.#owned.add(watcher.onDidDelete(listener('deleted')));
  }

  async #report(events: readonly FolderEvent[]): Promise<void> {
    const urisOf = (wanted: FolderEvent['type']) => events.filter(({ type }) => type === wanted).map(({ uri }) => uri);
    const gone = new Set(urisOf('deleted').map(String));
    const created = await Promise.all(topmost(urisOf('created')).map(filesIn));
    this.#changed.fire({ isGone: (file) => isBelow(file, gone), files: created.flat() });
  }
}

interface FolderEvent {
  readonly type: 'created' | 'deleted';
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

/** The files below a folder; none if `uri` is a file or gone. */
async function filesIn(uri: vscode.Uri): Promise<readonly vscode.Uri[]> {
  try {
    const { type } = await vscode.workspace.fs.stat(uri);
    return type === vscode.FileType.Directory ? await filesBelow(uri) : [];
  } catch (error) {
    if (error instanceof vscode.FileSystemError) return [];
    throw error;
  }
}
