import * as vscode from 'vscode';
import type { Failure, TapeUse } from '../../core/model/run';
import { LineIndex } from '../../core/text/source';
import { loadCore } from '../../reader/loadCore';
import type { CommandId } from '../base/commands';
import { type DriftFix, driftFixes } from '../base/driftFixes';
import type { CaseEntry } from '../stores/caseEntry';

function failureText({ message, fix }: Failure): string {
  return fix === undefined ? message : `${message}\n\n${fix}`;
}

export function failureMessage(failure: Failure, entry: CaseEntry): vscode.TestMessage {
  const text = failure.miss === undefined ? failureText(failure) : driftMessage(failure, entry);
  const { expected, actual } = failure;
  const message =
    expected === undefined || actual === undefined
      ? new vscode.TestMessage(text)
      : vscode.TestMessage.diff(text, expected, actual);
  const range = failure.span ? entry.range(failure.span) : new vscode.Range(entry.headLine, 0, entry.headLine, 0);
  message.location = new vscode.Location(entry.file, range);
  // In the peek view, a menu's `when` clause can test nothing else of a message.
  message.contextValue = `tapedeck.${failure.kind}`;
  return message;
}

/** The message of a test about a request that has no recording, with links to its fixes. */
export function driftMessage({ message, fix, miss }: Failure, entry: CaseEntry): vscode.MarkdownString {
  const text = new vscode.MarkdownString();
  // The text of requests and tapes is untrusted: in a code block it contains no links.
  text.appendCodeblock(message, 'text');
  if (miss === undefined) return text.appendText(fix ?? '');
  text.isTrusted = { enabledCommands: ['tapedeck.addMasks', 'tapedeck.recordFromHere'] satisfies CommandId[] };
  return text.appendMarkdown(`\n${driftFixes(miss, entry.uri).map(commandLink).join(' · ')}\n`);
}

function commandLink({ title, command, argument }: DriftFix): string {
  return `[${title}](command:${command}?${encodeURIComponent(JSON.stringify([argument]))})`;
}

/** The coverage of a tape: its interactions are the statements, covered if a replay used them. */
export class TapeCoverage extends vscode.FileCoverage {
  constructor(readonly use: TapeUse) {
    super(vscode.Uri.file(use.tapePath), new vscode.TestCoverageCount(use.used.length, use.recorded));
  }

  async details(): Promise<vscode.StatementCoverage[]> {
    const { readTape, decodeTapeFile } = await loadCore();
    const file = decodeTapeFile(this.uri.path, await vscode.workspace.fs.readFile(this.uri));
    const lines = new LineIndex(file.text);
    const used = new Set(this.use.used);
    return (readTape(file)?.interactions ?? []).map(({ index, source }) => {
      const start = lines.position(source.start);
      const end = lines.position(source.end);
      const range = new vscode.Range(start.line - 1, start.column - 1, end.line - 1, end.column - 1);
      return new vscode.StatementCoverage(used.has(index), range);
    });
  }
}

/** Merges the uses of each tape by several cases: an interaction is used if any of them used it. */
export function mergeTapeUses(uses: readonly TapeUse[]): readonly TapeUse[] {
  const byTape = new Map<string, TapeUse>();
  for (const use of uses) {
    const known = byTape.get(use.tapePath);
    const used = [...new Set([...(known?.used ?? []), ...use.used])].sort((a, b) => a - b);
    byTape.set(use.tapePath, { ...use, used });
  }
  return [...byTape.values()];
}
