import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createRepository } from '../../../src/engine/git/createRepository';
import { inFolder } from '../../harness/support';

describe('creating a repository', () => {
  it('commits all files but the ignored ones, in the name of Tapedeck', async () => {
    await inFolder(async (folder) => {
      await mkdir(join(folder, 'cases'));
      await writeFile(join(folder, 'cases/a.toml'), 'name = "a"\n');
      await writeFile(join(folder, '.gitignore'), '.tapedeck/\n');
      await mkdir(join(folder, '.tapedeck'));
      await writeFile(join(folder, '.tapedeck/x'), '');
      await createRepository(folder, 'The sample project');
      const git = (...args: readonly string[]) => execFileSync('git', args, { cwd: folder, encoding: 'utf8' }).trim();
      assert.equal(git('log', '--format=%an %s'), 'Tapedeck The sample project');
      assert.equal(git('status', '--porcelain'), '');
      assert.deepEqual(git('ls-files').split('\n'), ['.gitignore', 'cases/a.toml']);
    });
  });

  it('leaves a repository that there is alone', async () => {
    await inFolder(async (folder) => {
      execFileSync('git', ['init', '-q'], { cwd: folder });
      await assert.rejects(createRepository(folder, 'x'), /is a git repository already/);
    });
  });
});
