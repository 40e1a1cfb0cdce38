import assert from 'node:assert/strict';
import { killRounds } from '../../harness/killRounds';

const KILLS = Number(process.env.TAPEDECK_KILLS ?? 8);

describe('a recording that is killed', function () {
  this.timeout(120_000 + KILLS * 10_000);

  it('leaves the old tape or the new one, whole', async () => {
    const counts = await killRounds(KILLS);
    assert.equal(counts.torn, 0);
    assert.equal(counts.old + counts.new, KILLS);
  });
});
