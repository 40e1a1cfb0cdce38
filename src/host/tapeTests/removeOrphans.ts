import * as vscode from 'vscode';
import { counted } from '../../core/text/counts';
import { t } from '../../core/text/l10n';
import { type CommandArgument, parseCommandArgument } from '../base/commandArguments';
import { HumanError } from '../base/humanError';
import type { TapeStore } from '../stores/tapes/tapeStore';
import type { TapeTestStore } from '../stores/tapes/tapeTestStore';
import { type SetAsideTape, setTapeAside } from './testTapes';

interface OrphanStores {
  readonly tests: TapeTestStore;
  readonly tapes: TapeStore;
}

interface Orphan {
  readonly uri: vscode.Uri;
  readonly folder: vscode.WorkspaceFolder;
  readonly reason: string;
}

/** Moves tapes that no test uses to the takes; those that the user chooses where none are given. The notice offers to undo it. */
export async function removeOrphans(argument: CommandArgument, nodes: unknown, stores: OrphanStores): Promise<void> {
  const chosen = chosenTapes(argument, nodes);
  const all = await orphansOf(stores);
  const meant = new Set(chosen.map(String));
  const orphans = chosen.length > 0 ? all.filter(({ uri }) => meant.has(uri.toString())) : await pick(all);
  if (orphans === undefined) return;
  if (orphans.length === 0) throw new HumanError(t('No tape was found that no test uses.'));
  const moved: SetAsideTape[] = [];
  for (const { uri, folder } of orphans) moved.push(await setTapeAside(uri, folder));
  const words = counted(
    moved.length,
    'Removed {0} tape that no test uses. It is kept among the takes.',
    'Removed {0} tapes that no test uses. They are kept among the takes.',
  );
  void offerUndo(words, moved);
}

async function offerUndo(words: string, moved: readonly SetAsideTape[]): Promise<void> {
  const undo = t('Undo');
  if ((await vscode.window.showInformationMessage(words, undo)) !== undo) return;
  for (const tape of moved) await tape.finish(false);
}

/** Those that are selected in the tree: if there are several, the clicked one is among them. */
function chosenTapes(argument: CommandArgument, nodes: unknown): readonly vscode.Uri[] {
  const all = Array.isArray(nodes) && nodes.length > 0 ? nodes.map(parseCommandArgument) : [argument];
  return all.flatMap((one) => (one.type === 'node' ? [one.node.resource] : one.type === 'uri' ? [one.uri] : []));
}

async function orphansOf({ tests, tapes }: OrphanStores): Promise<readonly Orphan[]> {
  await tapes.load();
  const found = tapes.all().map(async (tape): Promise<readonly Orphan[]> => {
    const folder = vscode.workspace.getWorkspaceFolder(tape.uri);
    const reason = folder && (await tests.orphanReason(tape));
    return folder === undefined || reason === undefined ? [] : [{ uri: tape.uri, folder, reason }];
  });
  return (await Promise.all(found)).flat();
}

/** Undefined where the user dismissed it. */
async function pick(orphans: readonly Orphan[]): Promise<readonly Orphan[] | undefined> {
  if (orphans.length === 0) return [];
  const items = orphans.map((orphan) => ({
    label: vscode.workspace.asRelativePath(orphan.uri),
    description: orphan.reason,
    picked: true,
    orphan,
  }));
  const placeHolder = t('Select the tapes to remove');
  const picked = await vscode.window.showQuickPick(items, { canPickMany: true, placeHolder, matchOnDescription: true });
  return picked === undefined || picked.length === 0 ? undefined : picked.map(({ orphan }) => orphan);
}
