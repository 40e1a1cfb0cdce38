import * as vscode from 'vscode';
import type { FileFingerprint, RunRecord, SourcePlace } from '../../../core/model/runRecord';
import { MAX_SOURCE_FILES } from '../../../core/runs/caseInputs';
import { findIn } from './workspaceFiles';

/** A larger file is compared by its size and its time. */
const HASHED_BYTES = 64 * 2 ** 20;
/** A file that was written shortly before it was read may be written again within the resolution of its time. */
const RACY_MS = 2000;

interface Hashed extends FileFingerprint {
  readonly readMs: number;
}

/** The current content of the files that runs depend on: from the editor if it has unsaved changes, otherwise from disk. */
export class InputFiles {
  readonly #hashed = new Map<string, Hashed>();

  /** The SHA-256 of each input of a run, and of each file that was added to its agent's source, by path; null for a file that is gone. */
  async contents(root: vscode.Uri, { inputs, sources, finishedAtMs }: RunRecord): Promise<Map<string, string | null>> {
    const recorded = new Map(inputs.map(({ path, content }) => [path, content]));
    const added = sources.length === 0 ? [] : await sourceFiles(root, sources);
    const paths = [...new Set([...recorded.keys(), ...(added.length >= MAX_SOURCE_FILES ? [] : added)])];
    const contents = paths.map(async (path) => {
      const known = recorded.get(path);
      const uri = vscode.Uri.joinPath(root, path);
      return [path, await this.#content(uri, known && { ...known, readMs: finishedAtMs })] as const;
    });
    return new Map(await Promise.all(contents));
  }

  async #content(uri: vscode.Uri, recorded: Hashed | undefined): Promise<string | null> {
    const key = uri.toString();
    const edited = vscode.workspace.textDocuments.find(
      (document) => document.isDirty && document.uri.toString() === key,
    );
    if (edited !== undefined) return sha256(new TextEncoder().encode(edited.getText()));
    try {
      const { size, mtime } = await vscode.workspace.fs.stat(uri);
      const known = [recorded, this.#hashed.get(key)].find((hashed) => isSame(hashed, size, mtime));
      if (known !== undefined) return known.sha256;
      if (size > HASHED_BYTES) return `${size} bytes of ${mtime}`;
      const hash = await sha256(await vscode.workspace.fs.readFile(uri));
      this.#hashed.set(key, { size, modifiedMs: mtime, sha256: hash, readMs: Date.now() });
      return hash;
    } catch (error) {
      if (error instanceof vscode.FileSystemError) return null;
      throw error;
    }
  }
}

function isSame(hashed: Hashed | undefined, size: number, mtime: number): boolean {
  return hashed?.size === size && hashed.modifiedMs === Math.floor(mtime) && hashed.readMs - mtime > RACY_MS;
}

/** The files of an agent's source, from the project's root. */
async function sourceFiles(root: vscode.Uri, places: readonly SourcePlace[]): Promise<readonly string[]> {
  const found = await Promise.all(places.map((place) => filesOf(root, place)));
  return [...new Set(found.flat())].sort();
}

async function filesOf(root: vscode.Uri, { path, extension }: SourcePlace): Promise<readonly string[]> {
  const place = vscode.Uri.joinPath(root, path);
  try {
    const { type } = await vscode.workspace.fs.stat(place);
    if (type !== vscode.FileType.Directory) return extension === undefined ? [path] : [];
  } catch (error) {
    if (error instanceof vscode.FileSystemError) return [];
    throw error;
  }
  const isWanted = (file: string): boolean => extension === undefined || file.endsWith(`.${extension}`);
  const { files } = await findIn(place, extension === undefined ? '**/*' : `**/*.${extension}`, isWanted);
  const prefix = `${root.path}/`;
  return files.flatMap((file) => (file.path.startsWith(prefix) ? [file.path.slice(prefix.length)] : []));
}

async function sha256(bytes: Uint8Array): Promise<string> {
  const digest = await globalThis.crypto.subtle.digest('SHA-256', new Uint8Array(bytes));
  return [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}
