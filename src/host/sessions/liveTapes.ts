import * as vscode from 'vscode';
import { TRANSCRIPT_VIEW_TYPE } from '../base/transcriptViews';
import { transcriptTabs } from './transcriptTabs';

const SCHEME = 'tapedeck-live';

interface LiveFile {
  readonly bytes: Uint8Array;
  readonly mtime: number;
}

/** Tapes that are still being recorded, as read-only files, so that the transcript of each grows while it is. */
export class LiveTapes implements vscode.FileSystemProvider, vscode.Disposable {
  readonly #files = new Map<string, LiveFile>();
  readonly #changed = new vscode.EventEmitter<vscode.FileChangeEvent[]>();
  readonly onDidChangeFile = this.#changed.event;
  readonly #registration = vscode.workspace.registerFileSystemProvider(SCHEME, this, { isReadonly: true });

  /** Shows what a session has recorded so far: beside the active editor, and without taking the focus. */
  async show(session: string, tape: vscode.Uri, text: string): Promise<void> {
    const uri = liveUri(session, tape);
    const isNew = !this.#files.has(uri.toString());
    this.#files.set(uri.toString(), { bytes: new TextEncoder().encode(text), mtime: Date.now() });
    this.#changed.fire([{ type: vscode.FileChangeType.Changed, uri }]);
    const isEmpty = vscode.window.tabGroups.activeTabGroup.tabs.length === 0;
    if (isNew) await openIn(isEmpty ? vscode.ViewColumn.Active : vscode.ViewColumn.Beside, uri);
  }

  /** Ends the transcript of a session; where the tape was saved, its transcript takes the place. */
  async end(session: string, tape: vscode.Uri, isSaved: boolean): Promise<void> {
    const uri = liveUri(session, tape);
    if (!this.#files.has(uri.toString())) return;
    const shown = transcriptTabs(uri);
    const column = shown[0]?.group.viewColumn;
    if (isSaved && column !== undefined) await openIn(column, tape);
    await vscode.window.tabGroups.close(shown, true);
    this.#files.delete(uri.toString());
  }

  stat(uri: vscode.Uri): vscode.FileStat {
    const { bytes, mtime } = this.#file(uri);
    return { type: vscode.FileType.File, ctime: 0, mtime, size: bytes.length };
  }

  readFile(uri: vscode.Uri): Uint8Array {
    return this.#file(uri).bytes;
  }

  watch(): vscode.Disposable {
    return new vscode.Disposable(() => undefined);
  }

  readDirectory(uri: vscode.Uri): never {
    throw vscode.FileSystemError.FileNotADirectory(uri);
  }

  createDirectory(uri: vscode.Uri): never {
    throw vscode.FileSystemError.NoPermissions(uri);
  }

  writeFile(uri: vscode.Uri): never {
    throw vscode.FileSystemError.NoPermissions(uri);
  }

  delete(uri: vscode.Uri): never {
    throw vscode.FileSystemError.NoPermissions(uri);
  }

  rename(uri: vscode.Uri): never {
    throw vscode.FileSystemError.NoPermissions(uri);
  }

  dispose(): void {
    this.#registration.dispose();
    this.#changed.dispose();
  }

  #file(uri: vscode.Uri): LiveFile {
    const file = this.#files.get(uri.toString());
    if (file === undefined) throw vscode.FileSystemError.FileNotFound(uri);
    return file;
  }
}

/** The address of a take while it is recorded. */
export function liveUri(session: string, tape: vscode.Uri): vscode.Uri {
  return vscode.Uri.from({ scheme: SCHEME, authority: session, path: tape.path });
}

async function openIn(viewColumn: vscode.ViewColumn, uri: vscode.Uri): Promise<void> {
  await vscode.commands.executeCommand('vscode.openWith', uri, TRANSCRIPT_VIEW_TYPE, {
    viewColumn,
    preserveFocus: true,
  });
}
