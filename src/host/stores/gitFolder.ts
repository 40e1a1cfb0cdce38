import * as vscode from 'vscode';

/** What git writes, in its own folder, with each commit and checkout, and when something is staged. */
export async function headAndIndex(folder: vscode.Uri): Promise<readonly vscode.RelativePattern[]> {
  const git = await gitFolder(folder);
  // Without a slash in the pattern, VS Code watches no folder below these two, where the objects of a large repository are.
  return [
    new vscode.RelativePattern(git, '{HEAD,index}'),
    new vscode.RelativePattern(vscode.Uri.joinPath(git, 'logs'), 'HEAD'),
  ];
}

/** Git's own folder, looked for as git does it: upwards. Where there is none, the one that `git init` would make. */
export async function gitFolder(folder: vscode.Uri): Promise<vscode.Uri> {
  for (let at = folder, up = at; ; at = up) {
    const git = vscode.Uri.joinPath(at, '.git');
    const type = await typeOf(git);
    if (type === vscode.FileType.File) return linked(git);
    if (type !== undefined) return git;
    up = vscode.Uri.joinPath(at, '..');
    if (up.path === at.path) return vscode.Uri.joinPath(folder, '.git');
  }
}

/** In a worktree or a submodule, `.git` is a file that names the folder. */
async function linked(file: vscode.Uri): Promise<vscode.Uri> {
  const text = new TextDecoder().decode(await vscode.workspace.fs.readFile(file));
  const path = /^gitdir: (.+)$/m.exec(text)?.[1]?.trim();
  if (path === undefined) return file;
  return /^(?:\/|[a-z]:)/i.test(path) ? vscode.Uri.file(path) : vscode.Uri.joinPath(file, '..', path);
}

async function typeOf(uri: vscode.Uri): Promise<vscode.FileType | undefined> {
  try {
    return (await vscode.workspace.fs.stat(uri)).type;
  } catch {
    return undefined;
  }
}
