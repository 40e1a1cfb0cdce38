import type * as vscode from 'vscode';
import type { CommandArgument } from '../base/commandArguments';
import { type CommandId, registerCommand } from '../base/commands';
import { DisposableStore } from '../base/disposable';
import type { TakeParts } from './takeActions';
import { registerTakeFiles } from './takeFiles';

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
