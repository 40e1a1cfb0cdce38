import * as vscode from 'vscode';

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
