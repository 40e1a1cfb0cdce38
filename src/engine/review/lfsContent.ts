import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { readLfsPointer, writeLfsPointer } from '../../core/verify/lfsPointer';
import { unlessMissing } from '../recording/fileErrors';
import type { TwoSides } from './fileReview';
import { git } from './git';

/**
 * The same objects, with the content of Git LFS pointers where git-lfs has fetched it. It is read from where git-lfs keeps
 * it: to let git put it in would run the filters that the repository configures.
 */
export async function withLfsContent(
  repository: string,
  blobs: ReadonlyMap<string, Buffer>,
): Promise<ReadonlyMap<string, Buffer>> {
  const pointers = [...blobs].flatMap(([id, bytes]) => {
    const pointer = readLfsPointer(bytes);
    return pointer === undefined ? [] : [{ id, ...pointer }];
  });
  if (pointers.length === 0) return blobs;
  const common = (await git(repository, ['rev-parse', '--git-common-dir'])).toString('utf8').replace(/\n$/, '');
  const fetched = pointers.map(async ({ id, oid }): Promise<readonly (readonly [string, Buffer])[]> => {
    const path = join(resolve(repository, common), 'lfs/objects', oid.slice(0, 2), oid.slice(2, 4), oid);
    const content = await unlessMissing(readFile(path));
    return content !== undefined && sha256(content) === oid ? [[id, content]] : [];
  });
  return new Map([...blobs, ...(await Promise.all(fetched)).flat()]);
}

/**
 * Both sides of a file as pointers, where one is nothing more; undefined where none is. So a difference is the same,
 * whether its content has been fetched or not, and what was decided about it holds in both.
 */
export function asLfsPointers({ before, after }: TwoSides): TwoSides | undefined {
  if (![before, after].some((side) => side !== undefined && readLfsPointer(side) !== undefined)) return undefined;
  return { ...(before && { before: pointerTo(before) }), ...(after && { after: pointerTo(after) }) };
}

function pointerTo(bytes: Uint8Array): Uint8Array {
  if (readLfsPointer(bytes) !== undefined) return bytes;
  return Buffer.from(writeLfsPointer(sha256(bytes), bytes.length));
}

function sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}
