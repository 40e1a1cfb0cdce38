import * as vscode from 'vscode';
import type { CaseStore } from '../../stores/caseStore';
import type { TapeStore } from '../../stores/tapeStore';
import { CaseCompletions } from './caseCompletions';
import { caseHovers } from './caseHovers';
import { CaseRenames } from './caseRenames';
import { caseRepairs } from './caseRepairs';
import { tapeDefinitions } from './tapeDefinitions';

const TOML: vscode.DocumentSelector = { pattern: '**/*.toml' };

/** Help with writing TOML cases. The TOML files of others are left alone. */
export function registerCaseWriting(cases: CaseStore, tapes: TapeStore): vscode.Disposable {
  const { languages } = vscode;
  return vscode.Disposable.from(
    languages.registerCompletionItemProvider(TOML, new CaseCompletions(tapes), '[', '"', '=', ' '),
    languages.registerHoverProvider(TOML, caseHovers),
    languages.registerDefinitionProvider(TOML, tapeDefinitions),
    languages.registerRenameProvider(TOML, new CaseRenames(cases)),
    languages.registerCodeActionsProvider(TOML, caseRepairs, {
      providedCodeActionKinds: [vscode.CodeActionKind.QuickFix],
    }),
  );
}
