import * as vscode from 'vscode';
import type { PriceTable } from '../../core/prices/priceTable';
import { CONFIG_FILE } from '../../core/project/layout';
import type { TapeFile } from '../../core/tapes/tapeFile';
import type { Splice } from '../../core/text/splice';
import { loadCore } from '../../reader/loadCore';

/** A tape that an editor shows: text that is open in VS Code, or a packed file. */
export interface TapeDocument {
  readonly uri: vscode.Uri;
  /** Goes up whenever the content changes. */
  readonly version: number;
  /** It has changes that are not in the file. */
  readonly isDirty: boolean;
  readonly onDidChange: vscode.Event<void>;
  /** Absent for a packed file: then there is no text editor that could show a place in it. */
  readonly text?: vscode.TextDocument;
  file(): Promise<TapeFile>;
  /** Where on this computer the very content is, if it is so large that nobody should hold it who need not. */
  largeFile?(): Promise<string | undefined>;
  /** Changes the text of `file()`, as one step to undo. */
  edit(splices: readonly Splice[], label: string): Promise<void>;
}

/** A text document as a tape: what is being edited is what is shown. Undoing, saving and hot exit are VS Code's own. */
export function textTape(document: vscode.TextDocument): TapeDocument {
  return {
    uri: document.uri,
    text: document,
    get version() {
      return document.version;
    },
    get isDirty() {
      return document.isDirty;
    },
    // The event comes for saving and for the dirty mark as well; those leave the version as it was.
    onDidChange: (listener) =>
      vscode.workspace.onDidChangeTextDocument((event) => {
        if (event.document === document) listener();
      }),
    file: async () => (await loadCore()).tapeFileFromText(document.getText(), document.uri.path),
    edit: async (splices, label) => {
      await requireRoundTripSafe(document);
      const edit = new vscode.WorkspaceEdit();
      for (const { start, end, text } of splices) {
        const range = new vscode.Range(document.positionAt(start), document.positionAt(end));
        edit.replace(document.uri, range, text, { label, needsConfirmation: false });
      }
      if (!(await vscode.workspace.applyEdit(edit)))
        throw new Error('VS Code did not take the change: the file may be read-only.');
    },
  };
}

/** The interaction (from 0) at a place of a tape's text; undefined where there is none, or where the text is no tape. */
export async function interactionAtPosition(
  document: vscode.TextDocument,
  place: vscode.Position,
): Promise<number | undefined> {
  const { interactionAt, readTape, tapeFileFromText } = await loadCore();
  const tape = readTape(tapeFileFromText(document.getText(), document.uri.path));
  return tape && interactionAt(tape.interactions, document.offsetAt(place));
}

/** The prices in the `tapedeck.toml` of a file's workspace folder. A broken one is told of where cases are run. */
export async function projectPrices(uri: vscode.Uri): Promise<PriceTable | undefined> {
  const folder = vscode.workspace.getWorkspaceFolder(uri);
  if (folder === undefined) return undefined;
  try {
    const bytes = await vscode.workspace.fs.readFile(vscode.Uri.joinPath(folder.uri, CONFIG_FILE));
    return (await loadCore()).readConfig(new TextDecoder().decode(bytes)).value?.prices;
  } catch (error) {
    if (error instanceof vscode.FileSystemError) return undefined;
    throw error;
  }
}

/**
 * VS Code opens any bytes as text, and writes them back with one kind of line end, in one encoding. Where that is not what
 * the file has, saving would change more of it than an edit does: then there is none. Rejects with the way out.
 */
export async function requireRoundTripSafe(document: vscode.TextDocument): Promise<void> {
  if (document.isDirty || document.uri.scheme === 'untitled') return;
  const bytes = await vscode.workspace.fs.readFile(document.uri);
  const name = document.uri.path.slice(document.uri.path.lastIndexOf('/') + 1);
  const text = decodeUtf8(bytes);
  if (text === undefined)
    throw new Error(`${name} is not UTF-8. VS Code cannot save it as it is: change it with another editor.`);
  if (text === document.getText()) return;
  throw new Error(
    `${name} has several kinds of line ends, or is open in another encoding than its own: saving would change them all. Make them alike in the text editor first.`,
  );
}

function decodeUtf8(bytes: Uint8Array): string | undefined {
  try {
    // A byte order mark is kept by VS Code, and no part of its text.
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
