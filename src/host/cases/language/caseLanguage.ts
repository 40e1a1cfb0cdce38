import * as vscode from 'vscode';
import { looksLikeCase } from '../../../core/cases/toml/looksLikeCase';
import { loadCore } from '../../../reader/loadCore';
import { caseFileOf } from '../../base/caseUri';
import { toDiagnostic } from '../../base/diagnostics';
import { spanRange } from '../../base/ranges';
import type { CaseEntry } from '../../stores/caseEntry';
import type { CaseStore } from '../../stores/caseStore';
import type { TapeStore } from '../../stores/tapeStore';
import { CaseCompletions, isConfig } from './caseCompletions';
import { CaseRenames, caseReferenceAt, resolveTape } from './caseRenames';

const TOML: vscode.DocumentSelector = { pattern: '**/*.toml' };

/** Registers what helps to write TOML cases and `tapedeck.toml`. Other TOML files are ignored. */
export function registerCaseLanguage(cases: CaseStore, tapes: TapeStore): vscode.Disposable {
  const { languages } = vscode;
  return vscode.Disposable.from(
    languages.registerCompletionItemProvider(TOML, new CaseCompletions(cases, tapes), '[', '"', '=', ' '),
    languages.registerHoverProvider(TOML, caseHovers),
    languages.registerDefinitionProvider(TOML, tapeDefinitions),
    languages.registerRenameProvider(TOML, new CaseRenames(cases)),
    languages.registerCodeActionsProvider(TOML, caseQuickFixes, {
      providedCodeActionKinds: [vscode.CodeActionKind.QuickFix],
    }),
  );
}

/** Describes a key or table of a case or of `tapedeck.toml`. */
export const caseHovers: vscode.HoverProvider = {
  async provideHover(document, position) {
    const text = document.getText();
    const isOfProject = isConfig(document);
    if (!isOfProject && !looksLikeCase(text)) return undefined;
    const { describeConfigKey, describeKey } = await loadCore();
    const found = (isOfProject ? describeConfigKey : describeKey)(text, document.offsetAt(position));
    if (found === undefined) return undefined;
    const words = new vscode.MarkdownString(`\`${found.title}\`\n\n${found.about}`);
    if (found.choices.length > 0)
      words.appendMarkdown(`\n\nOne of ${found.choices.map((choice) => `\`${choice}\``).join(', ')}.`);
    if (found.default !== undefined) words.appendMarkdown(`\n\nDefault: \`${found.default}\``);
    return new vscode.Hover(words, spanRange(document, found.span));
  },
};

/** Leads from the name of a tape to the tape. */
export const tapeDefinitions: vscode.DefinitionProvider = {
  async provideDefinition(document, position) {
    const reference = await caseReferenceAt(document, position);
    if (reference?.names !== 'tape') return undefined;
    const targetUri = resolveTape(document, reference.value);
    const targetRange = new vscode.Range(0, 0, 0, 0);
    return [{ originSelectionRange: spanRange(document, reference.span), targetUri, targetRange }];
  },
};

/** Quick fixes for the problems of a case or of `tapedeck.toml`. It is read again, as the diagnostics may be of an older text. */
export const caseQuickFixes: vscode.CodeActionProvider = {
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

/** Shows the problems of the cases in the Problems view and in the text. */
export function registerCaseDiagnostics(cases: CaseStore): vscode.Disposable {
  const collection = vscode.languages.createDiagnosticCollection('tapedeck.cases');
  const subscription = cases.onDidChange((uris) => {
    const files = new Map(uris.map((uri) => [caseFileOf(uri).toString(), caseFileOf(uri)]));
    for (const file of files.values()) collection.set(file, cases.inFile(file).flatMap(caseDiagnostics));
  });
  return vscode.Disposable.from(collection, subscription);
}

function caseDiagnostics({ problems, range }: CaseEntry): vscode.Diagnostic[] {
  return problems.map((problem) => toDiagnostic(problem, range(problem.span)));
}
