import * as vscode from 'vscode';
import { CONFIG_FILE } from '../../core/project/layout';
import { counted } from '../../core/text/counts';
import { t } from '../../core/text/l10n';
import { loadCore } from '../../reader/loadCore';
import { HumanError } from '../base/humanError';

/** A larger file is no example. */
const MAX_BYTES = 20_000_000;

/**
 * Proposes a layout for a file whose format is not known, and adds it to the `tapedeck.toml` of its folder, which is shown and not saved:
 * the user corrects it there.
 */
export async function describeFormat(uri: vscode.Uri | undefined): Promise<void> {
  const file = uri ?? vscode.window.activeTextEditor?.document.uri;
  const folder = file && vscode.workspace.getWorkspaceFolder(file);
  if (file === undefined || folder === undefined)
    throw new HumanError(t('Open a recording in a folder of the workspace first.'));
  const { formatOf, layoutToml, proposeLayout, decodeTapeFile } = await loadCore();
  const { size } = await vscode.workspace.fs.stat(file);
  if (size > MAX_BYTES)
    throw new HumanError(t('{0} is too large to find its layout. Use a smaller one.', nameOf(file)));
  const tape = decodeTapeFile(file.path, await vscode.workspace.fs.readFile(file));
  const inFolder = file.path.slice(folder.uri.path.length + 1);
  const place = inFolder.slice(0, inFolder.lastIndexOf('/') + 1);
  const name = place.split('/').at(-2) ?? folder.name;
  const extension = /\.\w+$/.exec(inFolder)?.[0] ?? '';
  const proposed = proposeLayout(name, [`${place}*${extension}`], tape.text);
  if (proposed === undefined)
    throw new HumanError(t('{0} has no request or response of a model that Tapedeck knows.', nameOf(file)));
  await showInConfig(folder.uri, layoutToml(proposed.layout));
  const { interactions } = formatOf(proposed.layout).read(tape);
  const read = counted(interactions.length, '{0} interaction', '{0} interactions');
  const missing = proposed.missing.length === 0 ? '' : t('Not found: {0}.', proposed.missing.join(', '));
  void vscode.window.showInformationMessage(
    [t('With this layout, {0} has {1}. Check it, and save the file.', nameOf(file), read), missing].join(' ').trim(),
  );
}

/** Adds a table to the configuration as an edit that can be undone. */
async function showInConfig(folder: vscode.Uri, toml: string): Promise<void> {
  const config = vscode.Uri.joinPath(folder, CONFIG_FILE);
  const edit = new vscode.WorkspaceEdit();
  edit.createFile(config, { ignoreIfExists: true });
  await vscode.workspace.applyEdit(edit);
  const document = await vscode.workspace.openTextDocument(config);
  const end = document.lineAt(document.lineCount - 1).range.end;
  const gap = document.getText() === '' ? '' : end.character === 0 ? '\n' : '\n\n';
  const added = new vscode.WorkspaceEdit();
  added.insert(config, end, `${gap}${toml}\n`);
  await vscode.workspace.applyEdit(added);
  const editor = await vscode.window.showTextDocument(document);
  const start = end.translate(gap.length, 0).with({ character: 0 });
  editor.selection = new vscode.Selection(start, start);
  editor.revealRange(new vscode.Range(start, start), vscode.TextEditorRevealType.InCenterIfOutsideViewport);
}

function nameOf({ path }: vscode.Uri): string {
  return path.slice(path.lastIndexOf('/') + 1);
}
