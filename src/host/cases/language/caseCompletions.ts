import * as vscode from 'vscode';
import type { CaseSurroundings } from '../../../core/cases/toml/languageFeatures';
import { relativePath } from '../../../core/project/layout';
import type { TomlCompletion } from '../../../core/toml/schemaLanguage';
import { loadCore } from '../../../reader/loadCore';
import { spanRange } from '../../base/ranges';
import { tapeUris } from '../../stores/cases/caseEntry';
import type { CaseStore } from '../../stores/cases/caseStore';
import type { TapeStore } from '../../stores/tapes/tapeStore';
import { resolveTape } from './caseRenames';
import { isConfig } from './configFile';
import { tapeHover } from './tapeHover';
import type { TapeSummaries } from './tapeSummaries';

const KINDS: Record<TomlCompletion['kind'], vscode.CompletionItemKind> = {
  key: vscode.CompletionItemKind.Property,
  table: vscode.CompletionItemKind.Struct,
  value: vscode.CompletionItemKind.Value,
  case: vscode.CompletionItemKind.Snippet,
};

/** Completes keys, tables and values of cases and of `tapedeck.toml`, and offers a whole case in an empty file. */
export class CaseCompletions implements vscode.CompletionItemProvider {
  constructor(
    private readonly cases: CaseStore,
    private readonly tapes: TapeStore,
    private readonly summaries: TapeSummaries,
  ) {}

  async provideCompletionItems(document: vscode.TextDocument, position: vscode.Position) {
    const { completeCase, completeConfig, tomlString } = await loadCore();
    const [text, offset] = [document.getText(), document.offsetAt(position)];
    if (isConfig(document)) return itemsOf(document, position, completeConfig(text, offset));
    const around = this.#surroundings(document.uri);
    const items = itemsOf(document, position, completeCase(text, offset, around));
    const tapes = new Map(around.tapes.map((path) => [tomlString(path), path]));
    for (const item of items) {
      const path = typeof item.label === 'string' ? tapes.get(item.label) : undefined;
      if (path !== undefined) item.tape = resolveTape(document, path);
    }
    return items;
  }

  async resolveCompletionItem(item: CaseItem): Promise<CaseItem> {
    if (item.tape === undefined) return item;
    const [words] = await tapeHover(item.tape, await this.summaries.get(item.tape));
    if (words !== undefined) item.documentation = words;
    return item;
  }

  /**
   * The tapes and cases that have been found so far: completion does not wait for a search, which begins with the first
   * completion if it has not begun before.
   */
  #surroundings(uri: vscode.Uri): CaseSurroundings {
    void this.cases.load();
    void this.tapes.load();
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

interface CaseItem extends vscode.CompletionItem {
  /** The tape that it names. */
  tape?: vscode.Uri;
}

function itemsOf(
  document: vscode.TextDocument,
  position: vscode.Position,
  completions: readonly TomlCompletion[],
): CaseItem[] {
  const written = completions[0] && document.getText(spanRange(document, completions[0].replaces));
  const typed =
    completions[0] && document.getText(spanRange(document, completions[0].replaces).with({ end: position }));
  // Values are offered in place of one that is complete, or that none of them begins like.
  const isReplacing =
    completions.some(({ label }) => label === written) || !completions.some(({ label }) => mayBecome(typed, label));
  return completions.map((completion, index) => itemOf(document, completion, index, isReplacing));
}

/** Whether `typed` has only letters of `label`, in their order. */
function mayBecome(typed = '', label: string): boolean {
  let at = 0;
  for (const char of label.toLowerCase()) if (char === typed[at]?.toLowerCase()) at += 1;
  return at === typed.length;
}

function itemOf(document: vscode.TextDocument, completion: TomlCompletion, index: number, isReplacing: boolean) {
  const { label, kind, insert, about, detail, replaces } = completion;
  const item = new vscode.CompletionItem(detail === undefined ? label : { label, description: detail }, KINDS[kind]);
  item.insertText = new vscode.SnippetString(insert);
  item.documentation = new vscode.MarkdownString(about);
  item.range = spanRange(document, replaces);
  item.sortText = String(index).padStart(5, '0');
  if (kind === 'value' && isReplacing) item.filterText = document.getText(item.range) || label;
  return item;
}
