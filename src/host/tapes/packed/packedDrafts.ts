import * as vscode from 'vscode';
import { loadCore } from '../../../reader/loadCore';

/**
 * The last backup of each packed tape with unsaved changes. VS Code stores this too, but a moment after the backup, in a browser up to five
 * seconds: a window closed before that would know none, or the one before, which was deleted for the last one.
 */
export class PackedDrafts {
  constructor(private readonly folder: vscode.Uri) {}

  async note(tape: vscode.Uri, backup: vscode.Uri): Promise<void> {
    await vscode.workspace.fs.writeFile(await this.#noteOf(tape), new TextEncoder().encode(backup.toString()));
  }

  /** The last backup of a tape, `known` being the one that VS Code knows; undefined if there is none or it was deleted. */
  async find(tape: vscode.Uri, known: vscode.Uri | undefined): Promise<vscode.Uri | undefined> {
    for (const backup of [await this.#noted(tape), known])
      if (backup !== undefined && (await isThere(backup))) return backup;
    return undefined;
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

function isThere(file: vscode.Uri): Thenable<boolean> {
  return vscode.workspace.fs.stat(file).then(
    () => true,
    () => false,
  );
}
