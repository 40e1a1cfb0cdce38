import * as vscode from 'vscode';
import { t } from '../../core/text/l10n';
import { takeOf, takesFolderOf } from '../base/takeUri';
import { TAKE_SCHEME } from '../base/transcriptViews';

/** Kept takes as read-only files, which VS Code marks as such and does not let the user change. */
class TakeFiles implements vscode.FileSystemProvider {
  readonly onDidChangeFile = new vscode.EventEmitter<vscode.FileChangeEvent[]>().event;

  watch(): vscode.Disposable {
    return new vscode.Disposable(() => undefined);
  }

  async stat(uri: vscode.Uri): Promise<vscode.FileStat> {
    return vscode.workspace.fs.stat(await fileOf(uri));
  }

  async readFile(uri: vscode.Uri): Promise<Uint8Array> {
    return vscode.workspace.fs.readFile(await fileOf(uri));
  }

  readDirectory = refuse;
  createDirectory = refuse;
  writeFile = refuse;
  delete = refuse;
  rename = refuse;
}

export function registerTakeFiles(): vscode.Disposable {
  const isReadonly = new vscode.MarkdownString(t('A take is kept as it was recorded. To change it, restore it first.'));
  return vscode.workspace.registerFileSystemProvider(TAKE_SCHEME, new TakeFiles(), { isReadonly });
}

function refuse(): never {
  throw vscode.FileSystemError.NoPermissions(t('A take is kept as it was recorded.'));
}

/** The file of a take. Rejects for everything else, so that no link leads out of the folder of takes. */
async function fileOf(uri: vscode.Uri): Promise<vscode.Uri> {
  const shown = takeOf(uri);
  const folder = shown && takesFolderOf(shown.tape);
  if (shown === undefined || folder === undefined) throw vscode.FileSystemError.FileNotFound(uri);
  const file = vscode.Uri.joinPath(folder, shown.take);
  const { type } = await vscode.workspace.fs.stat(file);
  if (type !== vscode.FileType.File) throw vscode.FileSystemError.FileNotFound(uri);
  return file;
}
