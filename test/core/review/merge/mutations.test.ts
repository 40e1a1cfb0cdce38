import assert from 'node:assert/strict';
import { corpusSuite } from '../../../corpus';
import { runBenchmark } from '../../../soak/reviewBenchmark';

corpusSuite('real tapes with known edits', () => {
  it('are reviewed as having exactly these; the whole benchmark is test/soak/reviewBenchmark.mjs', () => {
    const said: string[] = [];
    assert.ok(
      runBenchmark(60, 3, (line) => said.push(line)),
      said.join('\n'),
    );
  });
});
