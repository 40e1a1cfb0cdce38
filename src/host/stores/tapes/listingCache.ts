import * as vscode from 'vscode';
import { type FoundFile, foundFile } from '../../../contracts/reader/lister';
import { fileStamp } from '../../../core/project/fileStamp';
import { guard } from '../../../core/schema/accepts';
import { parseDocument } from '../../../core/schema/parseDocument';
import { anything, list, shape, text, tuple } from '../../../core/schema/schema';

/** More problems than this are found again: a few damaged tapes would take most of the file. */
const MOST_PROBLEMS = 20;
const FILE = 'listedTapes.json';

/** Entries that are damaged are left out. */
const LISTINGS = shape({ version: text(), entries: list(anything()) });
const ENTRY = tuple(text(), foundFile);

/** What the lists of tapes say of each file, by its URI. */
export type Listings = ReadonlyMap<string, FoundFile>;

/** Keeps what was found in the tapes of the workspace, so that the next window need not read those that are as they were. */
export class ListingCache {
  readonly #file: vscode.Uri;

  /** @param version What wrote it: another version may find something else. */
  constructor(
    private readonly folder: vscode.Uri,
    private readonly version: string,
  ) {
    this.#file = vscode.Uri.joinPath(folder, FILE);
  }

  /** What was kept; nothing where that is damaged, or of another version. */
  async read(): Promise<Listings> {
    return new Map((await this.#entries()).filter(guard(ENTRY)));
  }

  /** Secrets are found again: nothing about them is written anywhere. */
  async write(listings: Listings): Promise<void> {
    const entries = [...listings].filter(([, { tape }]) => {
      return tape === undefined || (tape.secrets.length === 0 && tape.problems.length <= MOST_PROBLEMS);
    });
    const source = JSON.stringify({ version: this.version, entries });
    try {
      await vscode.workspace.fs.createDirectory(this.folder);
      await vscode.workspace.fs.writeFile(this.#file, new TextEncoder().encode(source));
    } catch {
      // The next window reads them all.
    }
  }

  async #entries(): Promise<readonly unknown[]> {
    try {
      const source = new TextDecoder().decode(await vscode.workspace.fs.readFile(this.#file));
      const kept = parseDocument(LISTINGS, source);
      return kept?.version === this.version ? kept.entries : [];
    } catch {
      // There is none yet, or it cannot be read.
      return [];
    }
  }
}

/** What this build of the reader has found in the workspace; undefined if no folder is open. */
export async function listingsOf(
  { storageUri, extension }: Pick<vscode.ExtensionContext, 'storageUri' | 'extension'>,
  reader: vscode.Uri,
): Promise<ListingCache | undefined> {
  if (storageUri === undefined) return undefined;
  const { size, mtime } = await vscode.workspace.fs.stat(reader);
  // Problems are stored in the language of the window.
  const { language } = vscode.env;
  return new ListingCache(storageUri, `${extension.packageJSON.version} ${fileStamp(size, mtime)} ${language}`);
}
