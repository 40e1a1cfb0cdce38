import { Worker } from 'node:worker_threads';
import { portChannel, type ReaderStart } from '../../protocol/reader';
import { ThreadSource } from './transcript/threadSource';

/**
 * What reading leaves behind dies young, and is collected often where there is little room for it. With the room that an
 * extension host has, a tape of 100 MB left 134 MB of garbage in memory that the engine does not give back.
 */
const YOUNG_GENERATION_MB = 8;

/** Starts `script`, the bundle of `src/reader/main.ts`. What it holds is not the extension host's, and goes when it ends. */
export function startReader(script: string, start: ReaderStart): ThreadSource {
  const worker = new Worker(script, {
    workerData: start,
    // Those of the extension host are for it alone, such as the port of its debugger.
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
    worker.once('exit', () => resolve('its reader has ended'));
  });
}
