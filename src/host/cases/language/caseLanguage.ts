import * as vscode from 'vscode';
import { looksLikeCase } from '../../../core/cases/toml/looksLikeCase';
import { loadCore } from '../../../reader/loadCore';
import { spanRange } from '../../base/ranges';
import type { CaseStore } from '../../stores/cases/caseStore';
import type { TapeStore } from '../../stores/tapes/tapeStore';
import { CaseCompletions } from './caseCompletions';
import { CaseHovers } from './caseHovers';
import { CaseRenames, caseReferenceAt, resolveTape } from './caseRenames';
import { registerConfigDiagnostics } from './configDiagnostics';
import { isConfig } from './configFile';
import { TapeHints } from './tapeHints';
import { TapeSummaries } from './tapeSummaries';
import { registerTomlOutline } from './tomlOutline';

const TOML: vscode.DocumentSelector = { pattern: '**/*.toml' };

/** Registers what helps to write TOML cases and `tapedeck.toml`. Other TOML files are ignored. */
export function registerCaseLanguage(cases: CaseStore, tapes: TapeStore, renamed: Set<string>): vscode.Disposable {
  const { languages } = vscode;
  const summaries = new TapeSummaries();
  const hints = new TapeHints(tapes, summaries);
  return vscode.Disposable.from(
    hints,
    languages.registerCompletionItemProvider(TOML, new CaseCompletions(cases, tapes, summaries), '[', '"', '=', ' '),
    languages.registerHoverProvider(TOML, new CaseHovers(summaries)),
    languages.registerInlayHintsProvider(TOML, hints),
    registerTomlOutline(),
    registerConfigDiagnostics(),
    languages.registerDefinitionProvider(TOML, caseDefinitions),
    languages.registerRenameProvider(TOML, new CaseRenames(cases, renamed)),
    languages.registerCodeActionsProvider(TOML, caseQuickFixes, {
      providedCodeActionKinds: [vscode.CodeActionKind.QuickFix],
    }),
  );
}

/** Leads from the name of a tape or another file to the file, and from the name of a tool to its declaration. */
const caseDefinitions: vscode.DefinitionProvider = {
  async provideDefinition(document, position) {
    const reference = await caseReferenceAt(document, position);
    if (reference === undefined) return toolDefinition(document, position);
    if (reference.names === 'case') return undefined;
    const targetUri = resolveTape(document, reference.value);
    const targetRange = new vscode.Range(0, 0, 0, 0);
    return [{ originSelectionRange: spanRange(document, reference.span), targetUri, targetRange }];
  },
};

async function toolDefinition(document: vscode.TextDocument, position: vscode.Position) {
  const text = document.getText();
  if (!looksLikeCase(text)) return undefined;
  const { toolAt } = await loadCore();
  const tool = toolAt(text, document.offsetAt(position));
  if (tool === undefined) return undefined;
  const targetRange = spanRange(document, tool.declared);
  return [{ originSelectionRange: spanRange(document, tool.span), targetUri: document.uri, targetRange }];
}

/** Quick fixes for the problems of a case or of `tapedeck.toml`. It is read again, as the diagnostics may be of an older text. */
const caseQuickFixes: vscode.CodeActionProvider = {
  async provideCodeActions(document, range, { diagnostics }) {
    const text = document.getText();
    const isOfProject = isConfig(document);
    if (!isOfProject && !looksLikeCase(text)) return [];
    const { readCase, readConfig, repairCase } = await loadCore();
    const stem = document.uri.path.replace(/^.*\/|\.toml$/gi, '');
    const here = (isOfProject ? readConfig : readCase)(text).problems.filter(({ span }) =>
      spanRange(document, span).intersection(range),
    );
    return here.flatMap((problem) => {
      const about = diagnostics.filter(({ message }) => message.startsWith(problem.message));
      return repairCase(text, problem, stem).map(({ title, splices }, index) => {
        const action = new vscode.CodeAction(title, vscode.CodeActionKind.QuickFix);
        action.edit = new vscode.WorkspaceEdit();
        for (const splice of splices) action.edit.replace(document.uri, spanRange(document, splice), splice.text);
        action.diagnostics = about;
        action.isPreferred = index === 0;
        return action;
      });
    });
  },
};
