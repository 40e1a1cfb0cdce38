import * as vscode from 'vscode';
import type { TapeFile } from '../../../core/tapes/tapeFile';
import { t } from '../../../core/text/l10n';
import { applySplices, type Splice } from '../../../core/text/splice';
import { loadCore } from '../../../reader/loadCore';
import { largeFile, type TapeDocument } from '../tapeDocument';

/** A step that VS Code can undo. */
export interface PackedEdit {
  readonly label: string;
  undo(): void;
  redo(): void;
}

/** A gzipped or zipped tape. It follows the file on disk as long as it has no unsaved changes. */
export class PackedTape implements TapeDocument, vscode.CustomDocument {
  readonly #changed = new vscode.EventEmitter<void>();
  readonly #edited = new vscode.EventEmitter<PackedEdit>();
  readonly #watcher: vscode.FileSystemWatcher;
  readonly onDidChange = this.#changed.event;
  readonly onDidEdit = this.#edited.event;
  version = 1;
  /** The text with unsaved changes; undefined if there are none. */
  #draft: string | undefined;
  /** The file as last read or written. */
  #onDisk: TapeFile | undefined;
  #backup: vscode.Uri | undefined;

  /** @param backup The unsaved changes that VS Code backed up when it was closed. */
  constructor(
    readonly uri: vscode.Uri,
    backup?: vscode.Uri,
  ) {
    this.#backup = backup;
    const name = uri.path.slice(uri.path.lastIndexOf('/') + 1);
    const pattern = new vscode.RelativePattern(vscode.Uri.joinPath(uri, '..'), name);
    this.#watcher = vscode.workspace.createFileSystemWatcher(pattern);
    for (const event of [this.#watcher.onDidCreate, this.#watcher.onDidChange]) event(() => this.#onDiskChange());
  }

  get isDirty(): boolean {
    return this.#draft !== undefined || this.#backup !== undefined;
  }

  async file(): Promise<TapeFile> {
    this.#onDisk ??= await this.#read(this.uri);
    if (this.#backup !== undefined) {
      this.#draft = (await this.#read(this.#backup)).text;
      this.#backup = undefined;
    }
    return this.#draft === undefined ? this.#onDisk : { ...this.#onDisk, text: this.#draft };
  }

  async largeFile(): Promise<string | undefined> {
    return this.isDirty ? undefined : largeFile(this.uri);
  }

  async edit(splices: readonly Splice[], label: string): Promise<void> {
    const { text: before } = await this.file();
    const after = applySplices(before, splices);
    this.#show(after);
    this.#edited.fire({ label, undo: () => this.#show(before), redo: () => this.#show(after) });
  }

  /** Marks the document as unsaved if its backup differs from the file. */
  async announceDraft(): Promise<void> {
    const { text: draft } = await this.file();
    const before = this.#onDisk?.text ?? draft;
    if (draft === before) return;
    this.#edited.fire({ label: t('Restore'), undo: () => this.#show(before), redo: () => this.#show(draft) });
  }

  /** Rejects when another program has changed the file and the user does not want to overwrite it. */
  async save(): Promise<void> {
    const { bytes } = await this.#read(this.uri);
    if (this.#onDisk !== undefined && !isSame(bytes, this.#onDisk.bytes)) await askToOverwrite(this.uri);
    await this.writeTo(this.uri);
    this.#onDisk = await this.#read(this.uri);
    this.#draft = undefined;
    this.#changed.fire();
  }

  /** For "Save As" and for hot exit. */
  async writeTo(target: vscode.Uri): Promise<void> {
    const { encodeTapeFile } = await loadCore();
    await this.file();
    const file = this.#onDisk ?? (await this.file());
    await vscode.workspace.fs.writeFile(target, encodeTapeFile(file, this.#draft ?? file.text));
  }

  revert(): void {
    this.#onDisk = undefined;
    this.#draft = undefined;
    this.#touch();
  }

  dispose(): void {
    this.#watcher.dispose();
    this.#changed.dispose();
    this.#edited.dispose();
  }

  async #read(uri: vscode.Uri): Promise<TapeFile> {
    return (await loadCore()).decodeTapeFile(this.uri.path, await vscode.workspace.fs.readFile(uri));
  }

  /** Shows a text. If it equals the file, it is no draft, and the tape follows the file again. */
  #show(text: string): void {
    const isSaved = text === this.#onDisk?.text;
    this.#draft = isSaved ? undefined : text;
    if (isSaved) this.#onDisk = undefined;
    this.#touch();
  }

  /** With unsaved changes, the tape is not read again until it is saved or reverted. */
  #onDiskChange(): void {
    if (this.#draft !== undefined || this.#backup !== undefined) return;
    this.#onDisk = undefined;
    this.#touch();
  }

  #touch(): void {
    this.version += 1;
    this.#changed.fire();
  }
}

function isSame(left: Uint8Array, right: Uint8Array): boolean {
  return left.length === right.length && left.every((byte, at) => byte === right[at]);
}

async function askToOverwrite(uri: vscode.Uri): Promise<void> {
  const name = uri.path.slice(uri.path.lastIndexOf('/') + 1);
  const overwrite = t('Overwrite');
  const chosen = await vscode.window.showWarningMessage(
    t('{0} has changed on disk since you started editing it. Overwrite it with your changes?', name),
    {
      modal: true,
      detail: t('To discard your changes and load the file from disk, cancel and run "File: Revert File".'),
    },
    overwrite,
  );
  if (chosen !== overwrite) throw new vscode.CancellationError();
}
