import { type Dirent, readdirSync, realpathSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { IGNORED_FOLDERS } from '../../core/project/layout';
import { isSystemError, systemReason } from '../errors/systemError';
import { UserError } from '../errors/userError';

export interface FoundFiles {
  /** Files that were named, in that order, and the wanted files of each folder that was named, sorted. No path twice. */
  readonly paths: readonly string[];
  readonly unreadable: readonly UnreadablePath[];
}

/** A folder or file that could not be read. */
export interface UnreadablePath {
  readonly path: string;
  readonly reason: string;
  /** There is no file: a link leads nowhere, or in a circle. */
  readonly isGone: boolean;
}

export function unreadableNotice({ path, reason }: UnreadablePath): string {
  return `${path} was skipped: ${reason}`;
}

/**
 * The files at absolute `paths`, files or folders; of folders those that are wanted. Throws a `UserError` with `fix` for a
 * path that does not exist. Synchronous, because thousands of small files are read several times faster so, and nothing
 * else has begun yet.
 */
export function walkFiles(paths: readonly string[], isWanted: (path: string) => boolean, fix: string): FoundFiles {
  const walk = new Walk(isWanted);
  const found = paths.flatMap((path) => (isFolder(path, fix) ? walk.files(path).sort() : [path]));
  return { paths: [...new Set(found)], unreadable: walk.leftOut };
}

function isFolder(path: string, fix: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch (error) {
    if (!isSystemError(error)) throw error;
    throw new UserError(`${path}: ${systemReason(error)}`, fix);
  }
}

/** Walks through folders, into each real folder once, so that a circle of links ends. */
class Walk {
  readonly leftOut: UnreadablePath[] = [];
  readonly #seen = new Set<string>();
  readonly #isWanted: (path: string) => boolean;

  constructor(isWanted: (path: string) => boolean) {
    this.#isWanted = isWanted;
  }

  files(folder: string): string[] {
    return this.#entries(folder).flatMap((entry) => this.#filesAt(join(folder, entry.name), entry));
  }

  #entries(folder: string): readonly Dirent[] {
    return this.#reading(folder, [], () => {
      const real = realpathSync(folder);
      if (this.#seen.has(real)) return [];
      this.#seen.add(real);
      return readdirSync(folder, { withFileTypes: true });
    });
  }

  #filesAt(path: string, entry: Dirent): string[] {
    if (IGNORED_FOLDERS.some((ignored) => ignored === entry.name)) return [];
    const kind = entry.isSymbolicLink() ? this.#reading(path, undefined, () => statSync(path)) : entry;
    if (kind?.isDirectory()) return this.files(path);
    return kind?.isFile() && this.#reading(path, false, () => this.#isWanted(path)) ? [path] : [];
  }

  #reading<T>(path: string, otherwise: T, read: () => T): T {
    try {
      return read();
    } catch (error) {
      if (!isSystemError(error)) throw error;
      this.leftOut.push({
        path,
        reason: systemReason(error),
        isGone: error.code === 'ENOENT' || error.code === 'ELOOP',
      });
      return otherwise;
    }
  }
}
