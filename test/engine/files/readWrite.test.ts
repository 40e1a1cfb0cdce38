import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { chmod, mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { devNull } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { systemReason } from '../../../src/engine/errors/systemError';
import { fileStatus, filesBelow, isSameFile, listFolder } from '../../../src/engine/files/fileStatus';
import {
  digestIfThere,
  RandomAccessFile,
  readBytes,
  readBytesAtOnce,
  readBytesIfThere,
  readContent,
  readSameContent,
  readText,
  readTextIfPossible,
  readTextIfThere,
  readTextSync,
} from '../../../src/engine/files/readFile';
import { keepCopy, removeInProject, writeInProject, writeOutput } from '../../../src/engine/files/writeFile';
import { inFolder } from '../../harness/support';

const LIMIT = 100_000;

describe('reading a file', () => {
  it('gives its bytes, or its text', async () => {
    await inFolder(async (folder) => {
      const path = join(folder, 'a');
      const bytes = Buffer.from(`é${'x'.repeat(LIMIT - 2)}`);
      await writeFile(path, bytes);
      assert.deepEqual(await readBytes(path, LIMIT), bytes);
      assert.equal(await readText(path, LIMIT), bytes.toString());
      assert.equal(readTextSync(path, LIMIT), bytes.toString());
      await writeFile(path, '');
      assert.equal((await readBytes(path, LIMIT)).length, 0);
      assert.equal(readTextSync(path, LIMIT), '');
    });
  });

  it('gives its content as text and as bytes, as often as asked', async () => {
    await inFolder(async (folder) => {
      const path = join(folder, 'a');
      for (const text of ['', 'é\uFFFD']) {
        await writeFile(path, text);
        const content = await readContent(path, LIMIT);
        assert.deepEqual(readBytesAtOnce(path, LIMIT), content.bytes());
        assert.deepEqual([content.text(), content.bytes()], [text, Buffer.from(text)]);
        assert.equal(content.text(), text);
      }
      assert.match((await readContent(devNull, LIMIT, { mayBePipe: true })).text(), /^$/);
    });
  });

  it('gives the text of any bytes like a decoder of UTF-8', async () => {
    await inFolder(async (folder) => {
      const path = join(folder, 'a');
      const ascii = fc.uint8Array({ min: 1, max: 0x7f, minLength: 1 });
      await fc.assert(
        fc.asyncProperty(fc.oneof(ascii, fc.uint8Array({ minLength: 1 })), async (bytes) => {
          await writeFile(path, bytes);
          assert.equal((await readContent(path, LIMIT)).text(), await readFile(path, 'utf8'));
        }),
      );
    });
  });

  it('is told apart from another one by every byte, and by its length', async () => {
    await inFolder(async (folder) => {
      const [path, other] = [join(folder, 'a'), join(folder, 'b')];
      const bytes = Buffer.alloc(2 ** 21 + 5, 'x');
      await writeFile(path, bytes);
      for (const [content, isEqual] of [
        [bytes, true],
        [bytes.subarray(1), false],
        ...[0, 2 ** 20 - 1, 2 ** 20, bytes.length - 1].map((at) => [Buffer.from(bytes).fill('y', at, at + 1), false]),
      ] as const) {
        await writeFile(other, content as Buffer);
        const same = await readSameContent(path, other, 2 ** 22);
        assert.deepEqual(same?.bytes(), isEqual ? bytes : undefined);
        assert.equal(same?.text(), isEqual ? bytes.toString() : undefined);
      }
      await writeFile(other, bytes);
      assert.equal(await readSameContent(path, other, bytes.length - 1), undefined);
      // A pipe, a folder, and a missing file have no bytes to compare.
      for (const none of [devNull, folder, join(folder, 'c')])
        assert.equal(await readSameContent(none, none, LIMIT), undefined);
    });
  });

  it('is read like any other where it is the same as another one, whatever its size', async () => {
    await inFolder(async (folder) => {
      const [path, other] = [join(folder, 'a'), join(folder, 'b')];
      // Beyond the second size, files are compared without being held.
      for (const text of [`é${'x'.repeat(2 ** 20)}`, `é${'x'.repeat(32 * 2 ** 20)}`]) {
        await Promise.all([path, other].map((one) => writeFile(one, text)));
        const same = await readSameContent(path, other, 2 ** 26);
        assert.ok(same?.text() === text && same.bytes().equals(Buffer.from(text)));
      }
    });
  });

  it('rejects like the system where it is too large, a folder, or missing', async () => {
    await inFolder(async (folder) => {
      const path = join(folder, 'a');
      await writeFile(path, Buffer.alloc(2 ** 20 + 1));
      const tooLarge = (error: NodeJS.ErrnoException) =>
        error.code === 'EFBIG' && error.path === path && systemReason(error) === 'it is larger than 1 MiB';
      await assert.rejects(readBytes(path, 2 ** 20), tooLarge);
      await assert.rejects(readTextIfThere(path, 2 ** 20), tooLarge);
      await assert.rejects(readContent(path, 2 ** 20), tooLarge);
      await assert.rejects(readContent(folder, LIMIT), { code: 'EISDIR' });
      assert.throws(() => readBytesAtOnce(path, 2 ** 20), tooLarge);
      assert.throws(() => readBytesAtOnce(folder, LIMIT), { code: 'EISDIR' });
      await assert.rejects(readContent(join(folder, 'b'), LIMIT), { code: 'ENOENT' });
      assert.throws(() => readTextSync(path, 2 ** 20), tooLarge);
      await assert.rejects(readText(folder, LIMIT), { code: 'EISDIR' });
      await assert.rejects(readBytes(join(folder, 'b'), LIMIT), { code: 'ENOENT' });
      assert.equal(await readBytesIfThere(join(folder, 'b'), LIMIT), undefined);
      assert.equal(await readTextIfThere(join(folder, 'b'), LIMIT), undefined);
    });
  });

  it('reads a file to its end whose size is said to be 0, as of those of the system, and an empty one', async function () {
    if (process.platform !== 'linux') return this.skip();
    assert.match(await readText('/proc/self/status', LIMIT), /^Name:.*\n(?:.*\n)*Pid:/);
    assert.match(await readText('/proc/self/smaps', 100_000_000), /\nVmFlags: .*\n$/);
    await assert.rejects(readBytes('/proc/self/status', 10));
    await inFolder(async (folder) => {
      await writeFile(join(folder, 'empty'), '');
      assert.equal((await readBytes(join(folder, 'empty'), LIMIT)).length, 0);
    });
  });

  it('reads a pipe to its end, or to the limit', async function () {
    if (process.platform === 'win32') return this.skip();
    await inFolder(async (folder) => {
      const path = join(folder, 'pipe');
      execFileSync('mkfifo', [path]);
      const read = async (length: number) =>
        (await Promise.all([readBytes(path, LIMIT, { mayBePipe: true }), writeFile(path, 'x'.repeat(length))]))[0];
      assert.equal((await read(LIMIT)).length, LIMIT);
      await assert.rejects(Promise.all([readBytes(path, 10, { mayBePipe: true }), writeFile(path, 'x'.repeat(11))]), {
        code: 'EFBIG',
      });
    });
  });

  it('does not wait at a pipe that the user did not name, nor read a device', async function () {
    if (process.platform === 'win32') return this.skip();
    await inFolder(async (folder) => {
      const path = join(folder, 'pipe');
      execFileSync('mkfifo', [path]);
      const none = { code: 'ENXIO' };
      for (const one of [path, '/dev/zero', '/dev/null']) {
        await assert.rejects(readBytes(one, LIMIT), none);
        await assert.rejects(readText(one, LIMIT), none);
        await assert.rejects(readContent(one, LIMIT), none);
        await assert.rejects(digestIfThere(one, LIMIT), none);
        assert.throws(() => readTextSync(one, LIMIT), none);
        assert.throws(() => readBytesAtOnce(one, LIMIT), none);
        assert.throws(() => new RandomAccessFile(one), none);
        assert.equal(readTextIfPossible(one, LIMIT), undefined);
      }
    });
  });

  it('reads parts of a file', async () => {
    await inFolder(async (folder) => {
      await writeFile(join(folder, 'a'), 'abcdef');
      const file = new RandomAccessFile(join(folder, 'a'));
      assert.equal(file.read(2, 3)?.toString(), 'cde');
      assert.equal(file.read(4, 3), undefined);
      file.close();
      assert.throws(() => new RandomAccessFile(join(folder, 'b')), { code: 'ENOENT' });
    });
  });
});

describe('the status of a file', () => {
  it('is that of the file a link leads to, by default', async function () {
    if (process.platform === 'win32') return this.skip();
    await inFolder(async (folder) => {
      const path = join(folder, 'a');
      await writeFile(path, 'abc');
      await chmod(path, 0o755);
      await symlink('a', join(folder, 'b'));
      const { size, isFile, isFolder, isLink, isExecutable } = (await fileStatus(join(folder, 'b'))) ?? {};
      assert.deepEqual(
        { size, isFile, isFolder, isLink, isExecutable },
        { size: 3, isFile: true, isFolder: false, isLink: false, isExecutable: true },
      );
      assert.equal((await fileStatus(join(folder, 'b'), { followLinks: false }))?.isLink, true);
      assert.equal(await fileStatus(join(folder, 'c')), undefined);
      assert.equal(await isSameFile(path, join(folder, 'b')), true);
      assert.equal(await isSameFile(path, join(folder, 'c')), false);
    });
  });

  it('lists folders', async () => {
    await inFolder(async (folder) => {
      await mkdir(join(folder, 'a/b'), { recursive: true });
      await writeFile(join(folder, 'a/b/c'), '');
      assert.deepEqual(await listFolder(folder), ['a']);
      await writeFile(join(folder, 'd'), '');
      await symlink('../..', join(folder, 'a/b/around'));
      await symlink('d', join(folder, 'linked'));
      assert.deepEqual([...(await filesBelow(folder))].sort(), ['a/b/c', 'd'], 'no link, and through none');
      assert.deepEqual(await filesBelow(join(folder, 'x')), []);
      assert.deepEqual(await listFolder(join(folder, 'x')), []);
    });
  });
});

describe('writing a file', () => {
  it('keeps a long text as it is, wherever its pieces end', async () => {
    await inFolder(async (folder) => {
      const path = join(folder, 'a');
      for (const text of ['', `${'x'.repeat(2 ** 20 - 1)}😀${'y'.repeat(2 ** 20)}é`]) {
        await writeOutput(path, text);
        assert.ok((await readFile(path, 'utf8')) === text);
      }
    });
  });

  it('stays in the project', async function () {
    if (process.platform === 'win32') return this.skip();
    await inFolder(async (folder) => {
      const root = join(folder, 'project');
      await mkdir(join(folder, 'out'));
      await mkdir(root);
      await symlink('../out', join(root, 'link'));
      const outside = /is outside the project/;
      for (const path of [join(folder, 'out/a'), join(root, 'link/a'), join(root, '../a')]) {
        await assert.rejects(writeInProject(root, path, 'x'), outside);
        await assert.rejects(removeInProject(root, path), outside);
      }
      await writeInProject(root, join(root, 'deep/a'), 'x');
      await assert.rejects(keepCopy(root, join(root, 'deep/a'), join(root, 'link/kept')), outside);
      assert.deepEqual(await readdir(join(folder, 'out')), []);
      assert.equal(await keepCopy(root, join(root, 'deep/a'), join(root, 'kept/a')), true);
      assert.equal(await keepCopy(root, join(root, 'deep/a'), join(root, 'kept/a')), false);
      await removeInProject(root, join(root, 'deep/a'));
      await removeInProject(root, join(root, 'deep/a'));
      assert.equal(await readFile(join(root, 'kept/a'), 'utf8'), 'x');
    });
  });

  it('leaves nothing beside an output, and writes into what is no file', async function () {
    if (process.platform === 'win32') return this.skip();
    await inFolder(async (folder) => {
      const path = join(folder, 'new/out.json');
      await writeOutput(path, 'one');
      await writeOutput(path, 'two');
      assert.deepEqual(await readdir(join(folder, 'new')), ['out.json']);
      assert.equal(await readFile(path, 'utf8'), 'two');
      const pipe = join(folder, 'pipe');
      execFileSync('mkfifo', [pipe]);
      const [text] = await Promise.all([readText(pipe, LIMIT, { mayBePipe: true }), writeOutput(pipe, 'through')]);
      assert.equal(text, 'through');
      assert.equal((await fileStatus(pipe))?.isFile, false);
      await assert.rejects(writeOutput(folder, 'x'), { code: 'EISDIR' });
    });
  });
});
