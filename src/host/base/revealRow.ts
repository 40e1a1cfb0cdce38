import * as vscode from 'vscode';

/**
 * Selects a row of a view that is visible. `reveal` opens a view that is not, and the window reports late that another one was opened:
 * so what it has to report is awaited first.
 * @returns whether the row is selected: it may not be listed yet, or the tree may have changed meanwhile
 */
export async function revealRow<T>(
  view: Pick<vscode.TreeView<T>, 'visible' | 'reveal'>,
  node: () => T | undefined,
): Promise<boolean> {
  if (!view.visible) return false;
  await windowReports();
  const row = node();
  if (!view.visible || row === undefined) return false;
  return view.reveal(row, { select: true, focus: false }).then(
    () => true,
    () => false,
  );
}

/** Resolves when what the window has sent by now has arrived: its messages come in order, and it answers this one. */
async function windowReports(): Promise<void> {
  await vscode.commands.executeCommand('setContext', 'tapedeck.revealsRow', true);
}
