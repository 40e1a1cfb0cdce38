import { decodeLatin1 } from '../bytes/latin1';
import { digest53 } from '../hash/digest53';
import { grouped } from '../text/counts';
import { t } from '../text/l10n';

/** Bytes that are digested at once, so that a large file is not held as text. */
const PIECE_BYTES = 2 ** 20;
/** Bytes of a side that are shown before the first difference, and from it on. */
const LEAD = 200;
const LENGTH = 2000;
/** Bytes that are shown of a side without another. */
const BEGINNING = 100_000;

/** A digest of a file's bytes; empty if there is no file. */
export function contentDigest(bytes: Uint8Array | undefined): string {
  if (bytes === undefined) return '';
  const digests: string[] = [String(bytes.length)];
  for (let at = 0; at < bytes.length; at += PIECE_BYTES)
    digests.push(digest53(decodeLatin1(bytes.subarray(at, at + PIECE_BYTES))).toString(36));
  return digests.join();
}

/** Both sides of a file where they first differ. */
export function differingParts(before: Uint8Array, after: Uint8Array): readonly [before: string, after: string] {
  const shorter = Math.min(before.length, after.length);
  let at = 0;
  while (at < shorter && before[at] === after[at]) at += 1;
  return [partOf(before, Math.max(0, at - LEAD), at + LENGTH), partOf(after, Math.max(0, at - LEAD), at + LENGTH)];
}

export function beginningOf(bytes: Uint8Array | undefined): string {
  return bytes === undefined ? '' : partOf(bytes, 0, BEGINNING);
}

/** A part of a file, with the size of what is left out before and after it. */
function partOf(bytes: Uint8Array, start: number, end: number): string {
  const rest = bytes.length - end;
  const shown = new TextDecoder().decode(bytes.subarray(start, end));
  return `${start > 0 ? t('({0} bytes)…', grouped(start)) : ''}${shown}${rest > 0 ? t('…({0} more bytes)', grouped(rest)) : ''}`;
}
