import * as vscode from 'vscode';
import { HumanError } from '../base/humanError';
import type { ReviewAddress } from '../stores/reviewAddress';
import type { QueueNode } from './queueTree';

/** The review of the file in the editor in front; a diff is about its later side. */
export function fileInFront(): ReviewAddress {
  const input = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
  if (input instanceof vscode.TabInputTextDiff) return { about: 'file', uri: vscode.Uri.file(input.modified.path) };
  if (input instanceof vscode.TabInputText || input instanceof vscode.TabInputCustom)
    return { about: 'file', uri: input.uri };
  throw new HumanError('Open a tape or a baseline first, or choose it in the list of reviews.');
}

/** What an argument of a command names: an item of the list, a file, or a file in the SCM view. */
export function addressFrom(argument: unknown): ReviewAddress | undefined {
  // The side of a diff that git shows has the path of the file.
  if (argument instanceof vscode.Uri)
    return { about: 'file', uri: argument.scheme === 'git' ? vscode.Uri.file(argument.path) : argument };
  if (isReviewNode(argument)) return argument.review.address;
  if (isResourceState(argument)) return { about: 'file', uri: argument.resourceUri };
  return undefined;
}

function isReviewNode(value: unknown): value is Extract<QueueNode, { type: 'review' }> {
  return typeof value === 'object' && value !== null && 'type' in value && value.type === 'review' && 'review' in value;
}

export function isSectionNode(value: unknown): value is Extract<QueueNode, { type: 'section' }> {
  return typeof value === 'object' && value !== null && 'type' in value && value.type === 'section';
}

/** An entry of the SCM view. */
function isResourceState(value: unknown): value is vscode.SourceControlResourceState {
  return (
    typeof value === 'object' && value !== null && 'resourceUri' in value && value.resourceUri instanceof vscode.Uri
  );
}
