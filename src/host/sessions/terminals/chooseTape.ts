import * as vscode from 'vscode';
import { t } from '../../../core/text/l10n';
import type { CommandId } from '../../base/commands';
import { fileExists } from '../../base/files';
import { HumanError } from '../../base/humanError';
import type { SessionParts } from '../sessionParts';

const LAST = 'tapedeck.terminalTape';

/** The tape that terminals were last replayed with, if it is still there. */
export async function lastTape({ context }: Pick<SessionParts, 'context'>): Promise<vscode.Uri | undefined> {
  const kept = context.workspaceState.get<string>(LAST);
  const uri = kept === undefined ? undefined : vscode.Uri.parse(kept);
  return uri && (await fileExists(uri)) ? uri : undefined;
}

/** Asks for the tape to replay; the last one comes first. Rejects with `CancellationError` when none is chosen. */
export async function chooseTape({
  context,
  stores: { tapes },
}: Pick<SessionParts, 'context' | 'stores'>): Promise<vscode.Uri> {
  await tapes.load();
  const last = await lastTape({ context });
  const items = tapes
    .uris()
    // One that is being recorded has an address of its own.
    .filter((uri) => vscode.workspace.getWorkspaceFolder(uri) !== undefined)
    .map((uri) => ({
      label: vscode.workspace.asRelativePath(uri),
      uri,
      ...(uri.toString() === last?.toString() && { description: t('last replayed') }),
    }))
    .sort((left, right) => left.label.localeCompare(right.label));
  if (items.length === 0)
    throw new HumanError(t('This workspace has no tapes yet.'), {
      title: t('Record a Command…'),
      run: () => vscode.commands.executeCommand('tapedeck.recordCommand' satisfies CommandId),
    });
  const isLast = ({ description }: (typeof items)[number]): boolean => description !== undefined;
  const sorted = [...items.filter(isLast), ...items.filter((item) => !isLast(item))];
  const placeHolder = t('The tape whose responses programs in the terminal get');
  const chosen = await vscode.window.showQuickPick(sorted, { title: t('Replay in a Terminal'), placeHolder });
  if (chosen === undefined) throw new vscode.CancellationError();
  await context.workspaceState.update(LAST, chosen.uri.toString());
  return chosen.uri;
}
