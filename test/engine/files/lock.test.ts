import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdir, readdir, readFile, rm, symlink, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ownIdentity } from '../../../src/engine/files/isAlive';
import { tryLock, withLock } from '../../../src/engine/files/lock';
import { childScript } from '../../harness/childScript';
import { inFolder } from '../../harness/support';

/** No process has this id: it is beyond the largest that Linux and macOS give. */
const DEAD = 99_999_999;
const HOLDER = { ...ownIdentity(), since: '2026-01-02T03:04:05.678Z', id: 'abc' };

/** A project in which another process has the lock on `file`. */
async function lockedBy(holder: object, test: (root: string, lock: string) => Promise<void>): Promise<void> {
  await inFolder(async (root) => {
    const locks = join(root, '.tapedeck/locks');
    let name = '';
    await withLock(root, join(root, 'file'), async () => {
      [name = ''] = await readdir(locks);
    });
    await writeFile(join(locks, name), JSON.stringify(holder));
    await test(root, join(locks, name));
  });
}

describe('a lock', function () {
  this.timeout(60_000);

  it('lets one at a time in, of this process, in turn', async () => {
    await inFolder(async (root) => {
      const order: number[] = [];
      let inside = 0;
      const enter = (number: number) =>
        withLock(root, join(root, 'file'), async () => {
          inside += 1;
          assert.equal(inside, 1);
          await new Promise((done) => setTimeout(done, 2));
          order.push(number);
          inside -= 1;
        });
      await Promise.all([1, 2, 3, 4, 5].map(enter));
      assert.deepEqual(order, [1, 2, 3, 4, 5]);
      assert.deepEqual(await readdir(join(root, '.tapedeck/locks')), []);
    });
  });

  it('leaves nothing of processes that were killed while they made it', async () => {
    await inFolder(async (root) => {
      const locks = join(root, '.tapedeck/locks');
      await mkdir(locks, { recursive: true });
      const left = `.tapedeck-${DEAD}-0123456789ab.tmp`;
      const inProgress = `.tapedeck-${process.pid}-0123456789ab.tmp`;
      for (const name of [left, inProgress]) await writeFile(join(locks, name), '');
      await withLock(root, join(root, 'file'), async () => undefined);
      assert.deepEqual(await readdir(locks), [inProgress]);
    });
  });

  it('lets one at a time in, of several processes, some of which are killed in it', async () => {
    await inFolder(async (root) => {
      const script = await childScript(join(__dirname, '../../harness/lockChild'), root);
      const log = join(root, 'log');
      const start = (count: number) => spawn(process.execPath, [script, root, log, String(count)], { stdio: 'pipe' });
      const ended = (child: ReturnType<typeof start>) => new Promise((done) => child.once('close', done));
      const children = Array.from({ length: 4 }, () => start(25));
      const victims = Array.from({ length: 6 }, () => start(1_000_000));
      for (const [index, victim] of victims.entries())
        victim.stdout.once('data', () => setTimeout(() => victim.kill('SIGKILL'), 100 + index * 60));
      const codes = await Promise.all([...children, ...victims].map(ended));
      assert.deepEqual(codes.slice(0, 4), [0, 0, 0, 0]);
      const killed = new Set(victims.map(({ pid }) => String(pid)));
      let holder: string | undefined;
      for (const line of (await readFile(log, 'utf8')).trimEnd().split('\n')) {
        const [what, pid = ''] = line.split(' ');
        // The one before was killed while it was in.
        if (what === 'in' && holder !== undefined) assert.ok(killed.has(holder), `${pid} came in while ${holder} was`);
        if (what === 'out') assert.equal(pid, holder);
        holder = what === 'in' ? pid : undefined;
      }
    });
  });

  it('of a process that is gone counts for nothing, also when another has its id', async () => {
    for (const gone of [{ pid: DEAD }, { started: '1' }])
      await lockedBy({ ...HOLDER, ...gone }, async (root) => {
        assert.equal(await withLock(root, join(root, 'file'), async () => 'done'), 'done');
        assert.deepEqual(await readdir(join(root, '.tapedeck/locks')), []);
      });
  });

  it('of a process that cannot be seen counts while it shows signs of life', async () => {
    await lockedBy({ ...HOLDER, machine: 'another' }, async (root, lock) => {
      const enter = () => withLock(root, join(root, 'file'), async () => 'done', { patienceMs: 50 });
      await assert.rejects(enter(), /file is being written by process \d+, since 2026-01-02T03:04:05/);
      await utimes(lock, new Date(0), new Date(0));
      assert.equal(await enter(), 'done');
    });
  });

  it('that is damaged, or a file of another program, counts for a while', async () => {
    const changes = [{ pid: 0 }, { pid: '1' }, { machine: 1 }, { started: null }, { since: 1 }, { id: '../file' }];
    const damaged = changes.map((change) => JSON.stringify({ ...HOLDER, pid: DEAD, ...change }));
    for (const text of [...damaged, '', '{', 'null', '[]'])
      await lockedBy(HOLDER, async (root, lock) => {
        await writeFile(lock, text);
        const enter = () => withLock(root, join(root, 'file'), async () => 'done', { patienceMs: 20 });
        await assert.rejects(enter(), /file is being written by process 0, since an unknown time/, text);
        await utimes(lock, new Date(0), new Date(0));
        assert.equal(await enter(), 'done');
      });
  });

  it('names its holder, is waited for with patience, and ends waiting by a signal', async () => {
    await lockedBy(HOLDER, async (root, lock) => {
      const path = join(root, 'file');
      const waiting = withLock(root, path, async () => 'done');
      setTimeout(() => void rm(lock), 60);
      assert.equal(await waiting, 'done');
      await writeFile(lock, JSON.stringify(HOLDER));
      await assert.rejects(
        withLock(root, path, async () => 'done', { patienceMs: 30 }),
        {
          message: `file is being written by process ${process.pid}, since ${HOLDER.since}`,
          fix: /Stop that process.*remove \.tapedeck\/locks\/file-[0-9a-f]{16}\.lock\.$/,
        },
      );
      const abort = new AbortController();
      setTimeout(() => abort.abort(new Error('cancelled')), 30);
      await assert.rejects(
        withLock(root, path, async () => 'done', { signal: abort.signal }),
        /cancelled|aborted/,
      );
    });
  });

  it('is one for all paths that lead to a file, and stays in the project', async function () {
    if (process.platform === 'win32') return this.skip();
    await inFolder(async (folder) => {
      const root = join(folder, 'project');
      await mkdir(root);
      await mkdir(join(folder, 'out'));
      await writeFile(join(root, 'file'), '');
      await symlink('file', join(root, 'link'));
      const held = await tryLock(root, join(root, 'file'));
      assert.ok('release' in held);
      const other = await tryLock(root, join(root, 'link'));
      assert.ok('holder' in other && other.holder.pid === process.pid);
      await held.release();
      await rm(join(root, '.tapedeck'), { recursive: true });
      await symlink('../out', join(root, '.tapedeck'));
      await assert.rejects(
        withLock(root, join(root, 'file'), async () => undefined),
        /through a link/,
      );
      assert.deepEqual(await readdir(join(folder, 'out')), []);
    });
  });
});
