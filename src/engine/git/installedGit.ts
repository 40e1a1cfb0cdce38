import { gitProgram } from './program';

/** The path of the git that would be used in a folder. Rejects with a `UserError` if there is none, or it is too old. */
export function installedGit(folder: string): Promise<string> {
  return gitProgram(folder);
}
