import * as vscode from 'vscode';
import { LineIndex } from '../../../core/text/source';
import type { TapeDocument } from '../tapeDocument';

/** Shows a place of a tape (an offset into its text) in a text editor: the one that shows it already, or one beside. */
export async function revealOffset(document: TapeDocument, offset: number): Promise<void> {
  const { text } = document;
  if (text !== undefined) return reveal(document, text.positionAt(offset));
  const { line, column } = new LineIndex((await document.file()).text).position(offset);
  await reveal(document, new vscode.Position(line - 1, column - 1));
}

/** The same for a line, from 1. */
export async function revealLine(document: TapeDocument, line: number): Promise<void> {
  await reveal(document, new vscode.Position(Math.max(0, line - 1), 0));
}

export async function openTextEditor(uri: vscode.Uri, viewColumn = vscode.ViewColumn.Active): Promise<void> {
  await vscode.commands.executeCommand('vscode.openWith', uri, 'default', { viewColumn });
}

async function reveal({ uri, text }: TapeDocument, position: vscode.Position): Promise<void> {
  if (/\.(gz|eval)$/.test(uri.path))
    throw new Error('This tape is packed: there is no text editor that could show it.');
  const shown = vscode.window.visibleTextEditors.find(({ document }) => document === text);
  const selection = new vscode.Range(position, position);
  const viewColumn = shown?.viewColumn ?? vscode.ViewColumn.Beside;
  if (text === undefined) {
    // The text of a very large file is shown, but not shared with extensions.
    await vscode.commands.executeCommand('vscode.openWith', uri, 'default', { viewColumn, selection });
    return;
  }
  const range = text.validateRange(selection);
  const editor = await vscode.window.showTextDocument(text, { viewColumn, selection: range });
  editor.revealRange(range, vscode.TextEditorRevealType.AtTop);
}

/**
 * Opens a link of recorded content in the browser, once the user has seen where it leads: the text of a link is the
 * model's, and may say anything. Expects a link that passed `isExternalLink`.
 */
export async function openLink(link: string): Promise<void> {
  const { href, host } = new URL(link);
  const open = 'Open';
  const chosen = await vscode.window.showInformationMessage(
    host === '' ? 'Write to this address?' : `Open a page of ${host}?`,
    { modal: true, detail: `${href}\n\nThe link comes from the recording.` },
    open,
  );
  if (chosen === open) await vscode.env.openExternal(vscode.Uri.parse(href, true));
}
