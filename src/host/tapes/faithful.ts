import * as vscode from 'vscode';

/**
 * VS Code opens any bytes as text, and writes them back with one kind of line end, in one encoding. Where that is not what
 * the file has, saving would change more of it than an edit does: then there is none. Rejects with the way out.
 */
export async function requireFaithful(document: vscode.TextDocument): Promise<void> {
  if (document.isDirty || document.uri.scheme === 'untitled') return;
  const bytes = await vscode.workspace.fs.readFile(document.uri);
  const name = document.uri.path.slice(document.uri.path.lastIndexOf('/') + 1);
  const text = decoded(bytes);
  if (text === undefined)
    throw new Error(`${name} is not UTF-8. VS Code cannot save it as it is: change it with another editor.`);
  if (text === document.getText()) return;
  throw new Error(
    `${name} has several kinds of line ends, or is open in another encoding than its own: saving would change them all. Make them alike in the text editor first.`,
  );
}

function decoded(bytes: Uint8Array): string | undefined {
  try {
    // A byte order mark is kept by VS Code, and no part of its text.
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
