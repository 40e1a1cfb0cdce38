import { join } from 'node:path';
import { FILE_LIMITS } from '../../core/bytes/fileLimits';
import { t } from '../../core/text/l10n';
import { isSystemError, systemReason } from '../errors/systemError';
import { UserError } from '../errors/userError';
import { linkTarget } from '../files/fileStatus';
import { readBytesIfThere } from '../files/readFile';
import type { ChangedEntry } from './changedEntries';
import { isPointerTo, withLfsContent } from './lfs';
import { type NamedObject, objectSizes, readObjects } from './objects';
import type { SafeGit } from './safeGit';

/** A file that differs between two states of a repository, with its contents. One is absent if there is no file. */
export interface ChangedFile {
  /** From the top of the repository, with `/`. */
  readonly path: string;
  /** Its path on the earlier side, if it was renamed. */
  readonly from?: string;
  readonly before?: Uint8Array;
  readonly after?: Uint8Array;
}

/** The files that differ between two states of a repository. */
export interface ChangedFiles {
  /** How many git lists. One of Git LFS may turn out to be equal, and is left out. */
  readonly count: number;
  /** Reads a few at a time: together they may be larger than the memory. */
  readonly files: AsyncIterable<ChangedFile>;
}

/** Committed contents that are read by one run of git, if they are not larger by themselves. */
const READ_AT_ONCE_BYTES = 8e6;

/**
 * The contents of changed files; those of Git LFS where they have been fetched. Rejects with a `UserError` that names the
 * file when a side cannot be read: at once where git lacks one, or while they are read.
 */
export async function changedContents(
  git: SafeGit,
  gitFolder: string,
  entries: readonly ChangedEntry[],
): Promise<ChangedFiles> {
  const sizes = await objectSizes(git, entries.flatMap(objectsOf));
  return { count: entries.length, files: readInGroups(git, gitFolder, groupsOf(entries, sizes), sizes) };
}

async function* readInGroups(
  git: SafeGit,
  gitFolder: string,
  groups: readonly (readonly ChangedEntry[])[],
  sizes: ReadonlyMap<string, number>,
): AsyncGenerator<ChangedFile> {
  for (const entries of groups) {
    const contents = await withLfsContent(gitFolder, await readObjects(git, entries.flatMap(objectsOf), sizes));
    for (const entry of entries) {
      const file = await changeOf(git.top, entry, contents);
      // A file of git-lfs that was touched differs from its pointer, because no filter is run to compare them.
      const { from, before, after } = file;
      if (from !== undefined || before === undefined || after === undefined || !isSame(before, after)) yield file;
    }
  }
}

function groupsOf(
  entries: readonly ChangedEntry[],
  sizes: ReadonlyMap<string, number>,
): readonly (readonly ChangedEntry[])[] {
  const groups: ChangedEntry[][] = [];
  let room = 0;
  for (const entry of entries) {
    const size = objectsOf(entry).reduce((sum, { id }) => sum + (sizes.get(id) ?? 0), 0);
    if (size > room || groups.length === 0) {
      groups.push([]);
      room = READ_AT_ONCE_BYTES;
    }
    groups.at(-1)?.push(entry);
    room -= size;
  }
  return groups;
}

function objectsOf({ path, from = path, before, after }: ChangedEntry): readonly NamedObject[] {
  const sides = [
    { path: from, id: before },
    { path, id: after },
  ];
  return sides.flatMap((side) => (side.id === undefined || side.id === 'worktree' ? [] : [{ ...side, id: side.id }]));
}

async function changeOf(
  top: string,
  { path, from, before, after }: ChangedEntry,
  contents: ReadonlyMap<string, Buffer>,
): Promise<ChangedFile> {
  const old = before === undefined ? undefined : contents.get(before);
  const now = after === 'worktree' ? await workingFile(top, path) : contents.get(after ?? '');
  return { path, from, before: old, after: now };
}

/** What git would add of a file: of a link, its target. */
async function workingFile(top: string, path: string): Promise<Uint8Array | undefined> {
  const place = join(top, path);
  try {
    const target = await linkTarget(place);
    return target === undefined ? await readBytesIfThere(place, FILE_LIMITS.tape) : Buffer.from(target);
  } catch (error) {
    if (!isSystemError(error)) throw error;
    throw new UserError(
      () => t('{0} cannot be read: {1}', path, systemReason(error)),
      () => t('Make it readable, or leave it out with .gitignore.'),
    );
  }
}

function isSame(before: Uint8Array, after: Uint8Array): boolean {
  return Buffer.from(before).equals(after) || isPointerTo(before, after);
}
