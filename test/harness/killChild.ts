import { writeSync } from 'node:fs';
import { copiedContent } from '../../src/engine/recording/recordedContent';
import { replaceTape } from '../../src/engine/recording/replaceTape';
import { recordTake } from './killTake';

/** node killChild.js ROOT TAPE FIRST [LAST]   records take after take onto the tape, without a last one until it is killed. */
async function recordTakes([root = '', tapePath = '', first = '1', last]: readonly string[]): Promise<void> {
  for (let number = Number(first); last === undefined || number <= Number(last); number += 1) {
    writeSync(1, `begun ${number}\n`);
    await replaceTape({ root, tapePath, content: copiedContent(await recordTake(number)) });
    writeSync(1, `done ${number}\n`);
  }
}

void recordTakes(process.argv.slice(2));
