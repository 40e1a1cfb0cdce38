import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { readdir, writeFile } from 'node:fs/promises';
import * as nodeModule from 'node:module';
import { join } from 'node:path';
import { buildEngine, inProject, scripted } from '../../harness/builtEngine';

const isSupported = 'enableCompileCache' in nodeModule;

describe('the compiled code of the engine', function () {
  this.timeout(60_000);
  before(buildEngine);

  it('is kept in the state of the user by the commands that load much, where Node can, and not trusted where it is damaged', async () => {
    await inProject({ 'cases/a.toml': scripted('a', ['hello']) }, async (project) => {
      const state = project.path('state');
      const env = { XDG_STATE_HOME: state };
      const kept = join(state, 'tapedeck/compiled');
      await project.engine(['--version'], env);
      assert.equal(existsSync(kept), false);
      const first = await project.engine(['run', 'cases'], env);
      assert.equal(first.code, 0, first.stderr);
      assert.equal(existsSync(kept), isSupported);
      if (!isSupported) return;
      const files = (await readdir(kept, { recursive: true, withFileTypes: true })).filter((one) => one.isFile());
      assert.ok(files.length > 5);
      for (const { parentPath, name } of files) await writeFile(join(parentPath, name), Buffer.alloc(5000, 'x'));
      const again = await project.engine(['run', 'cases'], env);
      assert.deepEqual([again.code, again.stderr], [0, first.stderr]);
    });
  });
});
