import * as vscode from 'vscode';
import type { MaskPreview } from '../../../contracts/pages/runSummary';
import { CONFIG_FILE } from '../../../core/project/layout';
import { t } from '../../../core/text/l10n';
import { loadCore } from '../../../reader/loadCore';
import { fileExists } from '../../base/files';
import { HumanError } from '../../base/humanError';
import type { CaseEntry } from '../../stores/cases/caseEntry';

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

interface WrittenMasks {
  /** Where the first of them is. */
  readonly place: vscode.Location;
  /** Restores the files that nobody has changed since. */
  undo(): Promise<void>;
}

/**
 * Adds masks to the cases, and for those that are not written in TOML to the project, as one edit that can be undone. Undefined
 * where VS Code does not apply it.
 */
export async function writeMasks(cases: readonly MaskedCase[]): Promise<WrittenMasks | undefined> {
  const changes = await maskChanges(cases);
  const [first] = changes;
  if (first === undefined)
    throw new HumanError(
      t('These masks are already there, or the files have errors. Fix any errors shown in the Problems view first.'),
    );
  const edit = new vscode.WorkspaceEdit();
  for (const { uri, before, range, text } of changes) {
    if (before === undefined) edit.createFile(uri, { contents: new TextEncoder().encode(text) });
    else edit.replace(uri, range, text);
  }
  if (!(await vscode.workspace.applyEdit(edit, { isRefactoring: changes.length > 1 }))) return undefined;
  await save(changes.map(({ uri }) => uri));
  const changed = await Promise.all(
    changes.map(async ({ uri, before }) => ({ uri, before, after: await textOf(uri) })),
  );
  return { place: placeOf(first), undo: () => restore(changed) };
}

/** What `writeMasks` would write, file by file. */
export async function previewMasks(cases: readonly MaskedCase[]): Promise<readonly MaskPreview[]> {
  return (await maskChanges(cases)).map(({ uri, before = '', range, text }) => {
    const lines = before.split('\n');
    const old = lines.slice(range.start.line, range.end.line + 1);
    const head = (old[0] ?? '').slice(0, range.start.character);
    const tail = (old.at(-1) ?? '').slice(range.end.character);
    const now = `${head}${text}${tail}`.split('\n');
    return {
      path: vscode.workspace.asRelativePath(uri, false),
      removed: old.filter((line) => !now.includes(line)),
      added: now.filter((line) => line.trim() !== '' && !old.includes(line)),
    };
  });
}

/** The change of one file. */
interface MaskChange {
  readonly uri: vscode.Uri;
  /** Undefined if there is no file yet: then `text` is the whole of it. */
  readonly before: string | undefined;
  readonly range: vscode.Range;
  readonly text: string;
}

/** Without the files that have the masks, or errors. */
async function maskChanges(cases: readonly MaskedCase[]): Promise<readonly MaskChange[]> {
  const changes = await Promise.all(maskedFiles(cases).map(maskChange));
  return changes.filter((change) => change !== undefined);
}

async function maskChange({ uri, masks, isProject }: MaskedFile): Promise<MaskChange | undefined> {
  const { addMasks, addProjectMasks } = await loadCore();
  const before = await textOf(uri);
  const splice = (isProject ? addProjectMasks : addMasks)(before ?? '', masks);
  if (splice === undefined) return undefined;
  if (before === undefined) return { uri, before, range: new vscode.Range(0, 0, 0, 0), text: splice.text.trimStart() };
  const document = await vscode.workspace.openTextDocument(uri);
  const range = new vscode.Range(document.positionAt(splice.start), document.positionAt(splice.end));
  return { uri, before, range, text: splice.text };
}

/** The line of the masks: what is inserted may begin with line breaks. */
function placeOf({ uri, range, text }: MaskChange): vscode.Location {
  const breaks = text.slice(0, text.length - text.trimStart().length).split('\n').length - 1;
  return new vscode.Location(uri, new vscode.Position(range.start.line + breaks, 0));
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

/** Undefined if there is no file. */
async function textOf(uri: vscode.Uri): Promise<string | undefined> {
  return (await fileExists(uri)) ? (await vscode.workspace.openTextDocument(uri)).getText() : undefined;
}

async function save(files: readonly vscode.Uri[]): Promise<void> {
  const written = new Set(files.map((uri) => uri.toString()));
  const dirty = vscode.workspace.textDocuments.filter(({ isDirty, uri }) => isDirty && written.has(uri.toString()));
  await Promise.all(dirty.map((document) => document.save()));
}
