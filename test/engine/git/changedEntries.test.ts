import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { buildEngine, type TestProject } from '../../harness/builtEngine';
import { git, inRepository, NEW, OLD } from '../../harness/repository';

/** The tapes that `check` tells. */
async function told(project: TestProject): Promise<readonly string[]> {
  const { stdout } = await project.cli(['check', '--json']);
  const { files } = JSON.parse(stdout) as { files: readonly { path: string }[] };
  return files.map(({ path }) => path);
}

describe('a tape whose deletion is staged, and that is there, untracked', function () {
  this.timeout(60_000);
  before(buildEngine);

  it('is one tape, compared with the last commit', async () => {
    await inRepository({ 'same.tape.json': OLD, 'changed.tape.json': OLD }, async (project) => {
      git(project, 'rm', '-q', '--cached', 'same.tape.json', 'changed.tape.json');
      writeFileSync(project.path('changed.tape.json'), NEW);
      assert.deepEqual(await told(project), ['changed.tape.json']);
    });
  });
});
