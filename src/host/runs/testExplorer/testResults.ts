import * as vscode from 'vscode';
import { diffMarkdown } from '../../../core/export/diffMarkdown';
import type { Failure, ReplayMiss, TapeUse } from '../../../core/model/run';
import { t } from '../../../core/text/l10n';
import { LineIndex } from '../../../core/text/source';
import { type LazyCore, loadCore } from '../../../reader/loadCore';
import { COMMAND_IDS, type CommandId } from '../../base/commands';
import { type DriftFix, driftFixes, fixTitle } from '../../base/driftFixes';
import { escapeMarkdown } from '../../base/escapeMarkdown';
import type { CaseEntry } from '../../stores/cases/caseEntry';
import { lineMessage } from './lineMessage';

/** The messages of a failure: what is wrong in one line with the diff of two texts, then the texts if there are two. */
export function failureMessages(
  failure: Failure,
  entry: CaseEntry,
  diffText: LazyCore['diffText'],
): readonly vscode.TestMessage[] {
  const { expected, actual, miss } = failure;
  const text = failureText(failure, entry);
  const isComparison = expected !== undefined && actual !== undefined;
  if (!isComparison) return [placed(new vscode.TestMessage(text), failure, entry)];
  if (typeof text !== 'string') {
    text.supportHtml = true;
    text.appendMarkdown(diffMarkdown(diffText(expected, actual)));
  }
  // Beside the line, the editor shows the first message, and of two texts only their beginning and end.
  const title = miss === undefined ? failure.message : t('The recorded request, and the one that was sent');
  const texts = vscode.TestMessage.diff(title, expected, actual);
  return [new vscode.TestMessage(text), texts].map((message) => placed(message, failure, entry));
}

function placed(message: vscode.TestMessage, failure: Failure, entry: CaseEntry): vscode.TestMessage {
  const range = failure.span ? entry.range(failure.span) : new vscode.Range(entry.headLine, 0, entry.headLine, 0);
  message.location = new vscode.Location(entry.file, range);
  message.contextValue = messageContext(failure);
  return message;
}

/**
 * In the peek view, a menu's `when` clause can test nothing else of a message: `tapedeck.drift.date` where a mask would fix it that
 * has a command of its own, `tapedeck.drift.masks` where others would, `tapedeck.drift` where none would.
 */
function messageContext({ kind, miss }: Failure): string {
  if (miss === undefined) return `tapedeck.${kind}`;
  const [mask, ...others] = miss.masks;
  if (mask === undefined) return 'tapedeck.drift';
  const hasCommand = others.length === 0 && COMMAND_IDS.some((id) => id === `tapedeck.addMasks.${mask}`);
  return hasCommand ? `tapedeck.drift.${mask}` : 'tapedeck.drift.masks';
}

function failureText(failure: Failure, entry: CaseEntry): string | vscode.MarkdownString {
  const { message, fix, step, miss, missingTape } = failure;
  if (missingTape !== undefined) return noRecordingMessage(failure, entry);
  if (miss !== undefined) return driftMessage(failure, miss, entry);
  if (step?.tapePath !== undefined) return stepMessage(message, step.tapePath, step.index ?? step.number);
  return lineMessage(failure) ?? (fix === undefined ? message : `${message}\n\n${fix}`);
}

/** What an assertion says about a step of the run, with a link to it in the transcript. */
function stepMessage(message: string, tapePath: string, interaction: number): vscode.MarkdownString {
  const text = new vscode.MarkdownString();
  text.isTrusted = { enabledCommands: ['tapedeck.openTranscript'] satisfies CommandId[] };
  // As in a drift: in a code block, recorded text contains no links.
  text.appendCodeblock(`${message}\n`, 'text');
  const argument = encodeURIComponent(JSON.stringify([vscode.Uri.file(tapePath), interaction]));
  return text.appendMarkdown(
    t('\n[Open Interaction {0}](command:tapedeck.openTranscript?{1})\n', interaction + 1, argument),
  );
}

/** The message of a test whose tape does not exist yet, with a link that records it. */
function noRecordingMessage({ message, fix }: Failure, entry: CaseEntry): vscode.MarkdownString {
  const text = new vscode.MarkdownString(escapeMarkdown(`${message}.`));
  if (entry.listed?.recordedTape === undefined) return text.appendMarkdown(` ${escapeMarkdown(fix ?? '')}`);
  text.isTrusted = { enabledCommands: ['tapedeck.recordFromHere'] satisfies CommandId[] };
  const argument = encodeURIComponent(JSON.stringify([{ case: entry.uri.toString() }]));
  return text.appendMarkdown(`\n\n[Record](command:tapedeck.recordFromHere?${argument})\n`);
}

/** What differs in one line, which the editor shows beside the case; below it links to its fixes, and, without a diff, the explanation. */
function driftMessage(
  { message, expected, actual }: Failure,
  miss: ReplayMiss,
  entry: CaseEntry,
): vscode.MarkdownString {
  const text = new vscode.MarkdownString();
  text.isTrusted = { enabledCommands: ['tapedeck.addMasks', 'tapedeck.recordFromHere'] satisfies CommandId[] };
  // The text of requests and tapes is untrusted: in a code block it contains no links. The editor joins blocks without
  // a space where it shows them as plain text, therefore the empty line.
  text.appendCodeblock(`${miss.line}\n`, 'text');
  text.appendMarkdown(`\n${driftFixes(miss, entry.uri).map(commandLink).join(' · ')}\n\n`);
  // With two texts, their diff says more. The first line says what the line above says.
  if (expected !== undefined && actual !== undefined) return text;
  const [, ...details] = message.split('\n');
  return details.length === 0 ? text : text.appendCodeblock(details.map((one) => one.trim()).join('\n'), 'text');
}

function commandLink(fix: DriftFix): string {
  const label = fixTitle(fix).replace(/[\\[\]`*_<>]/g, '\\$&');
  return `[${label}](command:${fix.command}?${encodeURIComponent(JSON.stringify([fix.argument]))})`;
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
