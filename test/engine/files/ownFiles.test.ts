import assert from 'node:assert/strict';
import { mkdir, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { inProject, scripted, type TestProject } from '../../harness/builtEngine';
import { tapedeck } from '../../harness/inProcess';

const OUT = '../out';

/** A case that the practice model answers, recorded to this place. */
const recordedTo = (tape: string) =>
  `name = "n"\nprompt = "hi"\n[llm]\nrecord_tape = "${tape}"\n[llm.provider]\nkind = "practice"\n`;

/** A project in a folder that has another one, with another user's file, beside it. */
async function besideOthers(
  files: Readonly<Record<string, string>>,
  test: (project: TestProject, folder: string) => Promise<void>,
): Promise<void> {
  const inner = Object.fromEntries(Object.entries(files).map(([path, text]) => [`mine/${path}`, text]));
  await inProject({ ...inner, 'mine/tapedeck.toml': '', 'out/notes.txt': 'notes' }, (project) =>
    test(project, project.path('mine')),
  );
}

describe('what a run writes', function () {
  if (process.platform === 'win32') return;
  this.timeout(30_000);

  for (const tape of ['a.toml', '../README.md'])
    it(`is not put over what is no tape: ${tape}`, async () => {
      const text = recordedTo(tape);
      await besideOthers({ 'cases/a.toml': text, 'README.md': '# Mine' }, async (project) => {
        const { code, stdout } = await tapedeck({ root: project.path('mine') }, 'run', 'cases/a.toml', '--record');
        assert.equal(code, 2);
        assert.match(stdout, /is not a tape in a known format, so it was not overwritten/);
        assert.deepEqual(
          [await project.read('mine/cases/a.toml'), await project.read('mine/README.md')],
          [text, '# Mine'],
        );
      });
    });

  const links: Readonly<Record<string, readonly [path: string, target: string]>> = {
    'a linked tape': ['tapes/t.json', '../../out/notes.txt'],
    'a linked folder of tapes': ['tapes', OUT],
    'a linked folder of takes and runs': ['.tapedeck', OUT],
  };
  for (const [what, [path, target]] of Object.entries(links))
    for (const args of [
      ['run', 'cases/a.toml', '--record'],
      ['exec', '--allow-none', '--record', '--tape', 'tapes/t.json', '--', 'true'],
    ])
      it(`does not leave the project by ${what}: ${args[0]}`, async () => {
        await besideOthers({ 'cases/a.toml': recordedTo('../tapes/t.json') }, async (project, folder) => {
          await mkdir(join(folder, path, '..'), { recursive: true });
          await symlink(target, join(folder, path));
          const { code, stdout, stderr } = await tapedeck({ root: project.path('mine') }, ...args);
          assert.equal(code, 2, stdout + stderr);
          assert.match(stdout + stderr, /resolves through a link to .*out.*, which is outside the project/);
          assert.deepEqual(await readdir(project.path('out')), ['notes.txt']);
          assert.equal(await project.read('out/notes.txt'), 'notes');
        });
      });

  it('is a baseline only where none or another is', async () => {
    await besideOthers({ 'cases/a.toml': scripted('a', ['hello']) }, async (project, folder) => {
      const update = () => tapedeck({ root: project.path('mine') }, 'run', 'cases/a.toml', '--update-baselines');
      const path = join(folder, 'cases/a.baseline.json');
      await writeFile(path, '# Mine');
      assert.notEqual((await update()).code, 0);
      assert.equal(await readFile(path, 'utf8'), '# Mine');
      await rm(path);
      await symlink('../../out/new.json', path);
      await writeFile(project.path('out/new.json'), '');
      assert.notEqual((await update()).code, 0);
      assert.equal(await project.read('out/new.json'), '');
      await rm(path);
      assert.equal((await update()).code, 0);
      const { stdout } = await tapedeck({ root: project.path('mine') }, 'run', 'cases/a.toml');
      assert.match(stdout, /baseline/);
      await project.write('out/new.json', await readFile(path, 'utf8'));
      await rm(path);
      await symlink('../../out/new.json', path);
      await project.write('mine/cases/a.toml', scripted('a', ['hello you']));
      const { code, stdout: refused } = await update();
      assert.equal(code, 2);
      assert.match(refused, /a\.baseline\.json resolves through a link/);
    });
  });
});
