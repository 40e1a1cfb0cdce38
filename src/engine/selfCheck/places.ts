import { userStateFile } from '../files/userState';
import { requireWritableFolder } from '../files/writableFolder';
import { type Check, messageOf } from './check';

/** The folder of the proxy's keys and the program for git's hook. */
export async function userState(): Promise<Check> {
  const path = userStateFile('.');
  const problem = await writingProblem(userStateFile('x'));
  if (problem === undefined) return { name: 'own state', state: 'ok', says: path };
  const fix = 'Set XDG_STATE_HOME to a folder that you can write to.';
  return { name: 'own state', state: 'broken', says: problem, fix };
}

export async function projectFolder(folder: string): Promise<Check> {
  const problem = await writingProblem(`${folder}/.tapedeck/runs`);
  if (problem === undefined) return { name: 'this folder', state: 'ok', says: 'can be written to' };
  const says = `${problem}: nothing can be recorded or run here, only read`;
  return { name: 'this folder', state: 'absent', says, fix: 'To run its cases, make it writable, or copy it.' };
}

async function writingProblem(path: string): Promise<string | undefined> {
  try {
    await requireWritableFolder(path);
    return undefined;
  } catch (error) {
    return messageOf(error);
  }
}
