import assert from 'node:assert/strict';
import { mkdir, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { createJournalFile } from '../../../src/engine/files/journalFile';
import { withLock } from '../../../src/engine/files/lock';
import { keepCopy, removeInProject, removeOwnFolder, writeInProject } from '../../../src/engine/files/writeFile';
import { inFolder } from '../../harness/support';

const KEPT = 'src/kept.txt';
const REFUSED = /is a link, and nothing in \.tapedeck\/ is read, written, or removed through a link/;

/** A project with a file of its own, and a link in place of a folder or file of `.tapedeck`. */
async function withLink(
  link: string,
  target: string,
  test: (root: string, path: (name: string) => string) => Promise<void>,
): Promise<void> {
  await inFolder(async (root) => {
    const path = (name: string) => join(root, name);
    await mkdir(path('src'));
    await writeFile(path(KEPT), 'kept');
    await mkdir(dirname(path(link)), { recursive: true });
    await symlink(target, path(link));
    await test(root, path);
    assert.equal(await readFile(path(KEPT), 'utf8'), 'kept');
    assert.deepEqual(await readdir(path('src')), ['kept.txt'], 'nothing was added');
  });
}

describe('the project’s own folder', () => {
  if (process.platform === 'win32') return;

  const links: readonly (readonly [link: string, target: string, written: string])[] = [
    ['.tapedeck', 'src', '.tapedeck/kept.txt'],
    ['.tapedeck/runs', '../src', '.tapedeck/runs/kept.txt'],
    ['.tapedeck/runs', '../src', '.tapedeck/runs/deep/new.json'],
    ['.tapedeck/takes/tapes', '../../src', '.tapedeck/takes/tapes/kept.txt'],
    ['.tapedeck/runs/a.json', '../../src/kept.txt', '.tapedeck/runs/a.json'],
    ['.tapedeck/runs/a.json', '../../src/none.txt', '.tapedeck/runs/a.json'],
    ['.tapedeck/tmp', '../src', '.tapedeck/runs/a.json'],
    ['.tapedeck/tmp', '../src', 'tapes/a.json'],
  ];
  for (const [link, target, written] of links)
    it(`is not written or removed through ${link} -> ${target}: ${written}`, () =>
      withLink(link, target, async (root, path) => {
        await assert.rejects(writeInProject(root, path(written), 'new'), REFUSED);
        await assert.rejects(keepCopy(root, path(KEPT), path(written)), REFUSED);
        if (!link.endsWith('tmp')) await assert.rejects(removeInProject(root, path(written)), REFUSED);
      }));

  it('takes no lock and no journal through a link', async () => {
    for (const folder of ['locks', 'journal'])
      await withLink(`.tapedeck/${folder}`, '../src', async (root, path) => {
        const work =
          folder === 'locks' ? withLock(root, path('a'), async () => undefined) : createJournalFile(root, 'a.jsonl');
        await assert.rejects(work, /is a link/);
      });
  });

  it('is reached by no link from elsewhere in the project', () =>
    withLink('tapes', '.tapedeck/takes', async (root, path) => {
      await writeInProject(root, path('.tapedeck/takes/t.json'), 'take');
      await assert.rejects(writeInProject(root, path('tapes/t.json'), 'new'), /is a link/);
      assert.equal(await readFile(path('.tapedeck/takes/t.json'), 'utf8'), 'take');
    }));

  it('is used where the project itself is reached by a link', () =>
    inFolder(async (folder) => {
      await mkdir(join(folder, 'real'));
      await symlink('real', join(folder, 'root'));
      await writeInProject(join(folder, 'root'), join(folder, 'root/.tapedeck/runs/a.json'), 'run');
      assert.equal(await readFile(join(folder, 'real/.tapedeck/runs/a.json'), 'utf8'), 'run');
      await removeOwnFolder(join(folder, 'root'), join(folder, 'root/.tapedeck/forks/x'));
    }));

  it('has a folder removed that was made for one thing, and nothing that a link leads to', async () => {
    await withLink('.tapedeck/stability/a/take-1/linked', '../../../../src', async (root, path) => {
      await removeOwnFolder(root, path('.tapedeck/stability/a'));
      assert.deepEqual(await readdir(path('.tapedeck/stability')), []);
    });
    await withLink('.tapedeck/stability', '..', (root, path) =>
      assert.rejects(removeOwnFolder(root, path('.tapedeck/stability/src')), /is a link/),
    );
    await withLink('.tapedeck/stability/a', '../../src', (root, path) =>
      assert.rejects(removeOwnFolder(root, path('.tapedeck/stability/a')), /is a link/),
    );
  });

  it('is not removed itself, nor the folder of a kind, nor any other folder', () =>
    inFolder(async (root) => {
      for (const folder of ['.tapedeck/takes/a', 'src/a']) await mkdir(join(root, folder), { recursive: true });
      for (const folder of [
        '.',
        '.tapedeck',
        '.tapedeck/takes',
        '.tapedeck/takes/a/..',
        '.tapedeck/takes/../..',
        'src',
        'src/a/b',
      ])
        await assert.rejects(
          removeOwnFolder(root, join(root, folder)),
          /is not a folder that may be removed as a whole/,
          folder,
        );
      await assert.rejects(removeInProject(root, join(root, 'src')), /directory/, 'a folder is no file');
      assert.deepEqual((await readdir(root)).sort(), ['.tapedeck', 'src']);
      assert.deepEqual(await readdir(join(root, '.tapedeck')), ['takes']);
    }));

  it('ignores itself, whatever is written first, and keeps what a user has in its .gitignore', () =>
    inFolder(async (root) => {
      const ignored = join(root, '.tapedeck/.gitignore');
      const read = () => readFile(ignored, 'utf8');
      await writeInProject(root, join(root, 'tapes/a.json'), 'tape');
      assert.equal(await read(), '*\n');
      await rm(join(root, '.tapedeck'), { recursive: true });
      (await createJournalFile(root, 'a.jsonl')).close();
      assert.equal(await read(), '*\n');
      await rm(join(root, '.tapedeck'), { recursive: true });
      await withLock(root, join(root, 'a'), async () => undefined);
      assert.equal(await read(), '*\n');
      await writeFile(ignored, 'runs/\n');
      await writeInProject(root, join(root, '.tapedeck/runs/a.json'), 'run');
      assert.equal(await read(), 'runs/\n');
    }));
});
