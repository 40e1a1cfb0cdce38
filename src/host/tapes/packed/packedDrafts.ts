import * as vscode from 'vscode';
import { loadCore } from '../../../reader/loadCore';

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
