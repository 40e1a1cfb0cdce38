import { delimiter, isAbsolute, join } from 'node:path';
import { t } from '../../core/text/l10n';
import { UserError } from '../errors/userError';
import { fileStatus } from '../files/fileStatus';
import { isInside } from '../files/projectPaths';
import { captureBytes } from '../process/captureBytes';

const WINDOWS = process.platform === 'win32';
const NAME = WINDOWS ? 'git.exe' : 'git';

/** The oldest git whose settings can be given with any name: since this version, in the environment. */
const OLDEST = [2, 31] as const;

/** The programs whose version is known to do. */
const usable = new Map<string, Promise<void>>();

/**
 * The absolute path of git on the user's PATH. A program in the repository itself is never taken, although Windows would look
 * there first. Rejects with a `UserError` when there is none, or it is too old.
 */
export async function gitProgram(top: string): Promise<string> {
  for (const folder of (process.env.PATH ?? '').split(delimiter)) {
    if (!isAbsolute(folder) || isInside(top, folder)) continue;
    const path = join(folder, NAME);
    const status = await fileStatus(path).catch(() => undefined);
    if (status === undefined || !status.isFile || !(WINDOWS || status.isExecutable)) continue;
    const check = usable.get(path) ?? requireVersion(path);
    usable.set(path, check);
    await check;
    return path;
  }
  throw new UserError(
    () => t('git is not installed'),
    () => t('Install git, or compare two files with: tapedeck diff A B'),
  );
}

async function requireVersion(path: string): Promise<void> {
  const { PATH, SYSTEMROOT } = process.env;
  const command = { command: [path, 'version'], cwd: join(path, '..'), environment: { PATH, SYSTEMROOT } };
  const { stdout } = await captureBytes(command);
  const printed = stdout.toString('utf8').trim();
  const [, major, minor] = /^git version (\d+)\.(\d+)/.exec(printed) ?? [];
  const [oldestMajor, oldestMinor] = OLDEST;
  if (Number(major) > oldestMajor || (Number(major) === oldestMajor && Number(minor) >= oldestMinor)) return;
  throw new UserError(
    () => t('{0} is {1}, which is too old to be run safely', path, printed || t('no git')),
    () => t('Install git {0} or newer.', OLDEST.join('.')),
  );
}
