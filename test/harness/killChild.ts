import { writeSync } from 'node:fs';
import { copiedContent } from '../../src/engine/recording/recordedContent';
import { replaceTape } from '../../src/engine/recording/replaceTape';
import { recordTake } from './killTake';

/** node killChild.js ROOT TAPE FIRST   records take after take onto the tape until it is killed. */
async function recordForEver([root = '', tapePath = '', first = '1']: readonly string[]): Promise<void> {
  for (let number = Number(first); ; number += 1) {
    writeSync(1, `begun ${number}\n`);
    await replaceTape({ root, tapePath, content: copiedContent(await recordTake(number)) });
    writeSync(1, `done ${number}\n`);
  }
}

void recordForEver(process.argv.slice(2));
