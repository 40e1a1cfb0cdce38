import assert from 'node:assert/strict';
import { killDecisions } from '../../harness/killDecisions';

const KILLS = Number(process.env.TAPEDECK_KILLS ?? 6);

describe('a decision that is killed', function () {
  this.timeout(120_000 + KILLS * 10_000);

  it('leaves the old file or the new one, whole', async () => {
    const { torn, rounds } = await killDecisions(KILLS);
    assert.deepEqual([torn, rounds], [0, KILLS]);
  });
});
