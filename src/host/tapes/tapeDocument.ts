import * as vscode from 'vscode';
import type { TapeFile } from '../../core/tapes/tapeFile';
import type { Splice } from '../../core/text/splice';
import { tapeReading } from '../base/tapeReading';
import { requireFaithful } from './faithful';

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
    file: async () => (await tapeReading()).tapeFileFromText(document.getText(), document.uri.path),
    edit: async (splices, label) => {
      await requireFaithful(document);
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
