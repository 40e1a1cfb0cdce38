import { HEAP_GROWTH } from '../engine/files/heapGrowth';
import { ChunkLoader } from './chunkLoader';

/** Set by the build: the digest of all chunks. */
declare const BUILD: string;

/** Longer than it takes a server to start, and to serve its first request. */
const STARTED_MS = 2000;
/** The exit code of a command that did not begin. */
const NOT_UNDERSTOOD = 2;

const [, , command = ''] = process.argv;
// The help and the version load little.
if (/^[a-z][a-z-]*$/.test(command) && command !== 'help') start(command);
else require('./chunks/engine.js');

function start(name: string): void {
  let v8: typeof import('node:v8') | undefined;
  const chunks = new ChunkLoader({
    name,
    folder: __dirname,
    build: BUILD,
    require: (id) => {
      if (id !== 'node:v8') return require(id);
      v8 ??= require('node:v8') as typeof import('node:v8');
      return v8;
    },
    // Until Node 22, V8 rejects what was compiled with other flags, and the engine changes one: nothing else loads `node:v8`.
    compile: (task) => {
      if (v8 === undefined) return task();
      v8.setFlagsFromString(HEAP_GROWTH.usual);
      try {
        return task();
      } finally {
        v8.setFlagsFromString(HEAP_GROWTH.slow);
      }
    },
  });
  process.once('exit', (code) => {
    if (code !== NOT_UNDERSTOOD) chunks.keep();
  });
  setTimeout(() => chunks.keep(), STARTED_MS).unref();
  chunks.load('chunks/engine.js');
}
