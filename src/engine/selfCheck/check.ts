import type { SelfCheckDocument } from '../reporters/jsonDocuments';

export type Check = SelfCheckDocument['checks'][number];

export function messageOf(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  // Node appends the modules that required the missing one.
  return text.split('\n', 1)[0] ?? text;
}
