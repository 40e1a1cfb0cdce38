import assert from 'node:assert/strict';
import { killDecisions } from '../../harness/killDecisions';

describe('a decision that is killed', function () {
  this.timeout(120_000);

  it('leaves the old file or the new one, whole', async function () {
    if (process.platform === 'win32') return this.skip();
    const { torn, rounds } = await killDecisions(6);
    assert.deepEqual([torn, rounds], [0, 6]);
  });
});
