import { join } from 'node:path';

/** A file that is loaded into an agent's runtime, or runs beside it. They are beside the sources, and in the same place beside what is built. */
export function preloadFile(name: 'node.cjs' | 'python' | 'relay.cjs'): string {
  return join(__dirname, '..', 'preload', name);
}
