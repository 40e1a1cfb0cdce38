import * as vscode from 'vscode';
import type { CaseReference } from '../../../core/cases/toml/languageFeatures';
import { looksLikeCase } from '../../../core/cases/toml/looksLikeCase';
import { baselinePath, relativePath } from '../../../core/project/layout';
import { t } from '../../../core/text/l10n';
import { loadCore } from '../../../reader/loadCore';
import { fileExists } from '../../base/files';
import { spanRange } from '../../base/ranges';
import type { CaseStore } from '../../stores/cases/caseStore';

/** Renames a tape, in its file and in all cases; or a case, also in its tapes and its baseline. */
export class CaseRenames implements vscode.RenameProvider {
  /** `renamed` gets the tapes whose references an edit has with their new name: nothing else has to change with them. */
  constructor(
    private readonly cases: CaseStore,
    private readonly renamed: Set<string>,
  ) {}

  async prepareRename(document: vscode.TextDocument, position: vscode.Position) {
    const reference = await caseReferenceAt(document, position);
    if (reference === undefined || reference.names === 'file')
      throw new Error(t('Only the name of a case or a tape can be renamed. Place the cursor on one.'));
    return { range: spanRange(document, reference.span), placeholder: reference.value };
  }

  async provideRenameEdits(document: vscode.TextDocument, position: vscode.Position, newName: string) {
    const reference = await caseReferenceAt(document, position);
    const name = newName.trim().replace(/^(["'])(.*)\1$/, '$2');
    if (reference === undefined || reference.names === 'file' || name === '') return undefined;
    if (reference.names === 'tape')
      return this.#renameTape(resolveTape(document, reference.value), resolveTape(document, name));
    return this.#renameCase(document, reference.value, name);
  }

  async #renameTape(from: vscode.Uri, to: vscode.Uri): Promise<vscode.WorkspaceEdit> {
    const { caseReferences, tomlString } = await loadCore();
    const edit = new vscode.WorkspaceEdit();
    if (await fileExists(to))
      throw new Error(t('{0} already exists. Choose another name.', vscode.workspace.asRelativePath(to)));
    if (await fileExists(from)) {
      edit.renameFile(from, to);
      this.renamed.add(from.toString());
    }
    for (const document of await this.#documents()) {
      for (const { names, value, span } of caseReferences(document.getText())) {
        if (names !== 'tape' || resolveTape(document, value).toString() !== from.toString()) continue;
        const path = relativePath(vscode.Uri.joinPath(document.uri, '..').path, to.path);
        edit.replace(document.uri, spanRange(document, span), tomlString(path));
      }
    }
    return edit;
  }

  async #renameCase(document: vscode.TextDocument, from: string, to: string): Promise<vscode.WorkspaceEdit> {
    const { caseReferences, tomlString } = await loadCore();
    const edit = new vscode.WorkspaceEdit();
    const references = caseReferences(document.getText());
    for (const { names, span } of references) {
      if (names === 'case') edit.replace(document.uri, spanRange(document, span), tomlString(to));
    }
    const tapes = references.flatMap(({ names, value }) => (names === 'tape' ? [resolveTape(document, value)] : []));
    const baseline = document.uri.with({ path: baselinePath(document.uri.path) });
    for (const uri of [...tapes, baseline]) await renameCaseInJson(edit, uri, from, to);
    return edit;
  }

  /** The documents of all TOML cases in the workspace. */
  async #documents(): Promise<readonly vscode.TextDocument[]> {
    await this.cases.load();
    const files = this.cases.all().filter(({ kind }) => kind.id === 'toml');
    return Promise.all(files.map(({ file }) => vscode.workspace.openTextDocument(file)));
  }
}

/** Renames the case in one of MoFA's tapes or artifacts, which contain its name. */
async function renameCaseInJson(edit: vscode.WorkspaceEdit, uri: vscode.Uri, from: string, to: string): Promise<void> {
  if (!(await fileExists(uri)) || !uri.path.endsWith('.json')) return;
  const { member, readJson } = await loadCore();
  const document = await vscode.workspace.openTextDocument(uri);
  const name = member(readJson(document.getText()).value, 'case_name');
  if (name?.type === 'string' && name.value === from) edit.replace(uri, spanRange(document, name), JSON.stringify(to));
}

/** The name of a tape, or of the case itself, at a position in a case. */
export async function caseReferenceAt(
  document: vscode.TextDocument,
  position: vscode.Position,
): Promise<CaseReference | undefined> {
  const text = document.getText();
  if (!looksLikeCase(text)) return undefined;
  const { caseReferences } = await loadCore();
  return caseReferences(text).find(({ span }) => spanRange(document, span).contains(position));
}

/** The URI of `path`, which is relative to the case. */
export function resolveTape(document: vscode.TextDocument, path: string): vscode.Uri {
  return vscode.Uri.joinPath(document.uri, '..', path);
}
