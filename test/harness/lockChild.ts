import { appendFileSync, writeSync } from 'node:fs';
import { withLock } from '../../src/engine/files/lock';

/** node lockChild.js ROOT LOG COUNT   enters and leaves a lock again and again; two lines of others never stand between its own. */
async function enterAndLeave([root = '', log = '', count = '1']: readonly string[]): Promise<void> {
  writeSync(1, 'ready\n');
  for (let turn = 0; turn < Number(count); turn += 1)
    await withLock(root, `${root}/file`, async () => {
      appendFileSync(log, `in ${process.pid}\n`);
      await new Promise((resolve) => setTimeout(resolve, Math.random() * 3));
      appendFileSync(log, `out ${process.pid}\n`);
    });
}

void enterAndLeave(process.argv.slice(2));
