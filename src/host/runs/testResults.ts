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
  // In the peek a menu knows nothing else of a message, not even whose it is.
  message.contextValue = `tapedeck.${failure.kind}`;
  return message;
}

/** What a test says of a request that has no recording, with what can be done about it. */
export function driftMessage({ message, fix, miss }: Failure, entry: CaseEntry): vscode.MarkdownString {
  const text = new vscode.MarkdownString();
  // The words of requests and tapes are anybody's: they stand as they are, and link to nothing.
  text.appendCodeblock(message, 'text');
  if (miss === undefined) return text.appendText(fix ?? '');
  text.isTrusted = { enabledCommands: ['tapedeck.addMasks', 'tapedeck.recordFromHere'] satisfies CommandId[] };
  return text.appendMarkdown(`\n${driftFixes(miss, entry.uri).map(commandLink).join(' · ')}\n`);
}

function commandLink({ title, command, argument }: DriftFix): string {
  return `[${title}](command:${command}?${encodeURIComponent(JSON.stringify([argument]))})`;
}

/** Which recorded interactions of a tape a replay used, as the coverage of its file: an interaction is a statement. */
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
      const [start, end] = [source.start, source.end].map((offset) => lines.position(offset));
      const range = new vscode.Range(
        (start?.line ?? 1) - 1,
        (start?.column ?? 1) - 1,
        (end?.line ?? 1) - 1,
        (end?.column ?? 1) - 1,
      );
      return new vscode.StatementCoverage(used.has(index), range);
    });
  }
}

/** The uses of a tape by several cases as one: what any of them used is used. */
export function mergeTapeUses(uses: readonly TapeUse[]): readonly TapeUse[] {
  const byTape = new Map<string, TapeUse>();
  for (const use of uses) {
    const known = byTape.get(use.tapePath);
    const used = [...new Set([...(known?.used ?? []), ...use.used])].sort((a, b) => a - b);
    byTape.set(use.tapePath, { ...use, used });
  }
  return [...byTape.values()];
}
