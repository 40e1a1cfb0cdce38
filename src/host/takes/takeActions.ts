import * as vscode from 'vscode';
import type { TapeParams } from '../../contracts/engine/engineReviews';
import { takeTime } from '../../core/project/layout';
import { plural } from '../../core/text/counts';
import { t } from '../../core/text/l10n';
import { type CommandArgument, parseCommandArgument, type ResourceNode } from '../base/commandArguments';
import type { CommandId } from '../base/commands';
import { fileName } from '../base/fileName';
import { HumanError } from '../base/humanError';
import type { Log } from '../base/log';
import { shownTime } from '../base/shownTime';
import { type TakeOfTape, takeOf, takesFolderOf, takeUri } from '../base/takeUri';
import type { ReviewCalls } from '../engine/engineReviews';
import { comparisonOf, type ReviewAddress, sideOf } from '../stores/reviews/reviewAddress';
import type { TakeStore } from '../stores/takes/takeStore';
import { takeFacts, takeName } from '../stores/takes/takeWords';

export interface TakeParts {
  readonly takes: TakeStore;
  readonly reviews: ReviewCalls;
  /** The rows that are selected in the tree. */
  readonly selected: () => readonly ResourceNode[];
  readonly openReview: (address: ReviewAddress) => void;
  readonly log: Log;
}

export async function openTake(parts: TakeParts, argument: CommandArgument): Promise<void> {
  const take = await chooseTake(parts, argument, t('Open'));
  await vscode.commands.executeCommand('tapedeck.openTranscript' satisfies CommandId, takeUri(take));
}

/** Compares a take with the current tape, aligned. */
export async function compareTake(parts: TakeParts, argument: CommandArgument): Promise<void> {
  const { tape, take } = await chooseTake(parts, argument, t('Compare with the Tape'));
  parts.openReview(comparisonOf({ uri: tape, take }, { uri: tape }));
}

/** Makes a take the tape again. The notice offers to undo it. */
export async function restoreTake(parts: TakeParts, argument: CommandArgument): Promise<void> {
  const { takes, reviews } = parts;
  const { tape, take } = await chooseTake(parts, argument, t('Restore'));
  const name = fileName(tape);
  if (vscode.workspace.textDocuments.some(({ uri, isDirty }) => isDirty && uri.toString() === tape.toString()))
    throw new HumanError(t('{0} has unsaved changes. Save or revert it first.', name));
  const place = placeOf(tape);
  const { isChanged, previousTake } = await reviews.restoreTake({ ...place, take });
  const when = shownTime(takeTime(take));
  if (!isChanged) {
    void vscode.window.showInformationMessage(t('{0} already has the content of the take of {1}.', name, when));
    return;
  }
  takes.touch([tape]);
  const kept = previousTake === undefined ? '' : t(' The tape that it replaces is kept as a take.');
  const chosen = vscode.window.showInformationMessage(
    t('Restored the take of {0} as {1}.{2}', when, name, kept),
    t('Undo'),
    t('Review Changes'),
  );
  void chosen.then(async (button) => {
    try {
      if (button === t('Undo')) {
        await reviews.undoRestore({ ...place, take, previousTake });
        takes.touch([tape]);
      } else if (button !== undefined) parts.openReview({ about: 'file', uri: tape });
    } catch (error) {
      void vscode.window.showErrorMessage(error instanceof Error ? error.message : String(error));
    }
  });
}

/** Deletes takes after asking: into the trash, if there is one. */
export async function deleteTakes(parts: TakeParts, argument: CommandArgument, nodes: unknown): Promise<void> {
  const all = Array.isArray(nodes) && nodes.length > 0 ? nodes.map(parseCommandArgument) : [argument];
  const named = takesIn(all.flatMap((one) => (one.type === 'node' ? [one.node.resource] : [])));
  const selected = named.length > 0 ? named : takesIn(selectedFiles(parts));
  const chosen = selected.length > 0 ? selected : [await chooseTake(parts, argument, t('Delete'))];
  const useTrash = hasTrash();
  if (!(await confirmDeletion(chosen, useTrash))) return;
  for (const tape of new Map(chosen.map((one) => [one.tape.toString(), one.tape])).values()) {
    const takes = chosen.flatMap((one) => (one.tape.toString() === tape.toString() ? [one.take] : []));
    if (useTrash) for (const take of takes) await vscode.workspace.fs.delete(fileOf({ tape, take }), { useTrash });
    // Removes the folder with its last take.
    await parts.reviews.deleteTakes({ ...placeOf(tape), takes: useTrash ? [] : takes });
  }
  parts.takes.touch(chosen.map(({ tape }) => tape));
}

async function confirmDeletion(takes: readonly TakeOfTape[], useTrash: boolean): Promise<boolean> {
  const names = [...new Set(takes.map(({ tape }) => fileName(tape)))];
  const [only] = takes;
  const what =
    takes.length === 1 && only ? t('the take of {0}', shownTime(takeTime(only.take))) : plural(takes.length, 'take');
  const of = names.length === 1 && names[0] !== undefined ? names[0] : plural(names.length, 'tape');
  const action = useTrash ? t('Move to Trash') : t('Delete');
  const detail = useTrash ? t('You can restore them from the trash.') : t('This cannot be undone.');
  const question = useTrash ? t('Move {0} of {1} to the trash?', what, of) : t('Delete {0} of {1}?', what, of);
  return (await vscode.window.showWarningMessage(question, { modal: true, detail }, action)) === action;
}

/** Only the local computer has a trash. */
function hasTrash(): boolean {
  const isHere = vscode.env.remoteName === undefined && vscode.env.uiKind === vscode.UIKind.Desktop;
  return isHere && vscode.workspace.getConfiguration('files').get<boolean>('enableTrash', true);
}

/** The take that a row, the selected one, or the active editor names; of an open tape, one that the user chooses. */
async function chooseTake(parts: TakeParts, argument: CommandArgument, action: string): Promise<TakeOfTape> {
  const input = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
  const active = input instanceof vscode.TabInputCustom || input instanceof vscode.TabInputText ? [input.uri] : [];
  const named = argument.type === 'node' ? [argument.node.resource] : argument.type === 'uri' ? [argument.uri] : [];
  const places = named.length > 0 ? named : [...selectedFiles(parts), ...active];
  const [first] = takesIn(places);
  if (first !== undefined) return first;
  for (const tape of places) if (await parts.takes.has(tape)) return pickTake(parts.takes, tape, action);
  throw new HumanError(t('No take is selected. Expand a tape in the Cases view, and select one of its takes.'));
}

async function pickTake(takes: TakeStore, tape: vscode.Uri, action: string): Promise<TakeOfTape> {
  const picks = (await takes.list(tape, [])).map(({ take }) => ({
    label: takeName(take),
    description: takeFacts(take).join(' · '),
    take: take.take,
  }));
  const title = t('{0}: Takes of {1}', action, fileName(tape));
  const chosen = await vscode.window.showQuickPick(picks, { title, placeHolder: t('The take') });
  if (chosen === undefined) throw new vscode.CancellationError();
  return { tape, take: chosen.take };
}

function selectedFiles({ selected }: TakeParts): readonly vscode.Uri[] {
  return selected().map(({ resource }) => resource);
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
  if (folder === undefined) throw new HumanError(t('{0} is not in a folder of this workspace.', fileName(tape)));
  return vscode.Uri.joinPath(folder, take);
}
