import * as vscode from 'vscode';
import { takeTime } from '../../core/project/layout';
import type { TapeParams } from '../../protocol/engineReviews';
import { type CommandArgument, parseCommandArgument } from '../base/commandArguments';
import type { CommandId } from '../base/commands';
import { fileName } from '../base/fileName';
import { HumanError } from '../base/humanError';
import type { Log } from '../base/log';
import { shownTime } from '../base/shownTime';
import { type TakeOfTape, takeOf, takesFolderOf, takeUri } from '../base/takeUri';
import type { ReviewCalls } from '../engine/engineReviews';
import { comparisonOf, type ReviewAddress, sideOf } from '../stores/reviewAddress';
import type { TakeStore } from '../stores/takeStore';
import { takeFacts, takeName } from '../stores/takeWords';

export interface TakeParts {
  readonly takes: TakeStore;
  readonly reviews: ReviewCalls;
  /** The rows that are selected in the tree. */
  readonly selected: () => readonly vscode.Uri[];
  readonly openReview: (address: ReviewAddress) => void;
  readonly log: Log;
}

export async function openTake(parts: TakeParts, argument: CommandArgument): Promise<void> {
  const take = await chooseTake(parts, argument, 'Open');
  await vscode.commands.executeCommand('tapedeck.openTranscript' satisfies CommandId, takeUri(take));
}

/** Shows what the tape, as it is now, has that the take has not, aligned. */
export async function compareTake(parts: TakeParts, argument: CommandArgument): Promise<void> {
  const { tape, take } = await chooseTake(parts, argument, 'Compare with the Tape');
  parts.openReview(comparisonOf({ uri: tape, take }, { uri: tape }));
}

/** Makes a take the tape again. The notice offers to undo it. */
export async function restoreTake(parts: TakeParts, argument: CommandArgument): Promise<void> {
  const { takes, reviews } = parts;
  const { tape, take } = await chooseTake(parts, argument, 'Restore');
  const name = fileName(tape);
  if (vscode.workspace.textDocuments.some(({ uri, isDirty }) => isDirty && uri.toString() === tape.toString()))
    throw new HumanError(`${name} has unsaved changes. Save or revert it first.`);
  const place = placeOf(tape);
  const { isChanged, previousTake } = await reviews.restoreTake({ ...place, take });
  const when = shownTime(takeTime(take));
  if (!isChanged) {
    void vscode.window.showInformationMessage(`${name} has the content of the take of ${when} already.`);
    return;
  }
  takes.touch([tape]);
  const kept = previousTake === undefined ? '' : ' The tape that it replaces is kept as a take.';
  const chosen = vscode.window.showInformationMessage(
    `Restored the take of ${when} as ${name}.${kept}`,
    'Undo',
    'Review Changes',
  );
  void chosen.then(async (button) => {
    try {
      if (button === 'Undo') {
        await reviews.undoRestore({ ...place, take, ...(previousTake !== undefined && { previousTake }) });
        takes.touch([tape]);
      } else if (button !== undefined) parts.openReview({ about: 'file', uri: tape });
    } catch (error) {
      void vscode.window.showErrorMessage(error instanceof Error ? error.message : String(error));
    }
  });
}

/** Deletes takes after asking: into the trash where there is one. */
export async function deleteTakes(parts: TakeParts, argument: CommandArgument, nodes: unknown): Promise<void> {
  const all = Array.isArray(nodes) && nodes.length > 0 ? nodes.map(parseCommandArgument) : [argument];
  const named = takesIn(all.flatMap((one) => (one.type === 'node' ? [one.node.resource] : [])));
  const selected = named.length > 0 ? named : takesIn(parts.selected());
  const chosen = selected.length > 0 ? selected : [await chooseTake(parts, argument, 'Delete')];
  const useTrash = hasTrash();
  if (!(await confirmDeletion(chosen, useTrash))) return;
  for (const tape of new Map(chosen.map((one) => [one.tape.toString(), one.tape])).values()) {
    const takes = chosen.flatMap((one) => (one.tape.toString() === tape.toString() ? [one.take] : []));
    if (useTrash) for (const take of takes) await vscode.workspace.fs.delete(fileOf({ tape, take }), { useTrash });
    // Without takes, a folder that is empty now goes.
    await parts.reviews.deleteTakes({ ...placeOf(tape), takes: useTrash ? [] : takes });
  }
  parts.takes.touch(chosen.map(({ tape }) => tape));
}

async function confirmDeletion(takes: readonly TakeOfTape[], useTrash: boolean): Promise<boolean> {
  const names = [...new Set(takes.map(({ tape }) => fileName(tape)))];
  const [only] = takes;
  const what = takes.length === 1 && only ? `the take of ${shownTime(takeTime(only.take))}` : `${takes.length} takes`;
  const of = names.length === 1 ? names[0] : `${names.length} tapes`;
  const action = useTrash ? 'Move to Trash' : 'Delete';
  const detail = useTrash ? 'You can restore them from the trash.' : 'This cannot be undone.';
  const question = `${useTrash ? 'Move' : 'Delete'} ${what} of ${of}${useTrash ? ' to the trash' : ''}?`;
  return (await vscode.window.showWarningMessage(question, { modal: true, detail }, action)) === action;
}

/** Only the window's own computer has a trash. */
function hasTrash(): boolean {
  const isHere = vscode.env.remoteName === undefined && vscode.env.uiKind === vscode.UIKind.Desktop;
  return isHere && vscode.workspace.getConfiguration('files').get<boolean>('enableTrash', true);
}

/** The take that a row, the selected one, or the active editor names; of an open tape, one that the user chooses. */
async function chooseTake(parts: TakeParts, argument: CommandArgument, action: string): Promise<TakeOfTape> {
  const input = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
  const active = input instanceof vscode.TabInputCustom || input instanceof vscode.TabInputText ? [input.uri] : [];
  const named = argument.type === 'node' ? [argument.node.resource] : argument.type === 'uri' ? [argument.uri] : [];
  const places = named.length > 0 ? named : [...parts.selected(), ...active];
  const [first] = takesIn(places);
  if (first !== undefined) return first;
  for (const tape of places) if (await parts.takes.has(tape)) return pickTake(parts.takes, tape, action);
  throw new HumanError('No take is selected. Expand a tape in the Tapedeck view, and select one of its takes.');
}

async function pickTake(takes: TakeStore, tape: vscode.Uri, action: string): Promise<TakeOfTape> {
  const picks = (await takes.list(tape, [])).map(({ take }) => ({
    label: takeName(take),
    description: takeFacts(take).join(' · '),
    take: take.take,
  }));
  const title = `${action}: Takes of ${fileName(tape)}`;
  const chosen = await vscode.window.showQuickPick(picks, { title, placeHolder: 'The take' });
  if (chosen === undefined) throw new vscode.CancellationError();
  return { tape, take: chosen.take };
}

function takesIn(uris: readonly vscode.Uri[]): readonly TakeOfTape[] {
  return uris.flatMap((uri) => takeOf(uri) ?? []);
}

function placeOf(tape: vscode.Uri): TapeParams {
  const { root, path } = sideOf({ uri: tape });
  return { root, path };
}

function fileOf({ tape, take }: TakeOfTape): vscode.Uri {
  const folder = takesFolderOf(tape);
  if (folder === undefined) throw new HumanError(`${fileName(tape)} is not in a folder of this workspace.`);
  return vscode.Uri.joinPath(folder, take);
}
