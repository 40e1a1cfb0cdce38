import * as vscode from 'vscode';
import type { Failure } from '../../core/model/run';
import type { CommandId } from '../base/commands';
import { type DriftMend, driftMends } from '../base/driftMends';
import type { CaseEntry } from '../stores/caseEntry';

/** What a test says of a request that has no recording, with what can be done about it. */
export function driftMessage({ message, fix, miss }: Failure, entry: CaseEntry): vscode.MarkdownString {
  const text = new vscode.MarkdownString();
  // The words of requests and tapes are anybody's: they stand as they are, and link to nothing.
  text.appendCodeblock(message, 'text');
  if (miss === undefined) return text.appendText(fix ?? '');
  text.isTrusted = { enabledCommands: ['tapedeck.addMasks', 'tapedeck.recordFromHere'] satisfies CommandId[] };
  return text.appendMarkdown(`\n${driftMends(miss, entry.uri).map(link).join(' · ')}\n`);
}

function link({ title, command, argument }: DriftMend): string {
  return `[${title}](command:${command}?${encodeURIComponent(JSON.stringify([argument]))})`;
}
