import { createHash } from 'node:crypto';

/** Tells one content of a file from another; `-` where there is no file. */
export function contentDigest(bytes: Uint8Array | undefined): string {
  return bytes === undefined ? '-' : createHash('sha1').update(bytes).digest('hex');
}
