import * as vscode from 'vscode';
import { PackedTape } from './packedTape';

/** The editor of packed tapes: VS Code keeps their undo stacks, this writes their bytes. */
export class PackedEditor implements vscode.CustomEditorProvider<PackedTape>, vscode.Disposable {
  readonly #changed = new vscode.EventEmitter<vscode.CustomDocumentEditEvent<PackedTape>>();
  readonly onDidChangeCustomDocument = this.#changed.event;

  constructor(private readonly show: (document: PackedTape, panel: vscode.WebviewPanel) => void) {}

  openCustomDocument(uri: vscode.Uri, { backupId }: vscode.CustomDocumentOpenContext): PackedTape {
    const document = new PackedTape(uri, backupId === undefined ? undefined : vscode.Uri.parse(backupId));
    document.onDidEdit((edit) => this.#changed.fire({ document, ...edit }));
    return document;
  }

  resolveCustomEditor(document: PackedTape, panel: vscode.WebviewPanel): void {
    this.show(document, panel);
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
    return {
      id: destination.toString(),
      delete: () => void vscode.workspace.fs.delete(destination).then(undefined, () => undefined),
    };
  }

  dispose(): void {
    this.#changed.dispose();
  }
}
