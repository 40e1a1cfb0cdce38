import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';

describe('tapes that other libraries write, with known edits', () => {
  it('are reviewed as having exactly these; the whole run is test/soak/edits.mjs', () => {
    const { status, stdout, stderr } = spawnSync(process.execPath, ['test/soak/edits.mjs', '160', '3'], {
      encoding: 'utf8',
    });
    assert.equal(status, 0, stdout + stderr);
    assert.match(stdout, /precision 1\.0000, recall 1\.0000/);
  });
});
