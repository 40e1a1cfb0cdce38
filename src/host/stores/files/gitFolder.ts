import * as vscode from 'vscode';

/** The files in git's own folder that change with each commit, checkout and staging. */
export async function headAndIndex(folder: vscode.Uri): Promise<readonly vscode.RelativePattern[]> {
  const git = await gitFolder(folder);
  // Patterns without a slash keep VS Code from watching the folders below, such as the objects of a large repository.
  return [
    new vscode.RelativePattern(git, '{HEAD,index}'),
    new vscode.RelativePattern(vscode.Uri.joinPath(git, 'logs'), 'HEAD'),
  ];
}

/** The `.git` folder, searched upwards as git does. If there is none, the one that `git init` would create. */
export async function gitFolder(folder: vscode.Uri): Promise<vscode.Uri> {
  for (let at = folder, up = at; ; at = up) {
    const git = vscode.Uri.joinPath(at, '.git');
    const type = await typeOf(git);
    if (type === vscode.FileType.File) return linkedGitFolder(git);
    if (type !== undefined) return git;
    up = vscode.Uri.joinPath(at, '..');
    if (up.path === at.path) return vscode.Uri.joinPath(folder, '.git');
  }
}

/** In a worktree or a submodule, `.git` is a file that names the folder. */
async function linkedGitFolder(file: vscode.Uri): Promise<vscode.Uri> {
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
