import * as vscode from 'vscode';
import { loadCore } from '../../../reader/loadCore';
import { PackedTape } from './packedTape';

/** The editor of packed tapes. VS Code keeps the undo stack; this class reads and writes the files. */
export class PackedEditor implements vscode.CustomEditorProvider<PackedTape>, vscode.Disposable {
  readonly #changed = new vscode.EventEmitter<vscode.CustomDocumentEditEvent<PackedTape>>();
  readonly onDidChangeCustomDocument = this.#changed.event;

  /** Documents whose restored changes VS Code has not been notified of. */
  readonly #unannounced = new WeakSet<PackedTape>();

  constructor(
    private readonly show: (document: PackedTape, panel: vscode.WebviewPanel) => void,
    private readonly drafts: PackedDrafts,
  ) {}

  async openCustomDocument(uri: vscode.Uri, { backupId }: vscode.CustomDocumentOpenContext): Promise<PackedTape> {
    const known = backupId === undefined ? undefined : vscode.Uri.parse(backupId);
    const backup = known ?? (await this.drafts.find(uri));
    const document = new PackedTape(uri, backup);
    if (known === undefined && backup !== undefined) this.#unannounced.add(document);
    document.onDidEdit((edit) => this.#changed.fire({ document, ...edit }));
    return document;
  }

  async resolveCustomEditor(document: PackedTape, panel: vscode.WebviewPanel): Promise<void> {
    this.show(document, panel);
    if (this.#unannounced.delete(document)) await document.announceDraft();
  }

  saveCustomDocument(document: PackedTape): Promise<void> {
    return document.save();
  }

  saveCustomDocumentAs(document: PackedTape, target: vscode.Uri): Promise<void> {
    return document.writeTo(target);
  }

  async revertCustomDocument(document: PackedTape): Promise<void> {
    document.revert();
  }

  async backupCustomDocument(
    document: PackedTape,
    { destination }: vscode.CustomDocumentBackupContext,
  ): Promise<vscode.CustomDocumentBackup> {
    await document.writeTo(destination);
    await this.drafts.note(document.uri, destination);
    const discard = async (): Promise<void> => {
      await this.drafts.forget(document.uri, destination);
      await vscode.workspace.fs.delete(destination);
    };
    // A failure means that the backup is already deleted.
    return { id: destination.toString(), delete: () => void discard().catch(() => undefined) };
  }

  dispose(): void {
    this.#changed.dispose();
  }
}

/**
 * The backup of each packed tape with unsaved changes. VS Code stores this too, but in a browser only up to five
 * seconds after the backup; a window closed before that would lose the reference to the backup.
 */
export class PackedDrafts {
  constructor(private readonly folder: vscode.Uri) {}

  async note(tape: vscode.Uri, backup: vscode.Uri): Promise<void> {
    await vscode.workspace.fs.writeFile(await this.#noteOf(tape), new TextEncoder().encode(backup.toString()));
  }

  /** The backup of a tape; undefined if there is none or it was deleted. */
  async find(tape: vscode.Uri): Promise<vscode.Uri | undefined> {
    const noted = await this.#noted(tape);
    if (noted === undefined) return undefined;
    return vscode.workspace.fs.stat(noted).then(
      () => noted,
      () => undefined,
    );
  }

  /** Removes the reference to a backup, unless there is a newer one. */
  async forget(tape: vscode.Uri, backup: vscode.Uri): Promise<void> {
    const noted = await this.#noted(tape);
    if (noted?.toString() === backup.toString()) await vscode.workspace.fs.delete(await this.#noteOf(tape));
  }

  async #noted(tape: vscode.Uri): Promise<vscode.Uri | undefined> {
    try {
      const note = await vscode.workspace.fs.readFile(await this.#noteOf(tape));
      return vscode.Uri.parse(new TextDecoder().decode(note), true);
    } catch {
      // No note, or an unreadable one: only VS Code's own backup counts.
      return undefined;
    }
  }

  async #noteOf(tape: vscode.Uri): Promise<vscode.Uri> {
    const { sha256Hex } = await loadCore();
    return vscode.Uri.joinPath(this.folder, 'drafts', sha256Hex(tape.toString()));
  }
}
