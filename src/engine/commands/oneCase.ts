import { findCases } from '../cases/findCases';
import { UserError } from '../errors/userError';
import { pathOfUser } from '../files/pathOfUser';
import { findRoot } from '../project/findRoot';

/** The absolute address of the only case at a path of the command line. Rejects with a `UserError` if there are several, or none. */
export async function oneCase(path: string, cwd: string): Promise<string> {
  const { casePaths } = await findCases([pathOfUser(cwd, path)], (folder) => findRoot(folder, cwd));
  const [casePath, ...others] = casePaths;
  if (casePath !== undefined && others.length === 0) return casePath;
  throw new UserError(
    `${path} is not a single case`,
    casePath === undefined ? 'Pass a case file.' : 'Pass one of its cases: FILE#ID',
  );
}
