import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { FILE_LIMITS } from '../../core/bytes/fileLimits';
import { readLfsPointer } from '../../core/verify/lfsPointer';
import { readBytesIfThere } from '../files/readFile';

export function lfsDigest(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

/** Where git-lfs keeps a content, in a folder of git's own. */
export function lfsPlace(gitFolder: string, oid: string): string {
  return join(gitFolder, 'lfs/objects', oid.slice(0, 2), oid.slice(2, 4), oid);
}

/**
 * The contents, with those of Git LFS pointers where git-lfs has fetched them. They are read from git-lfs's own folder,
 * because letting git resolve them would run the filters that the repository configures.
 */
export async function withLfsContent(
  gitFolder: string,
  contents: ReadonlyMap<string, Buffer>,
): Promise<ReadonlyMap<string, Buffer>> {
  const fetched = [...contents].map(async ([id, bytes]): Promise<readonly (readonly [string, Buffer])[]> => {
    const pointer = readLfsPointer(bytes);
    if (pointer === undefined) return [];
    const content = await readBytesIfThere(lfsPlace(gitFolder, pointer.oid), FILE_LIMITS.tape);
    return content !== undefined && lfsDigest(content) === pointer.oid ? [[id, content]] : [];
  });
  return new Map([...contents, ...(await Promise.all(fetched)).flat()]);
}

/** Whether a pointer stands for this content. */
export function isPointerTo(pointer: Uint8Array, content: Uint8Array): boolean {
  const oid = readLfsPointer(pointer)?.oid;
  return oid !== undefined && oid === lfsDigest(content);
}
