import { join } from 'node:path';
import { FILE_LIMITS } from '../../core/bytes/fileLimits';
import { decisionPathOf } from '../../core/project/layout';
import { Normaliser } from '../../core/review/compare/normaliser';
import { type Decision, decide, writeDecisions } from '../../core/review/decisions';
import { mergeFile } from '../../core/review/recordedFile';
import { UserError } from '../errors/userError';
import { requireInProject } from '../files/projectPaths';
import { readBytesIfThere } from '../files/readFile';
import { removeFile, writeInProject } from '../files/writeFile';
import type { FileSides } from '../git/changedFiles';
import { pathInRepository, repositoryOf } from '../git/git';
import { requireNoMerge, takeOutOfIndex } from '../git/gitIndex';
import { projectConfig } from '../project/projectConfig';
import { keepTake } from '../recording/takes';
import { changedReviews } from './changedReviews';
import { decisionsAbout, reviewFile } from './fileReview';
import { takeId } from './replacedTakes';

/** What is decided about a file that differs from the last commit. Paths from the root, with `/`. */
export interface FileDecision {
  readonly root: string;
  readonly path: string;
  readonly sides: FileSides;
  readonly ids: readonly string[];
  readonly reason?: string;
}

/** Remembers that changes are wanted; the file has them already. */
export async function acceptInFile({ root, path, ids, reason }: FileDecision): Promise<void> {
  await writeFileDecisions(root, path, ids, 'accepted', reason);
}

/**
 * Takes changes out of the file on disk, atomically, and out of git's index, where they are staged. Where nothing is left
 * of them it is byte for byte the file of the last commit, or gone with it. What stood in it before is kept with the takes.
 */
export async function rejectInFile({ root, path, sides, ids, reason }: FileDecision): Promise<void> {
  const place = await placeInGit(root, path);
  if (place !== undefined) await requireNoMerge(place.repository, [place.path]);
  const normaliser = new Normaliser((await projectConfig(root)).normalise);
  const bytes = await withoutChanges(root, path, sides, ids, normaliser);
  await assertUnchanged(root, path, sides.after);
  await replaceFile(root, path, bytes);
  if (place !== undefined)
    await takeOutOfIndex(place.repository, { path: place.path, ...(sides.after && { bytes: sides.after }) });
  // The tape is not compared with it again.
  const take = place === undefined && sides.after ? [takeId(sides.after)] : [];
  await writeFileDecisions(root, path, [...ids, ...take], 'rejected', reason);
}

async function placeInGit(root: string, path: string) {
  const repository = await repositoryOf(root);
  return repository === undefined ? undefined : { repository, path: await pathInRepository(repository, root, path) };
}

/** What the file is to be; undefined where it is to be gone. */
async function withoutChanges(
  root: string,
  path: string,
  sides: FileSides,
  ids: readonly string[],
  normaliser: Normaliser,
): Promise<Uint8Array | undefined> {
  const { before, after } = sides;
  // A file that is new, gone, or of another kind is one change.
  if (before === undefined || after === undefined) return before;
  const { changes = [] } = (await reviewFile(root, path, sides, normaliser)) ?? {};
  if (changes.some(({ subject }) => subject === 'file')) return before;
  const accepted = new Set(changes.map(({ id }) => id).filter((id) => !ids.includes(id)));
  const merged = mergeFile(path, before, after, accepted, normaliser);
  if ('bytes' in merged) return merged.bytes;
  throw new UserError(`${path}: ${merged.refused}`, 'Decide about them together.');
}

async function replaceFile(root: string, path: string, bytes: Uint8Array | undefined): Promise<void> {
  const target = join(root, path);
  await requireInProject(root, target);
  await keepTake({ root, tapePath: target });
  if (bytes === undefined) await removeFile(root, target);
  else await writeInProject(root, target, bytes);
}

/** Right before writing: whoever wrote meanwhile has a version that nobody reviewed. */
export async function assertUnchanged(root: string, path: string, reviewed: Uint8Array | undefined): Promise<void> {
  const now = await readBytesIfThere(join(root, path), FILE_LIMITS.tape);
  if (now === undefined || reviewed === undefined ? now === reviewed : Buffer.from(reviewed).equals(now)) return;
  throw new UserError(`${path} has changed since this review`, 'Look at it again and decide about what it is now.');
}

async function writeFileDecisions(
  root: string,
  path: string,
  ids: readonly string[],
  verdict: Decision,
  reason?: string,
): Promise<void> {
  const known = await decisionsAbout(root, path);
  // What was decided before with a reason keeps it.
  const anew = reason === undefined ? ids.filter((id) => known[id]?.verdict !== verdict) : ids;
  const decisions = decide(known, anew, verdict, reason);
  await writeInProject(root, join(root, decisionPathOf(path)), writeDecisions(decisions));
}

/**
 * Takes out of tapes and baselines what was rejected and is in them again, as after another recording with the same
 * result. Gives the paths, from the project's root, of the files that were written.
 */
export async function reapplyRejections(root: string): Promise<readonly string[]> {
  const restored: string[] = [];
  for (const { review, sides } of await changedReviews(root)) {
    const { path, changes, decisions } = review;
    const ids = changes.map(({ id }) => id).filter((id) => decisions[id]?.verdict === 'rejected');
    if (ids.length === 0) continue;
    await rejectInFile({ root, path, sides, ids });
    restored.push(path);
  }
  return restored;
}
