import * as vscode from 'vscode';
import type { StabilityReport } from '../../../contracts/engine/stability';
import { CONFIG_FILE } from '../../../core/project/layout';
import type { Snippet } from '../../../core/stability/snippets';
import { loadCore } from '../../../reader/loadCore';
import { fileExists } from '../../base/files';
import type { CaseEntry } from '../../stores/cases/caseEntry';

/** Adds the proposed TOML to the files of the project and the case, and shows them. The rules go to one of both. */
export async function addRules(
  entry: CaseEntry,
  report: Pick<StabilityReport, 'snippets' | 'everywhere'>,
  place: Snippet['file'],
): Promise<void> {
  const snippets = chosen(report, place);
  const { pasteSnippet } = await loadCore();
  const files = { project: vscode.Uri.joinPath(entry.folder.uri, CONFIG_FILE), case: entry.file };
  for (const file of ['project', 'case'] as const) {
    const own = snippets.filter((snippet) => snippet.file === file);
    if (own.length === 0) continue;
    const edit = new vscode.WorkspaceEdit();
    if (!(await fileExists(files[file]))) edit.createFile(files[file]);
    const text = await textOf(files[file]);
    const whole = new vscode.Range(0, 0, text.split('\n').length, 0);
    edit.replace(files[file], whole, own.reduce(pasteSnippet, text));
    await vscode.workspace.applyEdit(edit);
    await vscode.window.showTextDocument(files[file], { preview: false });
  }
}

function chosen(
  { snippets, everywhere }: Pick<StabilityReport, 'snippets' | 'everywhere'>,
  place: Snippet['file'],
): readonly Snippet[] {
  if (place === 'case' || everywhere === undefined) return snippets;
  return [everywhere.snippet, ...snippets.filter(({ table }) => table !== everywhere.snippet.table)];
}

async function textOf(uri: vscode.Uri): Promise<string> {
  return (await fileExists(uri)) ? (await vscode.workspace.openTextDocument(uri)).getText() : '';
}
