import type { NormaliseRules } from '../model/normalise';

/** The content of a file as a review showed it. */
export interface SeenContent {
  /** SHA-256, in hex. */
  readonly digest: string;
  /** In bytes. */
  readonly size: number;
}

/** Both sides of a review; a side without a file is absent. Files may be large, so their bytes are not kept. */
export interface SeenSides {
  readonly before?: SeenContent;
  readonly after?: SeenContent;
}

/** SHA-256 in hex: engine and editor have different ones. */
type Digest = (content: Uint8Array | string) => string;

export function seenSides(
  { before, after }: { readonly before?: Uint8Array | undefined; readonly after?: Uint8Array | undefined },
  digest: Digest,
): SeenSides {
  const seen = (bytes: Uint8Array): SeenContent => ({ digest: digest(bytes), size: bytes.length });
  return { ...(before && { before: seen(before) }), ...(after && { after: seen(after) }) };
}

/**
 * Identifies what a review shows: both sides and the rules by which they were compared. A decision carries the stamp of
 * what was seen, and is refused when that has changed.
 */
export function reviewStamp({ before, after }: SeenSides, rules: NormaliseRules, digest: Digest): string {
  const digests = [before, after].map((side) => side?.digest ?? '-');
  return [...digests, digest(JSON.stringify(rules))].join('.');
}
