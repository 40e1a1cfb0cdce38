import { type Dirent, readdirSync, realpathSync, type Stats, statSync } from 'node:fs';
import { join } from 'node:path';
import { IGNORED_FOLDERS } from '../../core/project/layout';
import { t } from '../../core/text/l10n';
import { isSystemError, systemReason } from '../errors/systemError';
import { UserError } from '../errors/userError';
import { requireReadable } from './confinement';
import { isInside } from './projectPaths';

interface FoundFiles {
  /** Files that were named, in that order, and the wanted files of each folder that was named, sorted. No path twice. */
  readonly paths: readonly string[];
  readonly unreadable: readonly UnreadablePath[];
}

/** A folder or file that could not be read. */
export interface UnreadablePath {
  readonly path: string;
  readonly reason: string;
  /** It is no part of the folder that was named: a link that leads nowhere, in a circle, or out of the project. */
  readonly isForeign: boolean;
}

export function unreadableNotice({ path, reason }: UnreadablePath): string {
  return t('{0} was skipped: {1}', path, reason);
}

interface WalkOptions {
  isWanted(path: string): boolean;
  /** The root of the project that a folder belongs to. A link out of it is not followed: a repository may contain any. */
  rootOf(folder: string): string;
  /** What to do about a path that does not exist. */
  readonly fix: string;
}

/**
 * The files at absolute `paths`, files or folders; of folders those that are wanted. Throws a `UserError` for a path that
 * does not exist. Synchronous, because thousands of small files are read several times faster so, and nothing else has
 * begun yet.
 */
export function walkFiles(paths: readonly string[], { isWanted, rootOf, fix }: WalkOptions): FoundFiles {
  const walk = new Walk(isWanted);
  const found = paths.flatMap((path) => (isFolder(path, fix) ? walk.filesIn(path, rootOf(path)).sort() : [path]));
  return { paths: [...new Set(found)], unreadable: walk.leftOut };
}

function isFolder(path: string, fix: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch (error) {
    if (!isSystemError(error)) throw error;
    throw new UserError(() => `${path}: ${systemReason(error)}`, fix);
  }
}

/** Walks through folders, into each real folder once, so that a circle of links ends. */
class Walk {
  readonly leftOut: UnreadablePath[] = [];
  readonly #seen = new Set<string>();
  readonly #isWanted: (path: string) => boolean;
  /** Without links: what may be walked through. A folder that was named may itself be a link out of its project. */
  #within: readonly string[] = [];

  constructor(isWanted: (path: string) => boolean) {
    this.#isWanted = isWanted;
  }

  filesIn(named: string, root: string): string[] {
    this.#within = this.#reading(named, [], () => [realpathSync(root), realpathSync(named)]);
    return this.#files(named);
  }

  #files(folder: string): string[] {
    return this.#entries(folder).flatMap((entry) => this.#filesAt(join(folder, entry.name), entry));
  }

  #entries(folder: string): readonly Dirent[] {
    return this.#reading(folder, [], () => {
      requireReadable(folder);
      const real = realpathSync(folder);
      if (this.#seen.has(real)) return [];
      this.#seen.add(real);
      return readdirSync(folder, { withFileTypes: true });
    });
  }

  #filesAt(path: string, entry: Dirent): string[] {
    if (IGNORED_FOLDERS.some((ignored) => ignored === entry.name)) return [];
    const kind = entry.isSymbolicLink() ? this.#reading(path, undefined, () => this.#linked(path)) : entry;
    if (kind?.isDirectory()) return this.#files(path);
    return kind?.isFile() && this.#reading(path, false, () => this.#isWanted(path)) ? [path] : [];
  }

  /** What a link leads to; undefined if that is outside of the project. */
  #linked(path: string): Stats | undefined {
    const place = realpathSync(path);
    if (this.#within.some((folder) => isInside(folder, place))) return statSync(place);
    this.leftOut.push({ path, reason: t('it is a link out of the project'), isForeign: true });
    return undefined;
  }

  #reading<T>(path: string, otherwise: T, read: () => T): T {
    try {
      return read();
    } catch (error) {
      if (!isSystemError(error)) throw error;
      this.leftOut.push({
        path,
        reason: systemReason(error),
        isForeign: error.code === 'ENOENT' || error.code === 'ELOOP',
      });
      return otherwise;
    }
  }
}
