import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { decisionPathOf } from '../../core/project/layout';
import { decide, type Verdict, writeDecisions } from '../../core/review/decision';
import { mergeFile } from '../../core/review/mergeFile';
import { Normaliser } from '../../core/review/normaliser';
import { asideFolder } from '../project/caseFiles';
import { projectConfig } from '../project/projectConfig';
import { UserError } from '../project/userError';
import { writeAtomically } from '../recording/atomicWrite';
import { unlessMissing } from '../recording/fileErrors';
import { keepTake } from '../recording/takes';
import { decisionsAbout, type FileReview, reviewFile, type TwoSides } from './fileReview';

/** What is decided about a file that differs from the last commit. Paths from the root, with `/`. */
export interface FileDecision {
  readonly root: string;
  readonly path: string;
  readonly sides: TwoSides;
  readonly ids: readonly string[];
  readonly reason?: string;
}

/** Remembers that changes are wanted; the file has them already. */
export async function acceptInFile({ root, path, ids, reason }: FileDecision): Promise<void> {
  await remember(root, path, ids, 'accepted', reason);
}

/**
 * Takes changes out of the file on disk, atomically. Where nothing is left of them it is byte for byte the file of the
 * last commit. What stood in it before is kept with the takes.
 */
export async function rejectInFile({ root, path, sides, ids, reason }: FileDecision): Promise<void> {
  const normaliser = new Normaliser((await projectConfig(root)).normalise);
  const review = await reviewFile(root, path, sides, normaliser);
  if (review === undefined || sides.before === undefined || sides.after === undefined) throw cannotRestore(path);
  const bytes = withoutChanges(path, sides, review, ids, normaliser);
  await assertUnchanged(root, path, sides.after);
  const target = join(root, path);
  await keepTake({ root, tapePath: target }, asideFolder(root));
  await writeAtomically(target, bytes, { asideFolder: asideFolder(root) });
  await remember(root, path, ids, 'rejected', reason);
}

function withoutChanges(
  path: string,
  { before, after }: TwoSides,
  { changes }: FileReview,
  ids: readonly string[],
  normaliser: Normaliser,
): Uint8Array {
  const accepted = new Set(changes.map(({ id }) => id).filter((id) => !ids.includes(id)));
  const merged = mergeFile(path, before ?? new Uint8Array(), after ?? new Uint8Array(), accepted, normaliser);
  if ('bytes' in merged) return merged.bytes;
  throw new UserError(`${path}: ${merged.refused}`, 'Decide about them together.');
}

function cannotRestore(path: string): UserError {
  return new UserError(`${path}: there is no earlier version to go back to`, 'Delete the file, or accept it as it is.');
}

/** Right before writing: whoever wrote meanwhile has a version that nobody reviewed. */
async function assertUnchanged(root: string, path: string, reviewed: Uint8Array): Promise<void> {
  const now = await unlessMissing(readFile(join(root, path)));
  if (now !== undefined && Buffer.from(reviewed).equals(now)) return;
  throw new UserError(`${path} has changed since this review`, 'Look at it again and decide about what it is now.');
}

async function remember(
  root: string,
  path: string,
  ids: readonly string[],
  verdict: Verdict,
  reason?: string,
): Promise<void> {
  const decisions = decide(await decisionsAbout(root, path), ids, verdict, reason);
  await writeAtomically(join(root, decisionPathOf(path)), writeDecisions(decisions), {
    asideFolder: asideFolder(root),
  });
}
