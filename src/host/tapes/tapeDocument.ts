import * as vscode from 'vscode';
import type { PriceTable } from '../../core/prices/priceTable';
import { CONFIG_FILE } from '../../core/project/layout';
import type { TapeFile } from '../../core/tapes/tapeFile';
import { t } from '../../core/text/l10n';
import type { Splice } from '../../core/text/splice';
import { loadCore } from '../../reader/loadCore';

/** A tape in an editor: a text document of VS Code, or a packed file. */
export interface TapeDocument {
  readonly uri: vscode.Uri;
  /** Goes up whenever the content changes. */
  readonly version: number;
  /** Whether it has unsaved changes. */
  readonly isDirty: boolean;
  readonly onDidChange: vscode.Event<void>;
  /** Absent for a packed file, which no text editor can show. */
  readonly text?: vscode.TextDocument;
  file(): Promise<TapeFile>;
  /** The local path of the content, if it is saved and too large to be held in the extension host's memory. */
  largeFile?(): Promise<string | undefined>;
  /** Changes the text of `file()`, as one undo step. */
  edit(splices: readonly Splice[], label: string): Promise<void>;
}

/** A text document as a tape, with its unsaved changes. VS Code does undo, saving and hot exit. */
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
    // The event also fires on saving and when the dirty state changes; these do not change the version.
    onDidChange: (listener) =>
      vscode.workspace.onDidChangeTextDocument((event) => {
        if (event.document === document) listener();
      }),
    file: async () => (await loadCore()).tapeFileFromText(document.getText(), document.uri.path),
    // What a thread reads of the disk is the document only if it is saved, and in the encoding of tapes.
    largeFile: async () => (document.isDirty || !/^utf8/.test(document.encoding) ? undefined : largeFile(document.uri)),
    edit: async (splices, label) => {
      await requireRoundTripSafe(document);
      const edit = new vscode.WorkspaceEdit();
      for (const { start, end, text } of splices) {
        const range = new vscode.Range(document.positionAt(start), document.positionAt(end));
        edit.replace(document.uri, range, text, { label, needsConfirmation: false });
      }
      if (!(await vscode.workspace.applyEdit(edit)))
        throw new Error(t('VS Code rejected the edit. The file may be read-only: make it writable and try again.'));
    },
  };
}

/** From this size on, a file is read in a thread of its own. Smaller files are read faster than a thread starts. */
const LARGE_BYTES = 4_000_000;

/** The local path of a file that is to be read in a thread; undefined for another. */
export async function largeFile(uri: vscode.Uri): Promise<string | undefined> {
  if (uri.scheme !== 'file') return undefined;
  const { size } = await vscode.workspace.fs.stat(uri);
  return size >= LARGE_BYTES ? uri.fsPath : undefined;
}

/** The index of the interaction at a position; undefined if there is none, or if the text is not a tape. */
export async function interactionAtPosition(
  document: vscode.TextDocument,
  place: vscode.Position,
): Promise<number | undefined> {
  const { interactionAt, readTape, tapeFileFromText } = await loadCore();
  const tape = readTape(tapeFileFromText(document.getText(), document.uri.path));
  return tape && interactionAt(tape.interactions, document.offsetAt(place));
}

/** The prices in the `tapedeck.toml` of a file's workspace folder. Errors in that file are reported by runs. */
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
 * Rejects, with a message for the user, if saving the document would change more than an edit does. VS Code saves with
 * one kind of line ending and one encoding, even if the file has others.
 */
async function requireRoundTripSafe(document: vscode.TextDocument): Promise<void> {
  if (document.isDirty || document.uri.scheme === 'untitled') return;
  const bytes = await vscode.workspace.fs.readFile(document.uri);
  const name = document.uri.path.slice(document.uri.path.lastIndexOf('/') + 1);
  const text = decodeUtf8(bytes);
  if (text === undefined)
    throw new Error(
      t('{0} is not valid UTF-8, so VS Code cannot save it unchanged. Edit it with another editor.', name),
    );
  if (text === document.getText()) return;
  throw new Error(
    t(
      '{0} has mixed line endings, or is open in the wrong encoding, so saving would change the whole file. Make the line endings consistent, or reopen it with its encoding, in the text editor first.',
      name,
    ),
  );
}

function decodeUtf8(bytes: Uint8Array): string | undefined {
  try {
    // VS Code keeps a byte order mark, but not as part of the text.
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
