import { createHash } from 'node:crypto';
import { join, resolve } from 'node:path';
import { FILE_LIMITS } from '../../core/bytes/fileLimits';
import { readLfsPointer } from '../../core/verify/lfsPointer';
import { readBytesIfThere } from '../files/readFile';
import { git } from './git';

const NEWLINE = 0x0a;

/** The contents of objects by their ids, with one run of git. */
export async function readBlobs(repository: string, ids: readonly string[]): Promise<ReadonlyMap<string, Buffer>> {
  const blobs = new Map<string, Buffer>();
  const wanted = [...new Set(ids)];
  if (wanted.length === 0) return blobs;
  const printed = await git(repository, ['cat-file', '--batch'], `${wanted.join('\n')}\n`);
  // `id type size`, a newline, the content, a newline; or `id missing`.
  for (let at = 0; at < printed.length; ) {
    const end = printed.indexOf(NEWLINE, at);
    const [id = '', , size] = printed.toString('latin1', at, end).split(' ');
    at = end + 1;
    if (size === undefined) continue;
    blobs.set(id, printed.subarray(at, at + Number(size)));
    at += Number(size) + 1;
  }
  return blobs;
}

/**
 * The same objects, with the content of Git LFS pointers where git-lfs has fetched it. It is read from git-lfs's own
 * folder, because letting git resolve it would run the filters that the repository configures.
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
    const content = await readBytesIfThere(path, FILE_LIMITS.tape);
    return content !== undefined && lfsDigest(content) === oid ? [[id, content]] : [];
  });
  return new Map([...blobs, ...(await Promise.all(fetched)).flat()]);
}

export function lfsDigest(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}
