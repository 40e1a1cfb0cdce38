import { dirname } from 'node:path';
import type { ReviewSubject } from '../../contracts/engine/review';
import { FILE_LIMITS } from '../../core/bytes/fileLimits';
import { parseCaseAddress } from '../../core/project/caseAddress';
import { isBaselinePath, owningCasePath } from '../../core/project/layout';
import { findCases } from '../cases/findCases';
import { isSystemError, systemReason } from '../errors/systemError';
import { UserError } from '../errors/userError';
import { isFolder, pathExists } from '../files/fileStatus';
import { pathOfUser } from '../files/pathOfUser';
import { fromRoot, isInside, withSlashes } from '../files/projectPaths';
import { readBytes } from '../files/readFile';
import { findRoot } from '../project/findRoot';
import { recordingOf } from '../review/fileReview';
import { CaseTapes } from '../review/reviewedFiles';
import { notRunError } from '../review/runReview';
import type { Terminal } from '../terminal/terminal';

/** The target of a decision: the last run of a case, and its baseline; or a file. */
export interface DecisionTarget {
  readonly root: string;
  /** Absolute. It may be that of a case, its artifact or its baseline. */
  readonly path: string;
  /** As typed; absent for a case in a folder, which is skipped when it has not been run. */
  readonly named?: string;
  /** The run that the path may be about; absent outside of the project, where only a tape is. */
  readonly run?: ReviewSubject;
  /** The file that the path itself names. */
  readonly file: ReviewSubject;
}

/** The targets that a path names: one, or the cases of a folder. */
export async function targetsOf(named: string, terminal: Terminal): Promise<readonly DecisionTarget[]> {
  const { cwd, note } = terminal;
  const path = pathOfUser(cwd, named);
  if (!isFolder(path)) return [await targetOf(path, terminal, named)];
  const { casePaths, notices } = await findCases([path], (folder) => findRoot(folder, cwd));
  for (const notice of notices) note(`tapedeck: ${notice}`);
  return Promise.all(casePaths.map((casePath) => targetOf(casePath, terminal)));
}

async function targetOf(path: string, { cwd }: Terminal, named?: string): Promise<DecisionTarget> {
  const root = await rootOf(path, cwd);
  const name = fromRoot(root, path);
  const run: ReviewSubject | undefined = isInside(root, path)
    ? { kind: 'run', path: owningCasePath(name) ?? name }
    : undefined;
  return { root, path, ...(run && { run }), file: fileSubject(name), named };
}

/** The root of the project of a file; of a tape outside of the user's project that a case of that one names, of this project. */
async function rootOf(path: string, cwd: string): Promise<string> {
  const here = findRoot(cwd, cwd);
  const isNamedHere = !isInside(here, path) && (await new CaseTapes(here).has(fromRoot(here, path)));
  return isNamedHere ? here : findRoot(dirname(path), cwd);
}

export function fileSubject(path: string): ReviewSubject {
  return { kind: isBaselinePath(path) ? 'baseline' : 'tape', path };
}

/** A recorded file without a review has not changed. Rejects for anything else that is named. */
export async function requireRecording(path: string, named: string): Promise<void> {
  if (!pathExists(path)) throw nothingToDecideError(path, named);
  const recording = recordingOf(withSlashes(path), await readNamed(path, named));
  if (recording === undefined) throw nothingToDecideError(path, named);
}

async function readNamed(path: string, named: string): Promise<Uint8Array> {
  try {
    return await readBytes(path, FILE_LIMITS.tape);
  } catch (error) {
    if (!isSystemError(error)) throw error;
    throw new UserError(`${named}: ${systemReason(error)}`, 'Make the file readable.');
  }
}

function nothingToDecideError(path: string, named: string): UserError {
  if (pathExists(parseCaseAddress(path).path)) return notRunError(named);
  return new UserError(`${named}: there is no such case`, 'Name a case, its artifact, a tape, or a folder of cases.');
}
