import { dirname, join } from 'node:path';
import { CONFIG_FILE } from '../../core/project/layout';
import { pathExists } from '../files/fileStatus';
import { isInside } from '../files/projectPaths';

/**
 * The root of the project that a folder belongs to: the nearest ancestor with a `tapedeck.toml`, else with a `.git`.
 * Where there is neither, it is `cwd` for a folder in it, and otherwise the folder itself. Paths are absolute.
 */
export function findRoot(folder: string, cwd: string): string {
  return markedRoot(folder) ?? (isInside(cwd, folder) ? cwd : folder);
}

/** The root of a project that is marked as one. */
function markedRoot(folder: string): string | undefined {
  return nearestWith(CONFIG_FILE, folder) ?? nearestWith('.git', folder);
}

/**
 * The root of the project of a case and of a tape that it names. Where nothing marks one, folders beside each other belong
 * to the same project.
 */
export function findRootWithTape(folder: string, tape: string, cwd: string): string {
  const root = findRoot(folder, cwd);
  const parent = dirname(folder);
  const isBeside = dirname(dirname(tape)) === parent && parent !== dirname(parent);
  return markedRoot(folder) === undefined && !isInside(root, tape) && isBeside ? parent : root;
}

/** A `findRoot` that searches from each folder once, for many cases. */
export function createRootFinder(cwd: string): (folder: string) => string {
  const known = new Map<string, string>();
  return (folder) => {
    const root = known.get(folder) ?? findRoot(folder, cwd);
    known.set(folder, root);
    return root;
  };
}

function nearestWith(name: string, folder: string): string | undefined {
  if (pathExists(join(folder, name))) return folder;
  const parent = dirname(folder);
  return parent === folder ? undefined : nearestWith(name, parent);
}
