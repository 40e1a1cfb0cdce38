import * as vscode from 'vscode';
import { t } from '../../../core/text/l10n';
import { loadCore } from '../../../reader/loadCore';
import { escapeMarkdown } from '../../base/escapeMarkdown';
import { fileName } from '../../base/fileName';
import type { NamedTape } from './tapeSummaries';

/** What is on a tape, in short: its facts and its first exchange, then a link to the transcript. */
export async function tapeHover(uri: vscode.Uri, tape: NamedTape): Promise<vscode.MarkdownString[]> {
  const words = new vscode.MarkdownString();
  if (tape.state === 'missing') {
    words.appendMarkdown(t('**No recording yet.** The first recording of the case creates this tape.'));
    return [words];
  }
  words.appendMarkdown(`**${escapeMarkdown(fileName(uri))}**`);
  if (tape.state === 'read') {
    const { tapeFactSentence } = await loadCore();
    const { summary } = tape;
    words.appendMarkdown(` ${escapeMarkdown(summary.formatLabel)}`);
    words.appendMarkdown(`\n\n${escapeMarkdown(tapeFactSentence(summary, Date.now()))}`);
    for (const { who, text } of summary.firstExchange)
      words.appendMarkdown(`\n\n**${escapeMarkdown(who)}:** ${escapeMarkdown(text)}`);
  }
  return [words, transcriptLink(uri)];
}

/** Apart from what the tape says, which must not be able to add a link that runs a command. */
function transcriptLink(uri: vscode.Uri): vscode.MarkdownString {
  const link = new vscode.MarkdownString('', true);
  link.isTrusted = { enabledCommands: ['tapedeck.openTranscript'] };
  const argument = encodeURIComponent(JSON.stringify([uri]));
  return link.appendMarkdown(
    t('[$(comment-discussion) Open Transcript](command:tapedeck.openTranscript?{0})', argument),
  );
}
