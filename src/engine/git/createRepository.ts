import { join } from 'node:path';
import { t } from '../../core/text/l10n';
import { UserError } from '../errors/userError';
import { pathExists, realPath } from '../files/fileStatus';
import { SafeGit } from './safeGit';

const IDENTITY = { NAME: 'Tapedeck', EMAIL: 'sample@tapedeck.invalid' };

/**
 * Makes a folder a git repository with all its files in the first commit. Nobody's templates, hooks, or signatures are used.
 * Rejects with a `UserError` when it is a repository already, or git fails.
 */
export async function createRepository(folder: string, message: string): Promise<void> {
  const top = (await realPath(folder)) ?? folder;
  if (await pathExists(join(top, '.git'))) throw new UserError(() => t('{0} is a git repository already', folder));
  const git = await SafeGit.in(top);
  await git.run(['init', '--quiet', '--template=']);
  await git.run(['add', '--all']);
  const environment = Object.fromEntries(
    ['AUTHOR', 'COMMITTER'].flatMap((role) =>
      Object.entries(IDENTITY).map(([member, value]) => [`GIT_${role}_${member}`, value]),
    ),
  );
  await git.run(['commit', '--quiet', '--no-gpg-sign', '--message', message], { environment });
}
