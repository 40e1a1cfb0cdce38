import { Worker } from 'node:worker_threads';
import { portChannel, type ReaderStart } from '../../protocol/reader';
import { ThreadSource } from './transcript/threadSource';

/**
 * Reading creates much short-lived garbage, and a small young generation has it collected often. With the size that an
 * extension host has, a tape of 100 MB left 134 MB of garbage that V8 does not return to the system.
 */
const YOUNG_GENERATION_MB = 8;

/** Starts `script`, the bundle of `src/reader/main.ts`, in a thread. Its memory is freed when the thread ends. */
export function startReader(script: string, start: ReaderStart): ThreadSource {
  const worker = new Worker(script, {
    workerData: start,
    // The extension host's own arguments, such as its debugger's port, must not be inherited.
    execArgv: [],
    resourceLimits: { maxYoungGenerationSizeMb: YOUNG_GENERATION_MB },
  });
  const name = start.path.slice(start.path.lastIndexOf('/') + 1);
  return new ThreadSource(
    { channel: portChannel(worker), ended: ending(worker), end: () => void worker.terminate() },
    name,
  );
}

function ending(worker: Worker): Promise<string> {
  return new Promise((resolve) => {
    worker.once('error', (error) => resolve(error instanceof Error ? error.message : String(error)));
    worker.once('exit', () => resolve('its reader stopped unexpectedly'));
  });
}
