import { writeSync } from 'node:fs';
import { restoreTake } from '../../src/engine/recording/restoreTake';

/** node restoreChild.js ROOT PATH TAKE TAKE   restores one take after the other until it is killed. */
async function restoreForEver([root = '', path = '', ...takes]: readonly string[]): Promise<void> {
  for (let turn = 0; ; turn += 1) {
    writeSync(1, '.');
    await restoreTake({ root, path, take: takes[turn % takes.length] ?? '' });
  }
}

void restoreForEver(process.argv.slice(2));
