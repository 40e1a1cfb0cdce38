import assert from 'node:assert/strict';
import { existsSync, statSync } from 'node:fs';
import { chmod, link, lstat, mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import type { ChatResponse } from '../../../src/core/model/message';
import { readTape } from '../../../src/core/tapes/readTape';
import { formatById } from '../../../src/core/tapes/registry';
import { tapeFileFromText } from '../../../src/core/tapes/tapeFile';
import { isRecordable, type WritableFormat } from '../../../src/core/tapes/writableFormat';
import { replaceFile } from '../../../src/engine/files/changeFile';
import { placeOfUser } from '../../../src/engine/files/projectPaths';
import { writeInProject } from '../../../src/engine/files/writeFile';
import type { ChatProvider } from '../../../src/engine/providers/chatProvider';
import { RecordingProvider } from '../../../src/engine/providers/recorder';
import { copiedContent } from '../../../src/engine/recording/recordedContent';
import { replaceTape } from '../../../src/engine/recording/replaceTape';
import { keepTake, previousTakes, takeCount } from '../../../src/engine/recording/takes';
import { newTape } from '../../../src/engine/recording/writeTake';
import { tapeOf } from '../../harness/builtEngine';
import { inFolder, NEVER, RECORDER, requestOf } from '../../harness/support';

/** No process has this id: it is beyond the largest that Linux and macOS give. */
const DEAD = 99_999_999;

function recordableFormat(id: string): WritableFormat {
  const format = formatById(id);
  assert.ok(isRecordable(format));
  return format;
}

describe('the recorder', () => {
  it('compresses a new tape whose name ends in .gz', async () => {
    const format = recordableFormat('langchain-gz');
    const { bytes } = await RECORDER.tape({ path: 'calls.yaml.gz', format, name: 'calls', interactions: [] });
    assert.ok(bytes instanceof Uint8Array);
    assert.equal(gunzipSync(bytes).toString(), format.serialise('calls', []));
  });

  it('passes everything on, and keeps the responses', async () => {
    const reply: ChatResponse = { content: 'hi', toolCalls: [] };
    const failing: ChatProvider = {
      label: 'sometimes',
      chat: async (request) => {
        if (request.messages[0]?.content === 'fail') throw new Error('no');
        return reply;
      },
    };
    const recorder = new RecordingProvider(failing, RECORDER);
    assert.equal(recorder.label, 'sometimes');
    assert.equal(await recorder.chat(requestOf('hello'), NEVER), reply);
    await assert.rejects(recorder.chat(requestOf('fail'), NEVER), /no/);
    assert.deepEqual(recorder.interactions, [{ request: requestOf('hello'), response: reply }]);
    const { interactions } = recorder;
    const take = { tapePath: 'my case.tape.json', caseName: 'my case', interactions, recorder: RECORDER };
    const tape = readTape(tapeFileFromText(String((await newTape(take, undefined)).bytes)));
    assert.deepEqual(tape?.problems, []);
    assert.equal(tape?.name, 'my case');
    assert.equal(tape?.interactions[0]?.response?.content, 'hi');
  });
});

const ONE = tapeOf('one', []);
const TWO = tapeOf('two', []);

describe('replacing a tape', () => {
  /** A project folder with the path of a tape that is not there yet. */
  const inProject = (test: (root: string, tapePath: string) => Promise<void>) =>
    inFolder((root) => test(root, join(root, 'cases', 'deep', 't.tape.json')));

  it('makes a new tape with its folders', async () => {
    await inProject(async (root, tapePath) => {
      assert.equal(await takeCount(root, tapePath), 0);
      assert.deepEqual(await replaceTape({ root, tapePath, content: copiedContent(ONE) }), {});
      assert.equal(await readFile(tapePath, 'utf8'), ONE);
      assert.equal(await takeCount(root, tapePath), 1);
      assert.deepEqual(await readdir(join(root, '.tapedeck', 'tmp')), []);
    });
  });

  it('keeps every take it replaces, under a name of its own, oldest first', async () => {
    await inProject(async (root, tapePath) => {
      const kept: (string | undefined)[] = [];
      const texts = ['a', 'b', 'c', 'd', 'e'].map((name) => tapeOf(name, []));
      for (const text of texts)
        kept.push((await replaceTape({ root, tapePath, content: copiedContent(text) })).previousTakePath);
      assert.equal(kept.shift(), undefined);
      assert.deepEqual(await previousTakes({ root, tapePath }), kept);
      assert.deepEqual(await Promise.all(kept.map((path) => readFile(path ?? '', 'utf8'))), texts.slice(0, 4));
      for (const path of kept) {
        assert.ok(path?.startsWith(join(root, '.tapedeck', 'takes', 'cases', 'deep', 't.tape.json')));
        assert.match(path ?? '', /\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d\.\d{3}Z\.json$/);
      }
      assert.equal(await takeCount(root, tapePath), 5);
      await writeFile(tapePath, 'edited in place');
      assert.equal(await readFile(kept.at(-1) ?? '', 'utf8'), texts[3], 'a take is not the tape under another name');
    });
  });

  it('is done one after the other when two cases record the same tape', async () => {
    await inProject(async (root, tapePath) => {
      const texts = Array.from({ length: 20 }, (_, index) => tapeOf(`take ${index}`, []));
      await Promise.all(texts.map((text) => replaceTape({ root, tapePath, content: copiedContent(text) })));
      const takes = await Promise.all((await previousTakes({ root, tapePath })).map((path) => readFile(path, 'utf8')));
      assert.deepEqual([...takes, await readFile(tapePath, 'utf8')].sort(), [...texts].sort());
    });
  });

  it('keeps a tape once when a run was killed between keeping and replacing', async () => {
    await inProject(async (root, tapePath) => {
      await replaceTape({ root, tapePath, content: copiedContent(ONE) });
      const { previousTakePath: kept } = await replaceTape({ root, tapePath, content: copiedContent(TWO) });
      // What the killed run leaves: the tape is still the take that was kept.
      await rm(tapePath);
      await link(kept ?? '', tapePath);
      assert.deepEqual(await replaceTape({ root, tapePath, content: copiedContent(tapeOf('three', [])) }), {
        previousTakePath: kept,
      });
      assert.equal((await previousTakes({ root, tapePath })).length, 1);
    });
  });

  it('is refused for a place outside the project, by name or by a link, and for what is no tape', async function () {
    if (process.platform === 'win32') return this.skip();
    await inFolder(async (folder) => {
      const root = join(folder, 'project');
      const out = join(folder, 'out');
      for (const place of [join(root, 'tapes'), out]) await mkdir(place, { recursive: true });
      await writeFile(join(out, 'notes.txt'), TWO);
      await writeFile(join(root, 'README.md'), '# Mine');
      await symlink('../../out/notes.txt', join(root, 'tapes/link.json'));
      await symlink('../out', join(root, 'linked'));
      await symlink('tapes', join(root, 'near'));
      const replace = (path: string, home = root) =>
        replaceTape({ root: home, tapePath: join(home, path), content: copiedContent(ONE) });
      for (const path of [
        '../out/new.json',
        '../out/notes.txt',
        'tapes/link.json',
        'linked/new.json',
        'linked/a/b.json',
      ])
        await assert.rejects(replace(path), /is outside the project .*nothing is written there/, path);
      await assert.rejects(
        replace('tapes/link.json'),
        /tapes\/link\.json resolves through a link to .*out\/notes\.txt, which/,
      );
      await assert.rejects(replace('README.md'), /README\.md is not a tape in a known format/);
      assert.equal(await readFile(join(root, 'README.md'), 'utf8'), '# Mine');
      assert.deepEqual([await readFile(join(out, 'notes.txt'), 'utf8'), await readdir(out)], [TWO, ['notes.txt']]);
      await replace('near/t.json');
      assert.equal(
        await readFile(join(root, 'tapes/t.json'), 'utf8'),
        ONE,
        'a link within the project is none of ours',
      );
      await symlink(root, join(folder, 'same'));
      await replace('tapes/t.json', join(folder, 'same'));
      await writeFile(join(root, 'tapes/empty.json'), '');
      await replace('tapes/empty.json');
    });
  });

  it('is refused when what is kept of it would lie outside the project', async function () {
    if (process.platform === 'win32') return this.skip();
    await inFolder(async (folder) => {
      const root = join(folder, 'project');
      const out = join(folder, 'out');
      for (const place of [join(root, '.tapedeck'), out]) await mkdir(place, { recursive: true });
      const tapePath = join(root, 't.json');
      await replaceTape({ root, tapePath, content: copiedContent(ONE) });
      await symlink('../../out', join(root, '.tapedeck/takes'));
      await assert.rejects(
        replaceTape({ root, tapePath, content: copiedContent(TWO) }),
        /\.tapedeck\/takes\/t\.json\/\S+ resolves through a link/,
      );
      await rm(join(root, '.tapedeck'), { recursive: true });
      await symlink('../out', join(root, '.tapedeck'));
      await assert.rejects(
        replaceTape({ root, tapePath, content: copiedContent(TWO) }),
        /\.tapedeck\/\S+ resolves through a link/,
      );
      assert.deepEqual([await readFile(tapePath, 'utf8'), await readdir(out)], [ONE, []]);
    });
  });

  it('keeps the mode of the file, and replaces what a symbolic link points to', async function () {
    if (process.platform === 'win32') return this.skip();
    await inProject(async (root, tapePath) => {
      await replaceTape({ root, tapePath, content: copiedContent(ONE) });
      await chmod(tapePath, 0o640);
      const linked = join(root, 'link.tape.json');
      await symlink(tapePath, linked);
      const { previousTakePath } = await replaceTape({ root, tapePath: linked, content: copiedContent(TWO) });
      assert.ok((await lstat(linked)).isSymbolicLink());
      assert.equal(await readFile(tapePath, 'utf8'), TWO);
      assert.equal((await stat(tapePath)).mode & 0o777, 0o640);
      assert.ok((await lstat(previousTakePath ?? '')).isFile());
      assert.equal(await readFile(previousTakePath ?? '', 'utf8'), ONE);
    });
  });

  it('keeps a take, and writes, across file systems', async function () {
    const elsewhere = '/dev/shm';
    if (!existsSync(elsewhere) || statSync(elsewhere).dev === statSync(tmpdir()).dev) return this.skip();
    const far = await mkdtemp(join(elsewhere, 'tapedeck-test-'));
    try {
      await inFolder(async (root) => {
        const tapePath = join(far, 't.json');
        const asideFolder = join(root, '.tapedeck', 'tmp');
        const leftover = join(far, `.tapedeck-${DEAD}-0123456789ab.tmp`);
        await writeFile(leftover, 'half');
        const write = async (text: string) =>
          replaceFile(await placeOfUser(tapePath), text, await placeOfUser(asideFolder), {
            isPrivate: false,
            durable: true,
          });
        await write(ONE);
        const take = await keepTake({ root, tapePath });
        await write(TWO);
        assert.deepEqual(await readdir(far), ['t.json']);
        assert.equal(await readFile(tapePath, 'utf8'), TWO);
        assert.equal(await readFile(take ?? '', 'utf8'), ONE);
        assert.deepEqual(await readdir(asideFolder), []);
      });
    } finally {
      await rm(far, { recursive: true });
    }
  });

  it('that fails leaves the tape and no litter', async () => {
    await inProject(async (root, tapePath) => {
      await mkdir(tapePath, { recursive: true });
      await writeFile(join(tapePath, 'in the way'), '');
      const asideFolder = join(root, '.tapedeck', 'tmp');
      await assert.rejects(replaceTape({ root, tapePath, content: copiedContent(ONE) }));
      await assert.rejects(writeInProject(root, tapePath, ONE));
      assert.deepEqual(await readdir(tapePath), ['in the way']);
      assert.deepEqual(await readdir(asideFolder), []);
      await rm(tapePath, { recursive: true });
      await replaceTape({ root, tapePath, content: copiedContent(TWO) });
      assert.equal(await readFile(tapePath, 'utf8'), TWO, 'one failure does not block the next recording');
    });
  });
});

describe('writing atomically', () => {
  it('sweeps what dead processes left, and nothing else', async () => {
    await inFolder(async (folder) => {
      const asideFolder = join(folder, '.tapedeck/tmp');
      await mkdir(asideFolder, { recursive: true });
      const dead = `.tapedeck-${DEAD}-0123456789ab.tmp`;
      const others = [`.tapedeck-${process.pid}-0123456789ab.tmp`, '.tapedeck-notes', 'tape.json'];
      for (const name of [dead, ...others]) await writeFile(join(asideFolder, name), '');
      await writeInProject(folder, join(folder, 'file'), 'text');
      assert.deepEqual((await readdir(asideFolder)).sort(), others.sort());
      assert.equal(await readFile(join(folder, 'file'), 'utf8'), 'text');
    });
  });
});
