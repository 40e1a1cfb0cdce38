import { createHash } from 'node:crypto';
import type { FileSides } from '../git/changedFiles';

/** Tells one content of a file from another; `-` where there is no file. */
export function contentDigest(bytes: Uint8Array | undefined): string {
  return bytes === undefined ? '-' : createHash('sha1').update(bytes).digest('hex');
}

/** Tells whether the two sides of a file are still those that were reviewed. */
export function sidesStamp({ before, after }: FileSides): string {
  return [before, after].map(contentDigest).join('.');
}
