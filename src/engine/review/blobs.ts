import { git } from './git';

const NEWLINE = 0x0a;

/** The contents of objects by their ids, in one run of git. */
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
