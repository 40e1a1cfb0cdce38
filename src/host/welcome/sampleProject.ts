import * as vscode from 'vscode';

/** Copies the sample that ships with the extension to a folder of the user's choice, and opens it. */
export async function openSampleProject(extensionUri: vscode.Uri): Promise<void> {
  const parent = await chooseFolder();
  if (parent === undefined) return;
  const target = await unusedFolder(parent, 'tapedeck-sample');
  await vscode.workspace.fs.copy(vscode.Uri.joinPath(extensionUri, 'media', 'sample'), target);
  const forceNewWindow = vscode.workspace.workspaceFolders !== undefined;
  await vscode.commands.executeCommand('vscode.openFolder', target, { forceNewWindow });
}

async function chooseFolder(): Promise<vscode.Uri | undefined> {
  const [chosen] =
    (await vscode.window.showOpenDialog({
      canSelectFiles: false,
      canSelectFolders: true,
      title: 'Choose where to put the sample project',
      openLabel: 'Create Sample Here',
    })) ?? [];
  return chosen;
}

/** Never writes over what is there: `name`, else `name-2`, `name-3`, … */
async function unusedFolder(parent: vscode.Uri, name: string): Promise<vscode.Uri> {
  const taken = new Set((await vscode.workspace.fs.readDirectory(parent)).map(([entry]) => entry));
  for (let number = 1; ; number += 1) {
    const candidate = number === 1 ? name : `${name}-${number}`;
    if (!taken.has(candidate)) return vscode.Uri.joinPath(parent, candidate);
  }
}
