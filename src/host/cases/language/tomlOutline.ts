import * as vscode from 'vscode';
import { looksLikeCase } from '../../../core/cases/toml/looksLikeCase';
import type { OutlineItem } from '../../../core/toml/outline';
import { loadCore } from '../../../reader/loadCore';
import { spanRange } from '../../base/ranges';
import { isConfig } from './configFile';

const EXTENSION = 'tapedeck.tapedeck';
const TOML: vscode.DocumentSelector = { pattern: '**/*.toml' };

/** Outline and folding of cases and of `tapedeck.toml`, unless an extension for TOML is there: it has its own. */
export function registerTomlOutline(): vscode.Disposable {
  return vscode.Disposable.from(
    vscode.languages.registerDocumentSymbolProvider(TOML, outline, { label: 'Tapedeck' }),
    vscode.languages.registerFoldingRangeProvider(TOML, folding),
  );
}

const outline: vscode.DocumentSymbolProvider = {
  async provideDocumentSymbols(document) {
    if (!isOurs(document)) return undefined;
    const { outlineOf } = await loadCore();
    return outlineOf(document.getText()).map((item) => symbolOf(document, item));
  },
};

const folding: vscode.FoldingRangeProvider = {
  async provideFoldingRanges(document) {
    if (!isOurs(document)) return undefined;
    const { foldingRanges } = await loadCore();
    return foldingRanges(document.getText()).map((span) => {
      const { start, end } = spanRange(document, span);
      return new vscode.FoldingRange(start.line, end.line);
    });
  },
};

function symbolOf(document: vscode.TextDocument, { name, detail, kind, span, nameSpan, children }: OutlineItem) {
  const symbol = new vscode.DocumentSymbol(
    name === '' ? '[]' : name,
    detail,
    kind === 'table' ? vscode.SymbolKind.Struct : vscode.SymbolKind.Property,
    spanRange(document, span),
    spanRange(document, nameSpan),
  );
  symbol.children = children.map((child) => symbolOf(document, child));
  return symbol;
}

function isOurs(document: vscode.TextDocument): boolean {
  return (isConfig(document) || looksLikeCase(document.getText())) && !hasOtherToml();
}

/** Whether another extension is there for TOML. */
function hasOtherToml(): boolean {
  return vscode.extensions.all.some(({ id, packageJSON }) => id !== EXTENSION && contributesToml(packageJSON));
}

function contributesToml(manifest: unknown): boolean {
  const languages = memberOf(memberOf(manifest, 'contributes'), 'languages');
  return Array.isArray(languages) && languages.some((language) => memberOf(language, 'id') === 'toml');
}

function memberOf(value: unknown, key: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[key] : undefined;
}
