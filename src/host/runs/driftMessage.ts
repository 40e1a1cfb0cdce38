import * as vscode from 'vscode';
import { retakeCostText } from '../../core/prices/retakeCost';
import type { Failure } from '../../core/runs/run';
import type { CommandId } from '../base/commands';
import type { CaseEntry } from '../stores/caseEntry';

/** Of which case, and what of it: the arguments of the commands that mend a drift. They pass through a link. */
export interface DriftAction {
  readonly case: string;
  /** The first interaction that is recorded anew, from 0. */
  readonly at?: number;
  /** As the case is to write them. */
  readonly masks?: readonly string[];
}

/** What a test says of a request that has no recording, with what can be done about it. */
export function driftMessage({ message, fix, miss }: Failure, entry: CaseEntry): vscode.MarkdownString {
  const text = new vscode.MarkdownString();
  // The words of requests and tapes are anybody's: they stand as they are, and link to nothing.
  text.appendCodeblock(message, 'text');
  if (miss === undefined) return text.appendText(fix ?? '');
  const of = entry.uri.toString();
  const actions = [
    ...(miss.masks.length > 0
      ? [link(`Mask this (${miss.masks.length})`, 'tapedeck.addMasks', { case: of, masks: miss.masks })]
      : []),
    link(`Re-record from here (${retakeCostText(miss.retake)})`, 'tapedeck.recordFromHere', { case: of, at: miss.at }),
    link('Re-record all', 'tapedeck.recordFromHere', { case: of }),
  ];
  text.isTrusted = { enabledCommands: ['tapedeck.addMasks', 'tapedeck.recordFromHere'] satisfies CommandId[] };
  return text.appendMarkdown(`\n${actions.join(' · ')}\n`);
}

function link(title: string, command: CommandId, action: DriftAction): string {
  return `[${title}](command:${command}?${encodeURIComponent(JSON.stringify([action]))})`;
}
