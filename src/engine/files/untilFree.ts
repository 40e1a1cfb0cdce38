import { setTimeout as pause } from 'node:timers/promises';
import { hasCode } from '../errors/systemError';

/** Only Windows refuses to rename, replace, or remove what another program has open, such as a virus scanner that reads each new file. */
const PATIENCE_MS = process.platform === 'win32' ? 2_000 : 0;
const FIRST_PAUSE_MS = 10;

/** What Windows says of a file or folder that is in use, and of one whose removal waits for its last reader. */
const IN_USE = ['EBUSY', 'EPERM', 'EACCES', 'ENOTEMPTY'] as const;

/**
 * Does `work`, on Windows again for a while as long as what it changes is in use by another program. Rejects with the system's last
 * error.
 */
export async function untilFree<T>(work: () => T | Promise<T>, patienceMs = PATIENCE_MS): Promise<T> {
  const started = performance.now();
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs *= 2) {
    try {
      return await work();
    } catch (error) {
      const left = started + patienceMs - performance.now();
      if (left <= 0 || !hasCode(error, ...IN_USE)) throw error;
      await pause(Math.min(pauseMs, left));
    }
  }
}
