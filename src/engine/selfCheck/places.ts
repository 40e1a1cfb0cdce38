import { message, t } from '../../core/text/l10n';
import { userStateFile } from '../files/userState';
import { requireWritableFolder } from '../files/writableFolder';
import { type Check, messageOf } from './check';

/** The folder of the proxy's keys and the program for git's hook. */
export async function userState(): Promise<Check> {
  const path = userStateFile('.');
  const problem = await writingProblem(userStateFile('x'));
  const name = message('state folder');
  if (problem === undefined) return { name, state: 'ok', says: path };
  return { name, state: 'broken', says: problem, fix: t('Set XDG_STATE_HOME to a folder that you can write to.') };
}

export async function projectFolder(folder: string): Promise<Check> {
  const problem = await writingProblem(`${folder}/.tapedeck/runs`);
  const name = message('this folder');
  if (problem === undefined) return { name, state: 'ok', says: t('writable') };
  const says = t('{0}: tapes can be read here, but nothing can be run or recorded', problem);
  return { name, state: 'absent', says, fix: t('To run its cases, make it writable, or copy it.') };
}

async function writingProblem(path: string): Promise<string | undefined> {
  try {
    await requireWritableFolder(path);
    return undefined;
  } catch (error) {
    return messageOf(error);
  }
}
