import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { ProgressLine } from '../../../src/engine/terminal/progress';

describe('the line of progress', function () {
  this.timeout(10_000);

  it('is silent for what ends within a second', async () => {
    const shown: string[] = [];
    const line = new ProgressLine({ progress: (text) => shown.push(text) });
    line.show('1 of 2');
    await sleep(300);
    line.show('2 of 2');
    line.end();
    await sleep(1000);
    assert.deepEqual(shown, ['']);
  });

  it('then shows the last text, also where nothing more happens, and not every one of many', async () => {
    const shown: string[] = [];
    const line = new ProgressLine({ progress: (text) => shown.push(text) });
    line.show('first');
    line.show('waits for a model');
    await sleep(1500);
    assert.deepEqual(shown, ['waits for a model']);
    for (let number = 0; number < 1000; number += 1) line.show(`${number} of 1000`);
    await sleep(300);
    assert.equal(shown.at(-1), '999 of 1000');
    assert.ok(shown.length < 6, `${shown.length}`);
    line.end();
    assert.equal(shown.at(-1), '');
  });
});
