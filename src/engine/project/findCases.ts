import { type Dirent, readdirSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { looksLikeCase } from '../../core/cases/looksLikeCase';
import { IGNORED_FOLDERS } from '../../core/project/layout';
import { isSystemError, systemReason, UserError } from './userError';

export interface FoundCases {
  /** Files that were named, in that order, and the cases of each folder that was named, sorted. No path twice. */
  readonly casePaths: readonly string[];
  /** Folders and files that could not be read, with the reason. */
  readonly notices: readonly string[];
}

/**
 * The cases at absolute `paths`, files or folders. Throws a `UserError` for a path that is not there. Synchronous:
 * thousands of small files are read several times faster so, and nothing else has begun yet.
 */
export function findCases(paths: readonly string[]): FoundCases {
  const walk = new Walk();
  const found = paths.flatMap((path) => (isFolder(path) ? walk.cases(path).sort() : [path]));
  return { casePaths: [...new Set(found)], notices: walk.notices };
}

function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch (error) {
    if (!isSystemError(error)) throw error;
    throw new UserError(`${path}: ${systemReason(error)}`, 'Name a case file, or a folder with cases.');
  }
}

/** Looks through folders for cases; goes into each real folder once, so that a circle of links ends. */
class Walk {
  readonly notices: string[] = [];
  readonly #seen = new Set<string>();

  cases(folder: string): string[] {
    return this.#entries(folder).flatMap((entry) => this.#casesAt(join(folder, entry.name), entry));
  }

  #entries(folder: string): readonly Dirent[] {
    return this.#reading(folder, [], () => {
      const real = realpathSync(folder);
      if (this.#seen.has(real)) return [];
      this.#seen.add(real);
      return readdirSync(folder, { withFileTypes: true });
    });
  }

  #casesAt(path: string, entry: Dirent): string[] {
    if (IGNORED_FOLDERS.some((ignored) => ignored === entry.name)) return [];
    const kind = entry.isSymbolicLink() ? this.#reading(path, undefined, () => statSync(path)) : entry;
    if (kind?.isDirectory()) return this.cases(path);
    return kind?.isFile() && /\.toml$/i.test(path) && this.#isCase(path) ? [path] : [];
  }

  #isCase(path: string): boolean {
    return this.#reading(path, false, () => looksLikeCase(readFileSync(path, 'utf8')));
  }

  #reading<T>(path: string, otherwise: T, read: () => T): T {
    try {
      return read();
    } catch (error) {
      if (!isSystemError(error)) throw error;
      this.notices.push(`${path} was left out: ${systemReason(error)}`);
      return otherwise;
    }
  }
}
