import { type ResourceLimits, Worker } from 'node:worker_threads';
import type { ListerStart } from '../../contracts/reader/lister';
import { portChannel, type ReaderStart, type ThreadData } from '../../contracts/reader/reader';
import { currentLayouts } from '../../core/tapes/declaredLayouts';
import { currentTranslation, t } from '../../core/text/l10n';
import type { ListerThread } from '../stores/tapes/tapeLister';
import { ThreadSource } from './transcript/threadSource';

/**
 * Reading creates much short-lived garbage, and a small young generation has it collected often. With the size that an
 * extension host has, a tape of 100 MB left 134 MB of garbage that V8 does not return to the system.
 */
const YOUNG_GENERATION_MB = 8;

/** What lists may take: a tape that needs more is listed without its content. */
const LISTER_MB = 512;

/** Starts `script`, the bundle of `src/reader/main.ts`, in a thread. Its memory is freed when the thread ends. */
export function startReader(script: string, start: ReaderStart): ThreadSource {
  const name = start.path.slice(start.path.lastIndexOf('/') + 1);
  return new ThreadSource(threadOf(script, start, {}), name);
}

/** Starts the same script as a thread that lists tapes. */
export function startLister(script: string, maxMb = LISTER_MB): ListerThread {
  const start: ListerStart = { lists: true };
  return threadOf(script, start, { maxOldGenerationSizeMb: maxMb });
}

/** Reads a text to be listed; undefined if there is none. */
export async function readDisk(path: string): Promise<string | undefined> {
  const { readListedText } = await import('../../reader/readFile');
  return readListedText(path);
}

function threadOf(script: string, start: ReaderStart | ListerStart, limits: ResourceLimits): ListerThread {
  const worker = new Worker(script, {
    workerData: { start, translation: currentTranslation(), layouts: currentLayouts() } satisfies ThreadData,
    // The extension host's own arguments, such as its debugger's port, must not be inherited.
    execArgv: [],
    resourceLimits: { maxYoungGenerationSizeMb: YOUNG_GENERATION_MB, ...limits },
  });
  return { channel: portChannel(worker), ended: ending(worker), end: () => void worker.terminate() };
}

function ending(worker: Worker): Promise<string> {
  return new Promise((resolve) => {
    worker.once('error', (error) => resolve(error instanceof Error ? error.message : String(error)));
    worker.once('exit', () => resolve(t('its reader stopped unexpectedly')));
  });
}
