import * as vscode from 'vscode';
import { looksLikeCase } from '../../../core/cases/toml/looksLikeCase';
import { tapeReading } from '../../base/tapeReading';
import { rangeIn } from './rangeIn';

/** What a key or table of a case is for. */
export const caseHovers: vscode.HoverProvider = {
  async provideHover(document, position) {
    const text = document.getText();
    if (!looksLikeCase(text)) return undefined;
    const { describeKey } = await tapeReading();
    const found = describeKey(text, document.offsetAt(position));
    if (found === undefined) return undefined;
    const words = new vscode.MarkdownString(`\`${found.title}\`\n\n${found.about}`);
    if (found.choices.length > 0)
      words.appendMarkdown(`\n\nOne of ${found.choices.map((choice) => `\`${choice}\``).join(', ')}.`);
    if (found.default !== undefined) words.appendMarkdown(`\n\nDefault: \`${found.default}\``);
    return new vscode.Hover(words, rangeIn(document, found.span));
  },
};
