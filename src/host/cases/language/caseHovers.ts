import * as vscode from 'vscode';
import { looksLikeCase } from '../../../core/cases/toml/looksLikeCase';
import { t } from '../../../core/text/l10n';
import { loadCore } from '../../../reader/loadCore';
import { escapeMarkdown } from '../../base/escapeMarkdown';
import { spanRange } from '../../base/ranges';
import { caseReferenceAt, resolveTape } from './caseRenames';
import { isConfig } from './configFile';
import { tapeHover } from './tapeHover';
import type { TapeSummaries } from './tapeSummaries';

/** Describes keys and tables of cases and of `tapedeck.toml`, and in cases tapes and tools. */
export class CaseHovers implements vscode.HoverProvider {
  constructor(private readonly summaries: TapeSummaries) {}

  async provideHover(document: vscode.TextDocument, position: vscode.Position): Promise<vscode.Hover | undefined> {
    const { describeConfigKey, describeKey } = await loadCore();
    const offset = document.offsetAt(position);
    if (isConfig(document)) return keyHover(document, describeConfigKey(document.getText(), offset));
    if (!looksLikeCase(document.getText())) return undefined;
    return (
      keyHover(document, describeKey(document.getText(), offset)) ??
      (await toolHover(document, offset)) ??
      this.#tapeHover(document, position)
    );
  }

  async #tapeHover(document: vscode.TextDocument, position: vscode.Position): Promise<vscode.Hover | undefined> {
    const reference = await caseReferenceAt(document, position);
    if (reference?.names !== 'tape') return undefined;
    const uri = resolveTape(document, reference.value);
    const words = await tapeHover(uri, await this.summaries.get(uri));
    return new vscode.Hover(words, spanRange(document, reference.span));
  }
}

type Describe = Awaited<ReturnType<typeof loadCore>>['describeKey'];

function keyHover(document: vscode.TextDocument, found: ReturnType<Describe>): vscode.Hover | undefined {
  if (found === undefined) return undefined;
  const words = new vscode.MarkdownString(`\`${found.title}\`\n\n${found.about}`);
  if (found.choices.length > 0)
    words.appendMarkdown(`\n\n${t('One of {0}.', found.choices.map((choice) => `\`${choice}\``).join(', '))}`);
  if (found.default !== undefined) words.appendMarkdown(`\n\n${t('Default: {0}', `\`${found.default}\``)}`);
  return new vscode.Hover(words, spanRange(document, found.span));
}

async function toolHover(document: vscode.TextDocument, offset: number): Promise<vscode.Hover | undefined> {
  const { toolAt } = await loadCore();
  const tool = toolAt(document.getText(), offset);
  if (tool === undefined) return undefined;
  const words = new vscode.MarkdownString(
    `${t('The tool {0}', `**${escapeMarkdown(tool.name)}**`)}\n\n${escapeMarkdown(tool.about)}`,
  );
  return new vscode.Hover(words, spanRange(document, tool.span));
}
