import * as vscode from 'vscode';
import type { CommandArgument } from '../base/commandArguments';
import type { CommandId } from '../base/commands';
import { registerCommand } from '../base/commands';
import { ContextKey } from '../base/contextKey';
import type { Log } from '../base/log';
import type { ReviewAddress } from '../stores/reviewAddress';
import type { ReviewWorkflow } from './reviewWorkflow';

/** The commands of the list of reviews. An item of it, a file, or a file of the SCM view names the review. */
export function registerQueueCommands(
  workflow: ReviewWorkflow,
  open: (address: ReviewAddress) => void,
  log: Log,
): vscode.Disposable {
  const actions = () => import('./queueActions');
  const register = (id: CommandId, act: (does: QueueActions, argument: CommandArgument, nodes: unknown) => unknown) =>
    registerCommand(id, log, async (argument, nodes) => act(await actions(), argument, nodes));
  // Menus of git's list of changes cannot test the file, so they test whether Tapedeck is active.
  new ContextKey<boolean>('tapedeck.isActive').set(true);
  return vscode.Disposable.from(
    register('tapedeck.openReview', async (does, argument) => open(await does.reviewOf(workflow, argument))),
    register('tapedeck.openAsReview', async (does, argument) => open(await does.changedReview(workflow, argument))),
    register('tapedeck.acceptReview', (does, ...chosen) => does.decideChosen(workflow, 'accepted', ...chosen)),
    register('tapedeck.rejectReview', (does, ...chosen) => does.decideChosen(workflow, 'rejected', ...chosen)),
    register('tapedeck.undoReview', (does, ...chosen) =>
      does.forEachChosen(workflow, chosen, (one) => workflow.undoOf(one)),
    ),
    register('tapedeck.stageReview', (does, ...chosen) =>
      does.forEachChosen(workflow, chosen, (one) => workflow.stage(one)),
    ),
    register('tapedeck.openReviewDiff', async (does, argument) =>
      does.openFileDiff(await does.reviewOf(workflow, argument)),
    ),
    register('tapedeck.openReviewFile', async (does, argument) =>
      does.openFile(await does.reviewOf(workflow, argument)),
    ),
    registerCommand('tapedeck.refreshReviews', log, () => {
      workflow.queue.touch();
      return workflow.queue.load();
    }),
  );
}

type QueueActions = typeof import('./queueActions');
