import * as vscode from 'vscode';
import { baselinePath, relativePath } from '../../../core/project/layout';
import { t } from '../../../core/text/l10n';
import { loadCore } from '../../../reader/loadCore';
import { fileExists } from '../../base/files';
import { spanRange } from '../../base/ranges';
import type { CaseStore } from '../../stores/cases/caseStore';
import { resolveTape } from './caseRenames';

type Moves = vscode.FileWillRenameEvent['files'];

/**
 * What else has to change where files or folders are moved: the paths in cases, of tapes and other files, and the places of baselines.
 * VS Code shows it before it is done. Undefined where nothing refers to them.
 */
export async function editsForMoves(cases: CaseStore, moves: Moves): Promise<vscode.WorkspaceEdit | undefined> {
  await cases.load();
  const entries = cases.all().filter(({ kind }) => kind.id === 'toml');
  const files = new Map(entries.map(({ file }) => [file.toString(), file]));
  const edit = new vscode.WorkspaceEdit();
  const baselines: vscode.Uri[] = [];
  for (const file of files.values()) {
    await moveReferences(edit, file, moves);
    if (await moveBaseline(edit, file, moves)) baselines.push(file);
  }
  // Its own size leaves out the files that it moves.
  if (edit.size + baselines.length === 0) return undefined;
  saveAfterwards(edit, moves);
  return edit;
}

/** VS Code leaves what it has edited unsaved. Documents that somebody is editing are left to them. */
function saveAfterwards(edit: vscode.WorkspaceEdit, moves: Moves): void {
  const edited = new Set(edit.entries().map(([uri]) => uri.toString()));
  const clean = vscode.workspace.textDocuments.filter(({ uri, isDirty }) => !isDirty && edited.has(uri.toString()));
  const wanted = new Set(clean.map(({ uri }) => movedTo(uri, moves).toString()));
  const subscription = vscode.workspace.onDidRenameFiles(async () => {
    subscription.dispose();
    for (const document of vscode.workspace.textDocuments)
      if (wanted.has(document.uri.toString())) await document.save();
  });
}

async function moveReferences(edit: vscode.WorkspaceEdit, file: vscode.Uri, moves: Moves): Promise<void> {
  const { caseReferences, tomlString } = await loadCore();
  const document = await vscode.workspace.openTextDocument(file);
  const folder = vscode.Uri.joinPath(movedTo(file, moves), '..');
  for (const { names, value, span } of caseReferences(document.getText())) {
    if (names === 'case') continue;
    const target = movedTo(resolveTape(document, value), moves);
    if (vscode.Uri.joinPath(folder, value).toString() === target.toString()) continue;
    const path = relativePath(folder.path, target.path);
    const label = t('Update paths in cases');
    edit.replace(file, spanRange(document, span), tomlString(path), { needsConfirmation: true, label });
  }
}

/** A baseline lies beside its case, and has its name. False where there is none to move. */
async function moveBaseline(edit: vscode.WorkspaceEdit, file: vscode.Uri, moves: Moves): Promise<boolean> {
  const to = movedTo(file, moves);
  if (to === file) return false;
  const baseline = file.with({ path: baselinePath(file.path) });
  const isMoved = movedTo(baseline, moves) !== baseline;
  if (isMoved || !(await fileExists(baseline))) return false;
  const label = t('Move the baseline with its case');
  edit.renameFile(baseline, to.with({ path: baselinePath(to.path) }), {}, { needsConfirmation: true, label });
  return true;
}

/** Where a file will be, which may be below a folder that moves; itself where it stays. */
function movedTo(uri: vscode.Uri, moves: Moves): vscode.Uri {
  for (const { oldUri, newUri } of moves) {
    if (uri.toString() === oldUri.toString()) return newUri;
    if (uri.scheme === oldUri.scheme && uri.path.startsWith(`${oldUri.path}/`))
      return newUri.with({ path: `${newUri.path}${uri.path.slice(oldUri.path.length)}` });
  }
  return uri;
}
