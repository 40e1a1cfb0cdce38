import * as vscode from 'vscode';
import type { Decision } from '../../core/review/decisions';
import { t } from '../../core/text/l10n';
import { caseFileOf } from '../base/caseUri';
import { type CommandArgument, parseCommandArgument } from '../base/commandArguments';
import { type CommandId, registerCommand } from '../base/commands';
import { ContextKey } from '../base/contextKey';
import { fileName } from '../base/fileName';
import { HumanError } from '../base/humanError';
import type { Log } from '../base/log';
import type { ReviewAddress } from '../stores/reviews/reviewAddress';
import { reviewUris } from '../stores/reviews/reviewStore';
import type { ReviewWorkflow } from './reviewWorkflow';

/** The commands of the list of reviews. An item of it, a file, or a file of the SCM view names the review. */
export function registerQueueCommands(
  workflow: ReviewWorkflow,
  open: (address: ReviewAddress) => Promise<void>,
  log: Log,
): vscode.Disposable {
  const decide = async (verdict: Decision, argument: CommandArgument, nodes: unknown): Promise<void> =>
    (await import('./decideChosen')).decideChosen(
      workflow,
      verdict,
      argument.type === 'section' ? undefined : chosenAddresses(argument, nodes),
    );
  const command = (id: CommandId, handler: (address: ReviewAddress) => unknown) =>
    registerCommand(id, log, async (argument) =>
      handler(addressOfArgument(argument) ?? (await firstPending(workflow))),
    );
  // Menus of git's list of changes cannot test the file, so they test whether Tapedeck is active.
  new ContextKey<boolean>('tapedeck.isActive').set(true);
  return vscode.Disposable.from(
    command('tapedeck.openReview', open),
    registerCommand('tapedeck.openAsReview', log, async (argument) => {
      const { shownReview } = await import('./openAsReview');
      await open(await shownReview(argument, workflow, (one) => addressOfArgument(one) ?? activeFileAddress()));
    }),
    registerCommand('tapedeck.acceptReview', log, (argument, nodes) => decide('accepted', argument, nodes)),
    registerCommand('tapedeck.rejectReview', log, (argument, nodes) => decide('rejected', argument, nodes)),
    registerCommand('tapedeck.undoReview', log, (argument, nodes) =>
      forEachChosen(workflow, argument, nodes, (one) => workflow.undoOf(one)),
    ),
    registerCommand('tapedeck.stageReview', log, (argument, nodes) =>
      forEachChosen(workflow, argument, nodes, (one) => workflow.stage(one)),
    ),
    command('tapedeck.openReviewDiff', openFileDiff),
    command('tapedeck.openReviewFile', ({ uri }) => vscode.commands.executeCommand('vscode.open', caseFileOf(uri))),
    registerCommand('tapedeck.refreshReviews', log, () => {
      workflow.queue.touch();
      return workflow.queue.load();
    }),
  );
}

/** Acts on the chosen items one after the other. One failure does not keep the others from being tried. */
async function forEachChosen(
  workflow: ReviewWorkflow,
  argument: CommandArgument,
  nodes: unknown,
  act: (address: ReviewAddress) => Promise<unknown>,
): Promise<void> {
  const addresses = chosenAddresses(argument, nodes);
  const refused: unknown[] = [];
  for (const address of addresses.length > 0 ? addresses : [await firstPending(workflow)])
    await act(address).catch((error: unknown) => refused.push(error));
  if (refused.length > 1) throw new HumanError(refused.map(messageOf).join(' '));
  if (refused.length > 0) throw refused[0];
}

/** With several items selected, the item that was clicked is one of them. */
function chosenAddresses(argument: CommandArgument, nodes: unknown): readonly ReviewAddress[] {
  const all = Array.isArray(nodes) && nodes.length > 0 ? nodes.map(parseCommandArgument) : [argument];
  return all.flatMap((one) => addressOfArgument(one) ?? []);
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** The files as they are, in VS Code's own diff editor. */
async function openFileDiff({ about, uri }: ReviewAddress): Promise<void> {
  if (about === 'file') {
    await vscode.commands.executeCommand('git.openChange', uri);
    return;
  }
  const { artifact, baseline } = reviewUris(uri) ?? {};
  if (artifact === undefined || baseline === undefined)
    throw new HumanError(t('This case is not in a workspace folder.'));
  await vscode.commands.executeCommand('vscode.diff', baseline, artifact, `${fileName(uri)} (baseline ↔ run)`);
}

async function firstPending({ queue }: ReviewWorkflow): Promise<ReviewAddress> {
  const first = (await queue.load()).find(({ open }) => open > 0);
  if (queue.state.type === 'failed') throw new HumanError(queue.state.problem);
  if (first === undefined) throw new HumanError(t('There is nothing to review: no tape, baseline or run has changed.'));
  return first.address;
}

/** The review of the file in the active editor; a diff stands for its later side. */
export function activeFileAddress(): ReviewAddress {
  const input = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
  if (input instanceof vscode.TabInputTextDiff) return { about: 'file', uri: vscode.Uri.file(input.modified.path) };
  if (input instanceof vscode.TabInputText || input instanceof vscode.TabInputCustom)
    return { about: 'file', uri: input.uri };
  throw new HumanError(t('Open a tape or a baseline first, or select one in the Review view.'));
}

/** The review that an argument of a command names: an item of the list, a file, or a file in the SCM view. */
function addressOfArgument(argument: CommandArgument): ReviewAddress | undefined {
  switch (argument.type) {
    case 'uri':
      return { about: 'file', uri: workingFile(argument.uri) };
    case 'scm':
      return { about: 'file', uri: argument.uri };
    case 'node': {
      const { about, resource } = argument.node;
      return about && { about, uri: resource };
    }
    default:
      return undefined;
  }
}

/** The file itself when the URI is a side of git's diff, which has the same path. */
function workingFile(uri: vscode.Uri): vscode.Uri {
  return uri.scheme === 'git' ? vscode.Uri.file(uri.path) : uri;
}
