import { dirname, resolve } from 'node:path';
import { UserError } from '../errors/userError';
import type { ForkPlace } from '../forks/planFork';
import { tapeUsersIn } from '../project/caseTapes';
import { findRoot } from '../project/findRoot';
import { oneCase } from './oneCase';

/** The case and the tape that a path of the command line names: a case, or a tape that one case uses. */
export async function forkPlace(path: string, cwd: string): Promise<Omit<ForkPlace, 'shared'>> {
  const tapePath = resolve(cwd, path);
  const root = findRoot(dirname(tapePath), cwd);
  const users = (await tapeUsersIn(root)).filter(({ tapes }) => tapes.includes(tapePath));
  const [user, ...others] = users;
  if (user === undefined) {
    const casePath = await oneCase(path, cwd);
    return { root: findRoot(dirname(casePath), cwd), casePath };
  }
  if (others.length === 0) return { root, casePath: resolve(root, user.label), tapePath };
  const cases = users.map(({ label }) => label).join(', ');
  throw new UserError(`several cases use ${path}: ${cases}`, 'Pass the case whose agent should record the fork.');
}
