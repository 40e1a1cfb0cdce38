import { dirname, join } from 'node:path';
import { FILE_LIMITS } from '../../core/bytes/fileLimits';
import { STATE_FOLDER } from '../../core/project/layout';
import { fileStatus, listFolder } from '../files/fileStatus';
import { readBytes, readBytesIfThere } from '../files/readFile';
import type { FileSides } from '../git/changedFiles';
import { previousTakes } from '../recording/takes';
import { decisionsAbout } from './fileReview';
import { contentDigest } from './stamp';

/** The tapes of which an earlier take was kept when they were replaced, by their paths from the root. */
export async function replacedTapes(root: string): Promise<readonly string[]> {
  const names = await listFolder(join(root, STATE_FOLDER, 'takes'), { recursive: true });
  const takes = names.filter((name) => name.endsWith('Z.json')).map((name) => dirname(name));
  return [...new Set(takes)].sort();
}

/** A tape beside the take that it replaced; undefined where there is none. */
export async function takeSides(root: string, path: string): Promise<FileSides | undefined> {
  const after = await readBytesIfThere(join(root, path), FILE_LIMITS.tape);
  const before = after && (await replacedTake(root, path, after));
  return before === undefined || after === undefined ? undefined : { before, after };
}

/** The last take from before the tape that was not put aside because it was rejected. */
async function replacedTake(root: string, path: string, tape: Buffer): Promise<Buffer | undefined> {
  const takes = await previousTakes({ root, tapePath: join(root, path) });
  const decisions = await decisionsAbout(root, path);
  const wasRejected = (bytes: Buffer): boolean => decisions[takeId(bytes)]?.verdict === 'rejected';
  let candidate: string | undefined;
  for (const take of [...takes].reverse()) {
    const isLong = (await fileStatus(take))?.size === tape.length;
    const bytes = isLong || candidate === undefined ? await readBytes(take, FILE_LIMITS.tape) : undefined;
    // A tape that is itself a kept take, as after an undo, replaced what was kept before that.
    if (bytes?.equals(tape)) candidate = undefined;
    else if (bytes !== undefined && !wasRejected(bytes)) candidate ??= take;
  }
  return candidate === undefined ? undefined : readBytes(candidate, FILE_LIMITS.tape);
}

/** By this a decision is about a whole take. */
export function takeId(bytes: Uint8Array): string {
  return `take-${contentDigest(bytes)}`;
}
