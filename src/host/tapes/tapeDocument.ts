import * as vscode from 'vscode';
import type { TapeFile } from '../../core/tapes/tapeFile';
import { tapeReading } from '../base/tapeReading';

/** A tape that an editor shows: text that is open in VS Code, or a packed file that can only be looked at. */
export interface TapeDocument {
  readonly uri: vscode.Uri;
  /** Goes up whenever the content changes. */
  readonly version: number;
  readonly onDidChange: vscode.Event<void>;
  /** Absent for a packed file: then there is no text editor that could show a place in it. */
  readonly text?: vscode.TextDocument;
  file(): Promise<TapeFile>;
}

/** A text document as a tape: what is being edited is what is shown. */
export function textTape(document: vscode.TextDocument): TapeDocument {
  return {
    uri: document.uri,
    text: document,
    get version() {
      return document.version;
    },
    // The event comes for saving and for the dirty mark as well; those leave the version as it was.
    onDidChange: (listener) =>
      vscode.workspace.onDidChangeTextDocument((event) => {
        if (event.document === document) listener();
      }),
    file: async () => (await tapeReading()).textFile(document.getText(), document.uri.path),
  };
}

/** A gzipped or zipped tape. It follows the file on disk. */
export class PackedTape implements TapeDocument, vscode.CustomDocument {
  readonly #changed = new vscode.EventEmitter<void>();
  readonly #watcher: vscode.FileSystemWatcher;
  readonly onDidChange = this.#changed.event;
  version = 1;

  constructor(readonly uri: vscode.Uri) {
    const name = uri.path.slice(uri.path.lastIndexOf('/') + 1);
    const pattern = new vscode.RelativePattern(vscode.Uri.joinPath(uri, '..'), name);
    this.#watcher = vscode.workspace.createFileSystemWatcher(pattern);
    for (const event of [this.#watcher.onDidCreate, this.#watcher.onDidChange]) event(() => this.#touch());
  }

  async file(): Promise<TapeFile> {
    return (await tapeReading()).tapeFile(this.uri.path, await vscode.workspace.fs.readFile(this.uri));
  }

  dispose(): void {
    this.#watcher.dispose();
    this.#changed.dispose();
  }

  #touch(): void {
    this.version += 1;
    this.#changed.fire();
  }
}
