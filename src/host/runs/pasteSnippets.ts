import * as vscode from 'vscode';
import { CONFIG_FILE } from '../../core/project/layout';
import type { StabilityFound } from '../../protocol/engine';
import { isThere } from '../base/isThere';
import { tapeReading } from '../base/tapeReading';
import type { CaseEntry } from '../stores/caseEntry';

/** Writes TOML that was proposed into the project's and the case's file, and shows them. */
export async function pasteSnippets(entry: CaseEntry, snippets: StabilityFound['snippets']): Promise<void> {
  const { pasteSnippet } = await tapeReading();
  const files = { project: vscode.Uri.joinPath(entry.folder.uri, CONFIG_FILE), case: entry.file };
  for (const file of ['project', 'case'] as const) {
    const own = snippets.filter((snippet) => snippet.file === file);
    if (own.length === 0) continue;
    const edit = new vscode.WorkspaceEdit();
    if (!(await isThere(files[file]))) edit.createFile(files[file]);
    const text = await textOf(files[file]);
    const whole = new vscode.Range(0, 0, text.split('\n').length, 0);
    edit.replace(files[file], whole, own.reduce(pasteSnippet, text));
    await vscode.workspace.applyEdit(edit);
    await vscode.window.showTextDocument(files[file], { preview: false });
  }
}

async function textOf(uri: vscode.Uri): Promise<string> {
  return (await isThere(uri)) ? (await vscode.workspace.openTextDocument(uri)).getText() : '';
}
