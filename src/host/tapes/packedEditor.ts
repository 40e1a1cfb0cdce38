import * as vscode from 'vscode';
import type { PackedDrafts } from './packedDrafts';
import { PackedTape } from './packedTape';

/** The editor of packed tapes: VS Code keeps their undo stacks, this writes their bytes. */
export class PackedEditor implements vscode.CustomEditorProvider<PackedTape>, vscode.Disposable {
  readonly #changed = new vscode.EventEmitter<vscode.CustomDocumentEditEvent<PackedTape>>();
  readonly onDidChangeCustomDocument = this.#changed.event;

  /** Documents with changes that VS Code does not know of. */
  readonly #forgotten = new WeakSet<PackedTape>();

  constructor(
    private readonly show: (document: PackedTape, panel: vscode.WebviewPanel) => void,
    private readonly drafts: PackedDrafts,
  ) {}

  async openCustomDocument(uri: vscode.Uri, { backupId }: vscode.CustomDocumentOpenContext): Promise<PackedTape> {
    const known = backupId === undefined ? undefined : vscode.Uri.parse(backupId);
    const backup = known ?? (await this.drafts.find(uri));
    const document = new PackedTape(uri, backup);
    if (known === undefined && backup !== undefined) this.#forgotten.add(document);
    document.onDidEdit((edit) => this.#changed.fire({ document, ...edit }));
    return document;
  }

  async resolveCustomEditor(document: PackedTape, panel: vscode.WebviewPanel): Promise<void> {
    this.show(document, panel);
    if (this.#forgotten.delete(document)) await document.tellDraft();
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
    // What is gone already need not be deleted.
    return { id: destination.toString(), delete: () => void discard().catch(() => undefined) };
  }

  dispose(): void {
    this.#changed.dispose();
  }
}
