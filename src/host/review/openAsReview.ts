import * as vscode from 'vscode';
import { t } from '../../core/text/l10n';
import type { CommandArgument } from '../base/commandArguments';
import { fileName } from '../base/fileName';
import { HumanError } from '../base/humanError';
import { comparisonOf, isOnDisk, type ReviewAddress } from '../stores/reviews/reviewAddress';
import { gitRefOf, isLastCommitOrIndex } from './gitVersion';
import type { ReviewWorkflow } from './reviewWorkflow';

/** The two versions of a file that a diff editor shows. */
interface ShownVersions {
  readonly before: vscode.Uri;
  readonly after: vscode.Uri;
}

/**
 * Opens "Review This File" of a diff editor or of the Source Control view. Changes since the last commit are a review with decisions;
 * any other two versions are a comparison, which needs neither git nor the engine. `fileOf` finds the file.
 */
export async function shownReview(
  argument: CommandArgument,
  workflow: ReviewWorkflow,
  fileOf: (argument: CommandArgument) => ReviewAddress,
): Promise<ReviewAddress> {
  const versions = await versionsOf(argument);
  if (versions !== undefined && !isSinceLastCommit(versions))
    return comparisonOf({ uri: versions.before }, { uri: versions.after });
  const address = fileOf(argument);
  if (!isOnDisk(address.uri)) throw new HumanError(noEarlierVersion(address.uri));
  await requireChange(workflow, address);
  return address;
}

/** The versions in the active diff editor, or those that the source control view compares. */
async function versionsOf(argument: CommandArgument): Promise<ShownVersions | undefined> {
  if (argument.type === 'none') return versionsInEditor();
  if (argument.type === 'uri') return versionsInEditor(argument.uri);
  if (argument.type !== 'scm') return undefined;
  const { versions, openCommand, uri } = argument;
  if (versions !== undefined || openCommand === undefined || isOnDisk(uri)) return versions;
  // Not every provider has the versions; its command for the diff editor does.
  await vscode.commands.executeCommand(openCommand.command, ...(openCommand.arguments ?? []));
  return versionsInEditor(uri);
}

/** The versions in the active diff editor; undefined for another editor, or another file than `of`. */
function versionsInEditor(of?: vscode.Uri): ShownVersions | undefined {
  const input = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
  if (!(input instanceof vscode.TabInputTextDiff)) return undefined;
  const { original: before, modified: after } = input;
  return of === undefined || [before, after].some(({ path }) => path === of.path) ? { before, after } : undefined;
}

/** Whether git shows what changed since the last commit, which the engine reviews. */
function isSinceLastCommit({ before, after }: ShownVersions): boolean {
  if (before.path !== after.path || !isOnDisk(vscode.Uri.file(after.path))) return false;
  const [old, now] = [gitRefOf(before), gitRefOf(after)];
  if (old === undefined || !isLastCommitOrIndex(old)) return false;
  return now === undefined ? after.scheme === 'file' : isLastCommitOrIndex(now);
}

/** Rejects for a file without changes: the command can be run on any file in a list of files. */
async function requireChange(workflow: ReviewWorkflow, address: ReviewAddress): Promise<void> {
  const { caseName, changes, hidden } = await workflow.state(address);
  if (changes.length + hidden.length > 0) return;
  throw new HumanError(
    t(
      'There is nothing to review: {0} has not changed since the last commit, or is neither a tape nor a baseline.',
      caseName,
    ),
  );
}

function noEarlierVersion(uri: vscode.Uri): string {
  return t(
    'There is no earlier version of {0} to compare it with. Choose Review This File on it in the Source Control view, or in a diff editor that shows its text.',
    fileName(uri),
  );
}
