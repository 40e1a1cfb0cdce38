import * as vscode from 'vscode';
import { fileOf } from '../base/caseUri';
import { type CommandId, registerCommand } from '../base/commands';
import { HumanError } from '../base/humanError';
import type { Log } from '../base/log';
import type { ReviewAddress } from '../stores/reviewAddress';
import { reviewUris } from '../stores/reviewStore';
import type { QueueNode } from './queueTree';
import type { ReviewDesk } from './reviewDesk';
import { fileName } from './reviewState';

/** The commands of the list of reviews. An item of it, a file, or a file of the SCM view names the review. */
export function registerQueueCommands(
  desk: ReviewDesk,
  open: (address: ReviewAddress) => void,
  log: Log,
): vscode.Disposable {
  const command = (id: CommandId, handler: (address: ReviewAddress) => unknown) =>
    registerCommand(id, log, async (argument) => handler(addressFrom(argument) ?? (await firstOpen(desk))));
  return vscode.Disposable.from(
    command('tapedeck.openReview', open),
    command('tapedeck.acceptReview', (address) => desk.decideAll(address, 'accept')),
    command('tapedeck.rejectReview', (address) => desk.decideAll(address, 'reject')),
    command('tapedeck.undoReview', (address) => desk.undoOf(address)),
    command('tapedeck.stageReview', (address) => desk.source(address).stage()),
    command('tapedeck.openReviewDiff', openFileDiff),
    command('tapedeck.openReviewFile', ({ uri }) => vscode.commands.executeCommand('vscode.open', fileOf(uri))),
    registerCommand('tapedeck.refreshReviews', log, () => {
      desk.queue.touch();
      return desk.queue.load();
    }),
  );
}

/** The files as they are, in VS Code's own diff editor. */
async function openFileDiff({ about, uri }: ReviewAddress): Promise<void> {
  if (about === 'file') {
    await vscode.commands.executeCommand('git.openChange', uri);
    return;
  }
  const { artifact, baseline } = reviewUris(uri) ?? {};
  if (artifact === undefined || baseline === undefined)
    throw new HumanError('This case is in no folder of the workspace.');
  await vscode.commands.executeCommand('vscode.diff', baseline, artifact, `${fileName(uri)} (baseline ↔ run)`);
}

async function firstOpen({ queue }: ReviewDesk): Promise<ReviewAddress> {
  const first = (await queue.load()).find(({ open }) => open > 0);
  if (queue.state.type === 'failed') throw new HumanError(queue.state.problem);
  if (first === undefined) throw new HumanError('There is nothing to review: no tape, baseline or run has changed.');
  return first.address;
}

function addressFrom(argument: unknown): ReviewAddress | undefined {
  if (argument instanceof vscode.Uri) return { about: 'file', uri: argument };
  if (isReviewNode(argument)) return argument.review.address;
  if (isResourceState(argument)) return { about: 'file', uri: argument.resourceUri };
  return undefined;
}

function isReviewNode(value: unknown): value is Extract<QueueNode, { type: 'review' }> {
  return typeof value === 'object' && value !== null && 'type' in value && value.type === 'review' && 'review' in value;
}

/** An entry of the SCM view. */
function isResourceState(value: unknown): value is vscode.SourceControlResourceState {
  return (
    typeof value === 'object' && value !== null && 'resourceUri' in value && value.resourceUri instanceof vscode.Uri
  );
}
