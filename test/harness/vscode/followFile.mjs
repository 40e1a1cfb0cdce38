import { createReadStream, statSync, writeFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';

/**
 * Makes an empty file and passes on what is appended to it.
 * @param {string} file
 * @param {import('node:stream').Writable} target
 * @returns {() => Promise<void>} passes on the rest and ends
 */
export function followFile(file, target) {
  writeFileSync(file, '');
  let position = 0;
  let ended = false;
  const passOn = async () => {
    const end = statSync(file).size;
    if (end === position) return;
    for await (const chunk of createReadStream(file, { start: position, end: end - 1 })) target.write(chunk);
    position = end;
  };
  const following = (async () => {
    for (; !ended; await delay(100)) await passOn();
    await passOn();
  })();
  return () => {
    ended = true;
    return following;
  };
}
