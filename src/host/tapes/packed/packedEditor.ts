import * as vscode from 'vscode';
import type { PackedDrafts } from './packedDrafts';
import type { PackedTape } from './packedTape';

/** The editor of packed tapes. VS Code keeps the undo stack; this class reads and writes the files. What does is loaded with the first. */
export class PackedEditor implements vscode.CustomEditorProvider<PackedTape>, vscode.Disposable {
  readonly #changed = new vscode.EventEmitter<vscode.CustomDocumentEditEvent<PackedTape>>();
  readonly onDidChangeCustomDocument = this.#changed.event;

  /** Documents whose restored changes VS Code has not been notified of. */
  readonly #unannounced = new WeakSet<PackedTape>();

  constructor(
    private readonly show: (document: PackedTape, panel: vscode.WebviewPanel) => void,
    /** Where backups are noted. */
    private readonly folder: vscode.Uri,
  ) {}

  async openCustomDocument(uri: vscode.Uri, { backupId }: vscode.CustomDocumentOpenContext): Promise<PackedTape> {
    const known = backupId === undefined ? undefined : vscode.Uri.parse(backupId);
    const backup = await (await this.#drafts()).find(uri, known);
    const { PackedTape } = await import('./packedTape');
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
    const drafts = await this.#drafts();
    await drafts.note(document.uri, destination);
    const discard = async (): Promise<void> => {
      await drafts.forget(document.uri, destination);
      await vscode.workspace.fs.delete(destination);
    };
    // A failure means that the backup is already deleted.
    return { id: destination.toString(), delete: () => void discard().catch(() => undefined) };
  }

  async #drafts(): Promise<PackedDrafts> {
    const { PackedDrafts } = await import('./packedDrafts');
    return new PackedDrafts(this.folder);
  }

  dispose(): void {
    this.#changed.dispose();
  }
}
