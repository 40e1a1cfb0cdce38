import { isAbsolute, join, relative, sep } from 'node:path';
import { artifactPath, baselinePath, decisionPath, STATE_FOLDER } from '../../core/project/layout';
import { UserError } from './userError';

/** The files that belong to a case, as absolute paths. */
export interface CaseFiles {
  /** The case from the root, with `/`: how messages name it. */
  readonly name: string;
  readonly artifact: string;
  readonly baseline: string;
  readonly decision: string;
}

/** Where a case keeps its files. Throws a `UserError` for a case outside the project. Paths are absolute. */
export function caseFiles(root: string, casePath: string): CaseFiles {
  if (!isInside(root, casePath)) {
    throw new UserError(
      `${casePath} is outside the project ${root}`,
      'Move the case into the project, or open the folder that holds it.',
    );
  }
  const name = fromRoot(root, casePath);
  return {
    name,
    artifact: join(root, artifactPath(name)),
    baseline: join(root, baselinePath(name)),
    decision: join(root, decisionPath(name)),
  };
}

/** Where files are written before they take their place; on the same file system as the project. */
export function asideFolder(root: string): string {
  return join(root, STATE_FOLDER, 'tmp');
}

/** For `writeAtomically`: the file is of the project, and is not written outside of it. */
export function ofProject(root: string): { readonly asideFolder: string; readonly project: string } {
  return { asideFolder: asideFolder(root), project: root };
}

/** `path` from `root`, with `/` on every system. */
export function fromRoot(root: string, path: string): string {
  return relative(root, path).split(sep).join('/');
}

/** Is `path` the folder, or in it? */
export function isInside(folder: string, path: string): boolean {
  const way = relative(folder, path);
  return way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}
