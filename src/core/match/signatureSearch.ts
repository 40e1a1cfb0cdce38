import { indexParts, type PartIndex } from './partIndex';
import type { Signature, Sketches } from './signature';

/** Finds recorded requests, by their places, from what is kept of each. */
export interface SignatureSearch {
  /** Those that mean the same under the masks, in their order; always the same list for the same key. */
  withKey(key: string): readonly number[];
  /** Those that are equal, likewise. */
  withPlainKey(key: string): readonly number[];
  readonly parts: PartIndex;
}

export function searchSignatures(signatures: readonly Signature[], sketches: Sketches): SignatureSearch {
  const byKey: Queues = new Map();
  const byPlainKey: Queues = new Map();
  for (const [at, { key, plainKey }] of signatures.entries()) {
    append(byKey, key, at);
    append(byPlainKey, plainKey, at);
  }
  return {
    withKey: (key) => byKey.get(key) ?? NONE,
    withPlainKey: (key) => byPlainKey.get(key) ?? NONE,
    parts: indexParts(signatures, sketches),
  };
}

/** The places of recordings, by a key of their requests. */
export type Queues = Map<string, number[]>;

export const NONE: readonly number[] = [];

export function append(queues: Queues, key: string, at: number): void {
  const queue = queues.get(key);
  if (queue === undefined) queues.set(key, [at]);
  else queue.push(at);
}
