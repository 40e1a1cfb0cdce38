import assert from 'node:assert/strict';
import { killRounds } from '../../harness/killRounds';

describe('a recording that is killed', function () {
  this.timeout(120_000);

  it('leaves the old tape or the new one, whole', async function () {
    if (process.platform === 'win32') return this.skip();
    const counts = await killRounds(8);
    assert.equal(counts.torn, 0);
    assert.equal(counts.old + counts.new, 8);
  });
});
