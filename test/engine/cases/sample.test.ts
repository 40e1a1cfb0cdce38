import assert from 'node:assert/strict';
import { cp } from 'node:fs/promises';
import { resolve } from 'node:path';
import { buildEngine, inProject } from '../../harness/builtEngine';

const SAMPLE = resolve(__dirname, '../../../media/sample');

describe('the sample project', function () {
  this.timeout(60_000);
  before(buildEngine);

  it('replays as its page says: all but the greeting match their baselines', () =>
    inProject({}, async (project) => {
      await cp(SAMPLE, project.root, { recursive: true });
      const { code, stdout } = await project.cli(['run', 'cases', '--json']);
      const { results } = JSON.parse(stdout) as { results: { name: string; status: string }[] };
      assert.equal(code, 1);
      assert.deepEqual(
        results.map(({ name, status }) => [name, status]),
        [
          ['greeting', 'failed'],
          ['order_status', 'passed'],
          ['refund_question', 'passed'],
        ],
      );
    }));
});
