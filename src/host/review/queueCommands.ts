import * as vscode from 'vscode';
import { fileOf } from '../base/caseUri';
import { type CommandId, registerCommand } from '../base/commands';
import { ContextKey } from '../base/contextKey';
import { HumanError } from '../base/humanError';
import type { Log } from '../base/log';
import type { ReviewAddress } from '../stores/reviewAddress';
import { reviewUris } from '../stores/reviewStore';
import { addressFrom, fileInFront, isSectionNode } from './namedReview';
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
  // Git's list of changes does not tell menus which file they are about, so there it has to do that this is a project of ours.
  new ContextKey<boolean>('tapedeck.isActive').set(true);
  return vscode.Disposable.from(
    command('tapedeck.openReview', open),
    registerCommand('tapedeck.openAsReview', log, async (argument) => {
      const address = addressFrom(argument) ?? fileInFront();
      await requireChange(desk, address);
      open(address);
    }),
    registerCommand('tapedeck.acceptReview', log, (node, nodes) => decide(desk, 'accept', node, nodes)),
    registerCommand('tapedeck.rejectReview', log, (node, nodes) => decide(desk, 'reject', node, nodes)),
    registerCommand('tapedeck.undoReview', log, (node, nodes) => each(desk, node, nodes, (one) => desk.undoOf(one))),
    registerCommand('tapedeck.stageReview', log, (node, nodes) =>
      each(desk, node, nodes, (one) => desk.source(one).stage()),
    ),
    command('tapedeck.openReviewDiff', openFileDiff),
    command('tapedeck.openReviewFile', ({ uri }) => vscode.commands.executeCommand('vscode.open', fileOf(uri))),
    registerCommand('tapedeck.refreshReviews', log, () => {
      desk.queue.touch();
      return desk.queue.load();
    }),
  );
}

/** Decides about all that is open of the chosen items; a section is all of its items, and asked about first. */
async function decide(desk: ReviewDesk, verdict: 'accept' | 'reject', node: unknown, nodes: unknown): Promise<void> {
  const addresses = isSectionNode(node)
    ? desk.queue.entries.filter(({ open }) => open > 0).map(({ address }) => address)
    : chosen(node, nodes);
  if (isSectionNode(node) && !(await confirmAll(verdict, addresses.length))) return;
  for (const address of addresses) await desk.decideAll(address, verdict);
}

/** Does something with each of the chosen items, one after the other. What one of them refuses does not keep the others. */
async function each(
  desk: ReviewDesk,
  node: unknown,
  nodes: unknown,
  act: (address: ReviewAddress) => Promise<unknown>,
): Promise<void> {
  const addresses = chosen(node, nodes);
  const refused: unknown[] = [];
  for (const address of addresses.length > 0 ? addresses : [await firstOpen(desk)])
    await act(address).catch((error: unknown) => refused.push(error));
  if (refused.length > 1) throw new HumanError(refused.map(messageOf).join(' '));
  if (refused.length > 0) throw refused[0];
}

/** With several items selected, the item that was clicked is one of them. */
function chosen(node: unknown, nodes: unknown): readonly ReviewAddress[] {
  const all = Array.isArray(nodes) && nodes.length > 0 ? nodes : [node];
  return all.flatMap((one) => addressFrom(one) ?? []);
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

async function confirmAll(verdict: 'accept' | 'reject', files: number): Promise<boolean> {
  const what = verdict === 'accept' ? 'Accept' : 'Reject';
  const detail = 'Each decision can be taken back, one file after the other.';
  const question = `${what} everything that is left in ${files} ${files === 1 ? 'file' : 'files'}?`;
  return (await vscode.window.showWarningMessage(question, { modal: true, detail }, `${what} All`)) !== undefined;
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

/** Any file may be named where files are listed. */
async function requireChange(desk: ReviewDesk, address: ReviewAddress): Promise<void> {
  const { caseName, changes, hidden } = await desk.source(address).state();
  if (changes.length + hidden.length > 0) return;
  throw new HumanError(
    `${caseName} is as in the last commit, or neither a tape nor a baseline: there is nothing to review.`,
  );
}

async function firstOpen({ queue }: ReviewDesk): Promise<ReviewAddress> {
  const first = (await queue.load()).find(({ open }) => open > 0);
  if (queue.state.type === 'failed') throw new HumanError(queue.state.problem);
  if (first === undefined) throw new HumanError('There is nothing to review: no tape, baseline or run has changed.');
  return first.address;
}
