import * as vscode from 'vscode';
import type { CaseCompletion, CaseSurroundings } from '../../../core/cases/toml/languageFeatures';
import { relativePath } from '../../../core/project/layout';
import { loadCore } from '../../../reader/loadCore';
import { spanRange } from '../../base/ranges';
import { tapeUris } from '../../stores/caseEntry';
import type { CaseStore } from '../../stores/caseStore';
import type { TapeStore } from '../../stores/tapeStore';

const KINDS: Record<CaseCompletion['kind'], vscode.CompletionItemKind> = {
  key: vscode.CompletionItemKind.Property,
  table: vscode.CompletionItemKind.Struct,
  value: vscode.CompletionItemKind.Value,
  case: vscode.CompletionItemKind.Snippet,
};

/** Completes keys, tables and values, and offers a whole case in an empty file. */
export class CaseCompletions implements vscode.CompletionItemProvider {
  constructor(
    private readonly cases: CaseStore,
    private readonly tapes: TapeStore,
  ) {}

  async provideCompletionItems(document: vscode.TextDocument, position: vscode.Position) {
    const { completeCase } = await loadCore();
    const offset = document.offsetAt(position);
    const completions = completeCase(document.getText(), offset, this.#surroundings(document.uri));
    return completions.map((completion) => itemOf(document, completion));
  }

  /** The tapes and cases that have been found so far: completion must not wait for a search. */
  #surroundings(uri: vscode.Uri): CaseSurroundings {
    const { path } = uri;
    const folder = path.slice(0, path.lastIndexOf('/'));
    const fromHere = (tape: vscode.Uri): string => relativePath(folder, tape.path);
    const others = this.cases.all().filter(({ file }) => file.path !== path);
    return {
      tapes: this.tapes.uris().map(fromHere),
      takenTapes: others.flatMap(tapeUris).map(fromHere),
      name: path.slice(folder.length + 1).replace(/\.toml$/i, ''),
      isAtRoot: vscode.workspace.getWorkspaceFolder(uri)?.uri.path.replace(/\/$/, '') === folder,
    };
  }
}

function itemOf(document: vscode.TextDocument, { label, kind, insert, about, replaces }: CaseCompletion) {
  const item = new vscode.CompletionItem(label, KINDS[kind]);
  item.insertText = new vscode.SnippetString(insert);
  item.documentation = about;
  item.range = spanRange(document, replaces);
  // A value is offered whatever text it replaces.
  if (kind === 'value') item.filterText = document.getText(item.range) || label;
  return item;
}
