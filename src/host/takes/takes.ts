import * as vscode from 'vscode';
import { t } from '../../core/text/l10n';
import type { CommandArgument } from '../base/commandArguments';
import { type CommandId, registerCommand } from '../base/commands';
import { DisposableStore } from '../base/disposable';
import { takeOf, takesFolderOf } from '../base/takeUri';
import { TAKE_SCHEME } from '../base/transcriptViews';
import type { TakeParts } from './takeActions';

/** Registers the documents and commands of takes. */
export function registerTakes(parts: TakeParts): vscode.Disposable {
  const owned = new DisposableStore();
  owned.add(registerTakeFiles());
  const command = (
    id: CommandId,
    act: (actions: typeof import('./takeActions'), argument: CommandArgument, nodes: unknown) => Promise<void>,
  ): void => {
    owned.add(
      registerCommand(id, parts.log, async (argument, nodes) => act(await import('./takeActions'), argument, nodes)),
    );
  };
  command('tapedeck.openTake', (actions, argument) => actions.openTake(parts, argument));
  command('tapedeck.compareTake', (actions, argument) => actions.compareTake(parts, argument));
  command('tapedeck.restoreTake', (actions, argument) => actions.restoreTake(parts, argument));
  command('tapedeck.deleteTakes', (actions, argument, nodes) => actions.deleteTakes(parts, argument, nodes));
  return owned;
}

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

function registerTakeFiles(): vscode.Disposable {
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
