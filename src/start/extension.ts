import type * as extension from '../extension';
import { ChunkLoader } from './chunkLoader';

/** Set by the build: the digest of all chunks. */
declare const BUILD: string;

/** What is loaded shortly after the activation is kept as well. */
const STARTED_MS = 2000;

const chunks = new ChunkLoader({ name: 'extension', folder: __dirname, build: BUILD, require });
const main = chunks.load('chunks/extension.js') as typeof extension;

export function activate(context: Parameters<typeof extension.activate>[0]): void {
  main.activate(context);
  setTimeout(deactivate, STARTED_MS).unref();
}

/** What V8 has compiled is kept for the next window. */
export function deactivate(): void {
  chunks.keep();
}
