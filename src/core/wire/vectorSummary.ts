import type { ChatResponse } from '../tapes/tape';

/** `3 vectors of 1536 numbers`; undefined for an answer without vectors. */
export function vectorSummary(response: ChatResponse | undefined): string | undefined {
  const found = response?.parts?.find((part) => part.type === 'embeddings');
  if (found === undefined) return undefined;
  const vectors = `${found.count} ${found.count === 1 ? 'vector' : 'vectors'}`;
  return found.dimensions === undefined ? vectors : `${vectors} of ${found.dimensions} numbers`;
}
