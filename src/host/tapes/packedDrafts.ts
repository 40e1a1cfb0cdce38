import * as vscode from 'vscode';
import { tapeReading } from '../base/tapeReading';

/**
 * Which packed tape has unsaved changes where. VS Code keeps this too, but in a browser it writes it down up to five
 * seconds after the backup: a window that is closed before would forget the backup that is there.
 */
export class PackedDrafts {
  constructor(private readonly folder: vscode.Uri) {}

  async note(tape: vscode.Uri, backup: vscode.Uri): Promise<void> {
    await vscode.workspace.fs.writeFile(await this.#noteOf(tape), new TextEncoder().encode(backup.toString()));
  }

  /** The backup of a tape; undefined where there is none, or where it was deleted. */
  async find(tape: vscode.Uri): Promise<vscode.Uri | undefined> {
    const noted = await this.#noted(tape);
    if (noted === undefined) return undefined;
    return vscode.workspace.fs.stat(noted).then(
      () => noted,
      () => undefined,
    );
  }

  /** Forgets the backup of a tape, unless there is a newer one. */
  async forget(tape: vscode.Uri, backup: vscode.Uri): Promise<void> {
    const noted = await this.#noted(tape);
    if (noted?.toString() === backup.toString()) await vscode.workspace.fs.delete(await this.#noteOf(tape));
  }

  async #noted(tape: vscode.Uri): Promise<vscode.Uri | undefined> {
    try {
      const note = await vscode.workspace.fs.readFile(await this.#noteOf(tape));
      return vscode.Uri.parse(new TextDecoder().decode(note), true);
    } catch {
      // No note, or none that leads anywhere: what VS Code knows is all there is.
      return undefined;
    }
  }

  async #noteOf(tape: vscode.Uri): Promise<vscode.Uri> {
    const { sha256Hex } = await tapeReading();
    return vscode.Uri.joinPath(this.folder, 'drafts', sha256Hex(tape.toString()));
  }
}
