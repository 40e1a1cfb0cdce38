import * as vscode from 'vscode';

/** Runs inside the browser's extension host: puts some of the sample into the workspace, which is in memory, and opens a tape. Then it never ends. */
export async function run(): Promise<void> {
  const [folder] = vscode.workspace.workspaceFolders ?? [];
  const extension = vscode.extensions.getExtension('tapedeck.tapedeck');
  if (folder === undefined || extension === undefined) throw new Error('there is no workspace, or no extension');
  await vscode.workspace.fs.createDirectory(folder.uri);
  await copyFiles(extension.extensionUri, folder.uri);
  await extension.activate();
  await vscode.commands.executeCommand('tapedeck.refresh');
  const tape = vscode.Uri.joinPath(folder.uri, 'tapes', 'order_status.tape.json');
  await vscode.commands.executeCommand('tapedeck.openTranscript', tape);
  await vscode.commands.executeCommand('tapedeck.cases.focus');
  // The extension host ends with the tests; what comes now is looked at from outside.
  await new Promise(() => {});
}

const SAMPLE = [
  'cases/order_status.toml',
  'cases/order_status.baseline.json',
  'cases/greeting.toml',
  'tapes/order_status.tape.json',
];

async function copyFiles(extension: vscode.Uri, folder: vscode.Uri): Promise<void> {
  for (const path of SAMPLE) {
    const response = await fetch(vscode.Uri.joinPath(extension, 'media', 'sample', path).toString(true));
    if (!response.ok) throw new Error(`${path} is not served: ${response.status}`);
    await vscode.workspace.fs.writeFile(
      vscode.Uri.joinPath(folder, path),
      new Uint8Array(await response.arrayBuffer()),
    );
  }
}
