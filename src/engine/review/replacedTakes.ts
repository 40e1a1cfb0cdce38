import { dirname, join } from 'node:path';
import { FILE_LIMITS } from '../../core/bytes/fileLimits';
import { TAKES_FOLDER } from '../../core/project/layout';
import { fileStatus } from '../files/fileStatus';
import { readBytes, readBytesIfThere } from '../files/readFile';
import { OwnState } from '../project/ownState';
import { previousTakes } from '../recording/takes';
import { decisionFileOf, OwnDecisions } from './decisionFile';
import { contentDigest, type ReviewSides } from './stamp';

/** The paths, from the root, of tapes whose earlier take was kept when they were replaced. */
export async function replacedTapes(root: string): Promise<readonly string[]> {
  const names = await new OwnState(root).files(TAKES_FOLDER);
  const takes = names.filter((name) => name.endsWith('Z.json')).map((name) => dirname(name));
  return [...new Set(takes)].sort();
}

/** A tape and the take that it replaced; undefined if there is none. */
export async function takeSides(root: string, path: string): Promise<ReviewSides | undefined> {
  const after = await readBytesIfThere(join(root, path), FILE_LIMITS.tape);
  const before = after && (await replacedTake(root, path, after));
  return before === undefined || after === undefined ? undefined : { before, after };
}

/** The last take before the tape's own that was not kept because it was rejected. */
async function replacedTake(root: string, path: string, tape: Buffer): Promise<Buffer | undefined> {
  const takes = await previousTakes({ root, tapePath: join(root, path) });
  const decisions = await new OwnDecisions(root).read(decisionFileOf(root, { kind: 'tape', path }));
  const wasRejected = (bytes: Buffer): boolean => decisions[takeId(bytes)]?.verdict === 'rejected';
  let candidate: string | undefined;
  for (const take of [...takes].reverse()) {
    const hasSameLength = (await fileStatus(take))?.size === tape.length;
    const bytes = hasSameLength || candidate === undefined ? await readBytes(take, FILE_LIMITS.tape) : undefined;
    // A tape that equals a kept take, as after an undo, replaced the take before that one.
    if (bytes?.equals(tape)) candidate = undefined;
    else if (bytes !== undefined && !wasRejected(bytes)) candidate ??= take;
  }
  return candidate === undefined ? undefined : readBytes(candidate, FILE_LIMITS.tape);
}

/** The id under which a decision file holds a decision on a whole take. */
export function takeId(bytes: Uint8Array): string {
  return `take-${contentDigest(bytes)}`;
}
