import * as vscode from 'vscode';
import { CONFIG_FILE } from '../../../core/project/layout';
import { declareLayouts } from '../../../core/tapes/declaredLayouts';
import { LineIndex } from '../../../core/text/source';
import { loadCore } from '../../../reader/loadCore';
import { Debouncer } from '../../base/debounce';
import { toDiagnostic } from '../../base/diagnostics';
import { DisposableStore } from '../../base/disposable';
import { findFiles, watchFiles } from '../../stores/files/workspaceFiles';
import { isConfig, isConfigPath } from './configFile';

const SETTLE_MS = 150;
const CONFIG_GLOB = `**/${CONFIG_FILE}`;

/** Shows the problems of `tapedeck.toml` in the Problems view and in the text. */
export function registerConfigDiagnostics(): vscode.Disposable {
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
