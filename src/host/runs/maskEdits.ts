import * as vscode from 'vscode';
import { maskedThings } from '../../core/match/maskWords';
import { CONFIG_FILE } from '../../core/project/layout';
import type { Splice } from '../../core/text/splice';
import { loadCore } from '../../reader/loadCore';
import { fileExists } from '../base/files';
import { HumanError } from '../base/humanError';
import type { CaseEntry } from '../stores/caseEntry';

/** A case with the masks under which its last replay would have matched. */
export interface MaskedCase {
  readonly entry: CaseEntry;
  readonly masks: readonly string[];
}

/** A file with the masks that are added to it. */
interface MaskedFile {
  readonly uri: vscode.Uri;
  readonly masks: readonly string[];
  /** `tapedeck.toml`, whose masks hold for all cases of its folder. */
  readonly isProject: boolean;
}

export interface WrittenMasks {
  /** Where the first of them is. */
  readonly place: vscode.Location;
  /** Restores the files that nobody has changed since. */
  undo(): Promise<void>;
}

/**
 * Adds masks to the cases, and for those that are not written in TOML to the project, as one edit that can be undone. With
 * `preview`, VS Code first shows what is changed; the result is undefined where the user discards it.
 */
export async function writeMasks(
  cases: readonly MaskedCase[],
  { preview }: { readonly preview: boolean },
): Promise<WrittenMasks | undefined> {
  const edit = new vscode.WorkspaceEdit();
  const places: vscode.Location[] = [];
  for (const file of maskedFiles(cases)) {
    const place = await addTo(edit, file, preview);
    if (place !== undefined) places.push(place);
  }
  const [place] = places;
  if (place === undefined)
    throw new HumanError(
      'These masks are already there, or the files have errors. Fix any errors shown in the Problems view first.',
    );
  const before = await Promise.all(places.map(({ uri }) => textOf(uri)));
  if (!(await vscode.workspace.applyEdit(edit, { isRefactoring: preview }))) return undefined;
  const files = places.map(({ uri }) => uri);
  await save(files);
  const after = await Promise.all(files.map(textOf));
  return { place, undo: () => restore(files.map((uri, at) => ({ uri, before: before[at], after: after[at] }))) };
}

/** Each file once, in the order of its first case. */
function maskedFiles(cases: readonly MaskedCase[]): readonly MaskedFile[] {
  const files = new Map<string, MaskedFile>();
  for (const { entry, masks } of cases) {
    const isProject = entry.kind.id !== 'toml';
    const uri = isProject ? vscode.Uri.joinPath(entry.folder.uri, CONFIG_FILE) : entry.file;
    const known = files.get(uri.toString());
    files.set(uri.toString(), { uri, isProject, masks: [...new Set([...(known?.masks ?? []), ...masks])] });
  }
  return [...files.values()];
}

async function addTo(
  edit: vscode.WorkspaceEdit,
  { uri, masks, isProject }: MaskedFile,
  needsConfirmation: boolean,
): Promise<vscode.Location | undefined> {
  const { addMasks, addProjectMasks } = await loadCore();
  const metadata = { needsConfirmation, label: `Mask ${maskedThings(masks)}` };
  if (!(await fileExists(uri))) {
    const text = addProjectMasks('', masks)?.text.trimStart() ?? '';
    edit.createFile(uri, { contents: new TextEncoder().encode(text) }, metadata);
    return new vscode.Location(uri, new vscode.Position(0, 0));
  }
  const document = await vscode.workspace.openTextDocument(uri);
  const splice = (isProject ? addProjectMasks : addMasks)(document.getText(), masks);
  if (splice === undefined) return undefined;
  const range = rangeOf(document, splice);
  edit.replace(uri, range, splice.text, metadata);
  const blank = splice.text.length - splice.text.trimStart().length;
  const line = range.start.line + splice.text.slice(0, blank).split('\n').length - 1;
  return new vscode.Location(uri, new vscode.Position(line, 0));
}

function rangeOf(document: vscode.TextDocument, { start, end }: Splice): vscode.Range {
  return new vscode.Range(document.positionAt(start), document.positionAt(end));
}

interface ChangedFile {
  readonly uri: vscode.Uri;
  /** Undefined for a file that was created. */
  readonly before: string | undefined;
  readonly after: string | undefined;
}

async function restore(files: readonly ChangedFile[]): Promise<void> {
  const edit = new vscode.WorkspaceEdit();
  for (const { uri, before, after } of files) {
    if (after === undefined || (await textOf(uri)) !== after) continue;
    if (before === undefined) edit.deleteFile(uri);
    else edit.replace(uri, new vscode.Range(0, 0, after.split('\n').length, 0), before);
  }
  await vscode.workspace.applyEdit(edit);
  await save(files.map(({ uri }) => uri));
}

/** Undefined where there is no file. */
async function textOf(uri: vscode.Uri): Promise<string | undefined> {
  return (await fileExists(uri)) ? (await vscode.workspace.openTextDocument(uri)).getText() : undefined;
}

async function save(files: readonly vscode.Uri[]): Promise<void> {
  const written = new Set(files.map((uri) => uri.toString()));
  const dirty = vscode.workspace.textDocuments.filter(({ isDirty, uri }) => isDirty && written.has(uri.toString()));
  await Promise.all(dirty.map((document) => document.save()));
}
