import * as vscode from 'vscode';
import type { TapeSummary } from '../../../core/cases/tapeSummary';
import { fileStamp } from '../../../core/project/fileStamp';
import { CONFIG_FILE } from '../../../core/project/layout';
import { loadCore } from '../../../reader/loadCore';

/** A larger tape takes too long to read beside the text that names it. */
const MAX_BYTES = 8_000_000;

/** A tape that a case names. */
export type NamedTape =
  | { readonly state: 'missing' | 'unknown' }
  | ({ readonly state: 'read' } & { readonly summary: TapeSummary });

/** Summaries of tapes, read when they are asked for and again when the file has changed. */
export class TapeSummaries {
  readonly #known = new Map<string, { readonly stamp: string; readonly tape: NamedTape }>();

  async get(uri: vscode.Uri): Promise<NamedTape> {
    try {
      const { size, mtime } = await vscode.workspace.fs.stat(uri);
      const stamp = fileStamp(size, mtime);
      const known = this.#known.get(uri.toString());
      if (known?.stamp === stamp) return known.tape;
      const tape = size > MAX_BYTES ? UNKNOWN : await readSummary(uri);
      this.#known.set(uri.toString(), { stamp, tape });
      return tape;
    } catch (error) {
      if (!(error instanceof vscode.FileSystemError)) throw error;
      return error.code === 'FileNotFound' ? MISSING : UNKNOWN;
    }
  }
}

const MISSING: NamedTape = { state: 'missing' };
const UNKNOWN: NamedTape = { state: 'unknown' };

async function readSummary(uri: vscode.Uri): Promise<NamedTape> {
  const { decodeTapeFile, readConfig, summariseTape } = await loadCore();
  const file = decodeTapeFile(uri.path, await vscode.workspace.fs.readFile(uri));
  const summary = summariseTape(file, readConfig(await configText(uri)).value?.prices);
  return summary === undefined ? UNKNOWN : { state: 'read', summary };
}

/** The text of the project's settings, which have its own prices; empty if there are none. */
async function configText(uri: vscode.Uri): Promise<string> {
  const folder = vscode.workspace.getWorkspaceFolder(uri);
  if (folder === undefined) return '';
  return vscode.workspace.fs.readFile(vscode.Uri.joinPath(folder.uri, CONFIG_FILE)).then(
    (bytes) => new TextDecoder().decode(bytes),
    () => '',
  );
}
