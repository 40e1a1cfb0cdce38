import type { SelfCheckDocument } from '../reporters/documents';

export type Check = SelfCheckDocument['checks'][number];

export function messageOf(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  // Node adds the modules that wanted one that is missing.
  return text.split('\n', 1)[0] ?? text;
}
