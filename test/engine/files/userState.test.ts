import assert from 'node:assert/strict';
import { chmod, lstat, mkdir, readdir, symlink, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { privateStateFolder } from '../../../src/engine/files/userState';
import { inFolder } from '../../harness/support';

/** Has the user's state in an empty folder meanwhile. */
async function withState(test: (folder: string) => Promise<void>): Promise<void> {
  const { XDG_STATE_HOME } = process.env;
  await inFolder(async (folder) => {
    process.env.XDG_STATE_HOME = folder;
    try {
      await test(folder);
    } finally {
      if (XDG_STATE_HOME === undefined) delete process.env.XDG_STATE_HOME;
      else process.env.XDG_STATE_HOME = XDG_STATE_HOME;
    }
  });
}

describe('a private folder of the user', function () {
  if (process.platform === 'win32') this.pending = true;

  it('is made for the user alone', async () => {
    await withState(async (state) => {
      const folder = await privateStateFolder('compiled', '1.0.0');
      assert.equal(folder, join(state, 'tapedeck/compiled/1.0.0'));
      assert.equal((await lstat(folder)).mode & 0o777, 0o700);
      assert.equal(await privateStateFolder('compiled', '1.0.0'), folder);
    });
  });

  it('is none where others can write, and none behind a link', async () => {
    for (const open of ['tapedeck/compiled', 'tapedeck/compiled/1.0.0'])
      await withState(async (state) => {
        await privateStateFolder('compiled', '1.0.0');
        await chmod(join(state, open), 0o777);
        assert.equal(await privateStateFolder('compiled', '1.0.0'), undefined);
      });
    await withState(async (state) => {
      await mkdir(join(state, 'elsewhere'), { mode: 0o700 });
      await mkdir(join(state, 'tapedeck/compiled'), { recursive: true, mode: 0o700 });
      await symlink(join(state, 'elsewhere'), join(state, 'tapedeck/compiled/1.0.0'));
      assert.equal(await privateStateFolder('compiled', '1.0.0'), undefined);
    });
  });

  it('is none where it cannot be made', async () => {
    process.env.XDG_STATE_HOME = '/dev/null/state';
    try {
      assert.equal(await privateStateFolder('compiled', '1.0.0'), undefined);
    } finally {
      delete process.env.XDG_STATE_HOME;
    }
  });

  it('takes the place of those of versions that nobody has made for two months', async () => {
    await withState(async (state) => {
      const all = join(state, 'tapedeck/compiled');
      for (const version of ['0.8.0', '0.9.0']) await privateStateFolder('compiled', version);
      const longAgo = new Date(Date.now() - 61 * 24 * 60 * 60 * 1000);
      await utimes(join(all, '0.8.0'), longAgo, longAgo);
      await privateStateFolder('compiled', '0.9.0');
      assert.deepEqual(await readdir(all), ['0.8.0', '0.9.0']);
      await privateStateFolder('compiled', '1.0.0');
      assert.deepEqual((await readdir(all)).sort(), ['0.9.0', '1.0.0']);
    });
  });
});
