import * as vscode from 'vscode';
import { t } from '../../../core/text/l10n';
import { LineIndex } from '../../../core/text/source';
import type { TapeDocument } from '../tapeDocument';

/** Shows an offset of a tape's text in its visible text editor, or in a new one beside the transcript. */
export async function revealOffset(document: TapeDocument, offset: number): Promise<void> {
  const { text } = document;
  if (text !== undefined) return reveal(document, text.positionAt(offset));
  const { line, column } = new LineIndex((await document.file()).text).position(offset);
  await reveal(document, new vscode.Position(line - 1, column - 1));
}

/** Shows a line, from 1, of a tape in a text editor. */
export async function revealLine(document: TapeDocument, line: number): Promise<void> {
  await reveal(document, new vscode.Position(Math.max(0, line - 1), 0));
}

export async function openTextEditor(uri: vscode.Uri, viewColumn = vscode.ViewColumn.Active): Promise<void> {
  await vscode.commands.executeCommand('vscode.openWith', uri, 'default', { viewColumn });
}

async function reveal({ uri, text }: TapeDocument, position: vscode.Position): Promise<void> {
  if (/\.(gz|eval)$/.test(uri.path))
    throw new Error(
      t('This tape is compressed, so it cannot be shown as text. Use "Open Transcript as Text" instead.'),
    );
  const shown = vscode.window.visibleTextEditors.find(({ document }) => document === text);
  const selection = new vscode.Range(position, position);
  const viewColumn = shown?.viewColumn ?? vscode.ViewColumn.Beside;
  if (text === undefined) {
    // VS Code shows the text of a very large file, but does not share it with extensions.
    await vscode.commands.executeCommand('vscode.openWith', uri, 'default', { viewColumn, selection });
    return;
  }
  const range = text.validateRange(selection);
  const editor = await vscode.window.showTextDocument(text, { viewColumn, selection: range });
  editor.revealRange(range, vscode.TextEditorRevealType.AtTop);
}

/**
 * Opens a link of recorded content in the browser, after the user has confirmed its address: its text comes from the
 * model and may be misleading. Expects a link that passed `isExternalLink`.
 */
export async function openLink(link: string): Promise<void> {
  const { href, host } = new URL(link);
  const open = t('Open');
  const chosen = await vscode.window.showInformationMessage(
    host === '' ? t('Open this address?') : t('Open a page on {0}?', host),
    { modal: true, detail: t('{0}\n\nThe link comes from the recording.', href) },
    open,
  );
  if (chosen === open) await vscode.env.openExternal(vscode.Uri.parse(href, true));
}
