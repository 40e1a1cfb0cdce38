import * as vscode from 'vscode';
import { looksLikeCase } from '../../../core/cases/toml/looksLikeCase';
import { tapeReading } from '../../base/tapeReading';
import { rangeIn } from './rangeIn';

/** Quick fixes for what `readCase` finds. The problems are read anew: those of the editor may be of an older text. */
export const caseRepairs: vscode.CodeActionProvider = {
  async provideCodeActions(document, range, { diagnostics }) {
    const text = document.getText();
    if (!looksLikeCase(text)) return [];
    const { readCase, repairCase } = await tapeReading();
    const stem = document.uri.path.replace(/^.*\/|\.toml$/gi, '');
    const here = readCase(text).problems.filter(({ span }) => rangeIn(document, span).intersection(range));
    return here.flatMap((problem) => {
      const about = diagnostics.filter(({ message }) => message.startsWith(problem.message));
      return repairCase(text, problem, stem).map(({ title, splices }, index) => {
        const action = new vscode.CodeAction(title, vscode.CodeActionKind.QuickFix);
        action.edit = new vscode.WorkspaceEdit();
        for (const splice of splices) action.edit.replace(document.uri, rangeIn(document, splice), splice.text);
        action.diagnostics = about;
        action.isPreferred = index === 0;
        return action;
      });
    });
  },
};
