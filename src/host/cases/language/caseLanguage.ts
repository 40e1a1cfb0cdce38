import * as vscode from 'vscode';
import type { CaseSurroundings } from '../../../core/cases/toml/languageFeatures';
import { looksLikeCase } from '../../../core/cases/toml/looksLikeCase';
import { CONFIG_FILE, relativePath } from '../../../core/project/layout';
import { declareLayouts } from '../../../core/tapes/declaredLayouts';
import { t } from '../../../core/text/l10n';
import { LineIndex } from '../../../core/text/source';
import type { TomlCompletion } from '../../../core/toml/schemaLanguage';
import { loadCore } from '../../../reader/loadCore';
import { Debouncer } from '../../base/debounce';
import { toDiagnostic } from '../../base/diagnostics';
import { DisposableStore } from '../../base/disposable';
import { escapeMarkdown } from '../../base/escapeMarkdown';
import { spanRange } from '../../base/ranges';
import { isEnabled, onDidChangeSwitch } from '../../base/settings';
import { tapeUris } from '../../stores/cases/caseEntry';
import type { CaseStore } from '../../stores/cases/caseStore';
import { findFiles, watchFiles } from '../../stores/files/workspaceFiles';
import type { TapeStore } from '../../stores/tapes/tapeStore';
import { CaseRenames, caseReferenceAt, resolveTape } from './caseRenames';
import { isConfig, isConfigPath } from './configFile';
import { tapeHover } from './tapeHover';
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

/** Shows beside the name of a tape what is on it. */
class TapeHints implements vscode.InlayHintsProvider, vscode.Disposable {
  readonly #changed = new vscode.EventEmitter<void>();
  readonly #subscriptions: readonly vscode.Disposable[];
  readonly onDidChangeInlayHints = this.#changed.event;

  constructor(
    tapes: TapeStore,
    private readonly summaries: TapeSummaries,
  ) {
    this.#subscriptions = [
      this.#changed,
      tapes.onDidChange(() => this.#changed.fire()),
      onDidChangeSwitch('inlayHints.enabled', () => this.#changed.fire()),
    ];
  }

  dispose(): void {
    for (const subscription of this.#subscriptions) subscription.dispose();
  }

  async provideInlayHints(document: vscode.TextDocument, range: vscode.Range): Promise<vscode.InlayHint[]> {
    const text = document.getText();
    if (!isEnabled('inlayHints.enabled', document.uri) || !looksLikeCase(text)) return [];
    const { caseReferences } = await loadCore();
    const named = caseReferences(text).filter(
      ({ names, span }) => names === 'tape' && range.contains(document.positionAt(span.end)),
    );
    const hints = await Promise.all(
      named.map(({ value, span }) => this.#hint(resolveTape(document, value), document.positionAt(span.end))),
    );
    return hints.filter((hint) => hint !== undefined);
  }

  async #hint(uri: vscode.Uri, position: vscode.Position): Promise<vscode.InlayHint | undefined> {
    const tape = await this.summaries.get(uri);
    if (tape.state === 'unknown') return undefined;
    const { tapeFactWords } = await loadCore();
    const label = tape.state === 'read' ? tapeFactWords(tape.summary, Date.now()).join(' · ') : t('no recording yet');
    const hint = new vscode.InlayHint(position, label);
    hint.paddingLeft = true;
    hint.tooltip = (await tapeHover(uri, tape))[0];
    return hint;
  }
}

/** Describes keys and tables of cases and of `tapedeck.toml`, and in cases tapes and tools. */
class CaseHovers implements vscode.HoverProvider {
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

const SETTLE_MS = 150;
const CONFIG_GLOB = `**/${CONFIG_FILE}`;

/** Shows the problems of `tapedeck.toml` in the Problems view and in the text. */
function registerConfigDiagnostics(): vscode.Disposable {
  const owned = new DisposableStore();
  const collection = owned.add(vscode.languages.createDiagnosticCollection('tapedeck.config'));
  const settled = owned.add(
    new Debouncer<vscode.Uri>(SETTLE_MS, (uris) => {
      for (const uri of uris) void showProblems(uri, collection);
    }),
  );
  const touch = (uri: vscode.Uri): void => {
    if (isConfig({ uri })) settled.add(uri.toString(), uri);
  };
  owned.add(vscode.workspace.onDidOpenTextDocument(({ uri }) => touch(uri)));
  owned.add(vscode.workspace.onDidChangeTextDocument(({ document }) => touch(document.uri)));
  for (const { uri } of vscode.workspace.textDocuments) touch(uri);
  owned.add(watchFiles([CONFIG_GLOB], touch));
  void findFiles(CONFIG_GLOB, isConfigPath).then(({ files }) => files.forEach(touch));
  return owned;
}

async function showProblems(uri: vscode.Uri, collection: vscode.DiagnosticCollection): Promise<void> {
  const text = await readText(uri);
  if (text === undefined) return collection.delete(uri);
  const { readConfig } = await loadCore();
  const lines = new LineIndex(text);
  const { value, problems } = readConfig(text);
  const isNew = declareLayouts(vscode.Uri.joinPath(uri, '..').path, value?.layouts ?? []);
  // What the files are that these name is another question now.
  if (isNew) void vscode.commands.executeCommand('tapedeck.refresh');
  const place = (offset: number): vscode.Position => {
    const { line, column } = lines.position(offset);
    return new vscode.Position(line - 1, column - 1);
  };
  collection.set(
    uri,
    problems.map((problem) =>
      toDiagnostic(problem, new vscode.Range(place(problem.span.start), place(problem.span.end))),
    ),
  );
}

/** The text, from the editor if the file is open there; undefined if the file is gone. */
async function readText(uri: vscode.Uri): Promise<string | undefined> {
  const open = vscode.workspace.textDocuments.find((document) => document.uri.toString() === uri.toString());
  if (open !== undefined) return open.getText();
  try {
    return new TextDecoder().decode(await vscode.workspace.fs.readFile(uri));
  } catch (error) {
    if (error instanceof vscode.FileSystemError) return undefined;
    throw error;
  }
}

const KINDS: Record<TomlCompletion['kind'], vscode.CompletionItemKind> = {
  key: vscode.CompletionItemKind.Property,
  table: vscode.CompletionItemKind.Struct,
  value: vscode.CompletionItemKind.Value,
  case: vscode.CompletionItemKind.Snippet,
};

/** Completes keys, tables and values of cases and of `tapedeck.toml`, and offers a whole case in an empty file. */
class CaseCompletions implements vscode.CompletionItemProvider {
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
