import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdir, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { copiedContent } from '../../../src/engine/recording/recordedContent';
import { replaceTape } from '../../../src/engine/recording/replaceTape';
import { restoreTake, undoRestore } from '../../../src/engine/recording/restoreTake';
import { listTakes, takesApi } from '../../../src/engine/recording/storedTakes';
import { comparisonsApi } from '../../../src/engine/review/comparison';
import { buildEngine, engine, tapeOf } from '../../harness/builtEngine';
import { childScript } from '../../harness/childScript';
import { inFolder } from '../../harness/support';

const VCR = (word: string) => `interactions:
- request:
    body: '{"model": "gpt-4o", "messages": [{"role": "user", "content": "${word}"}]}'
    headers: {}
    method: POST
    uri: https://api.openai.com/v1/chat/completions
  response:
    body: {string: '{"model": "gpt-4o-mini", "choices": [{"message": {"role": "assistant", "content": "${word}"}}]}'}
    headers: {}
    status: {code: 200, message: OK}
version: 1
`;
const crlf = (text: string) => JSON.stringify(JSON.parse(text), null, 2).replaceAll('\n', '\r\n');

/** Two contents each: what is on the tape first, and what replaces it. */
const TAPES: Readonly<Record<string, (word: string) => string | Buffer>> = {
  'tapes/a.tape.json': (word) => tapeOf('a', [word]),
  'tapes/crlf.tape.json': (word) => crlf(tapeOf('a', [word])),
  'tapes/bom.tape.json': (word) => `\uFEFF${tapeOf('a', [word])}`,
  'tapes/ends without a line break.tape.json': (word) => tapeOf('a', [word]).trimEnd(),
  'cassettes/vcr.yaml': VCR,
  'cassettes/packed.yaml.gz': (word) => gzipSync(VCR(word)),
  'tapes/packed.tape.json.gz': (word) => gzipSync(tapeOf('a', [word])),
};

async function put(path: string, content: string | Uint8Array): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, content);
}

/** A tape that was replaced once; gives the name of its take. */
async function replaced(
  root: string,
  path: string,
  contents = TAPES[path] ?? ((word: string): string | Buffer => tapeOf('a', [word])),
) {
  const tapePath = join(root, path);
  await put(tapePath, contents('first'));
  await replaceTape({ root, tapePath, content: copiedContent(contents('second')) });
  return takeOf(root, path);
}

async function takeOf(root: string, path: string): Promise<string> {
  const [latest] = await listTakes({ root, path, cases: [] });
  assert.ok(latest, 'a take is kept');
  return latest.take;
}

describe('the takes of a tape', () => {
  for (const [path, contents] of Object.entries(TAPES)) {
    it(`are restored byte for byte, and back: ${path}`, () =>
      inFolder(async (root) => {
        const take = await replaced(root, path);
        const [first, second] = [Buffer.from(contents('first')), Buffer.from(contents('second'))];
        const done = await restoreTake({ root, path, take });
        assert.deepEqual(await readFile(join(root, path)), first);
        assert.deepEqual(await readFile(join(root, '.tapedeck/takes', path, done.previousTake ?? '')), second);
        assert.deepEqual(await readFile(join(root, '.tapedeck/takes', path, take)), first, 'the take is still there');
        await undoRestore({ root, path, take, ...(done.previousTake && { previousTake: done.previousTake }) });
        assert.deepEqual(await readFile(join(root, path)), second);
        assert.deepEqual(await readdir(join(root, '.tapedeck/takes', path)), [take], 'as before, without another take');
      }));
  }

  it('are restored through a link within the project, which stays a link', () =>
    inFolder(async (root) => {
      const path = 'tapes/link.tape.json';
      await put(join(root, 'shared/real.tape.json'), tapeOf('a', ['first']));
      await mkdir(join(root, 'tapes'));
      await symlink('../shared/real.tape.json', join(root, path));
      await replaceTape({ root, tapePath: join(root, path), content: copiedContent(tapeOf('a', ['second'])) });
      await restoreTake({ root, path, take: await takeOf(root, path) });
      assert.equal(await readFile(join(root, 'shared/real.tape.json'), 'utf8'), tapeOf('a', ['first']));
      assert.equal(await readFile(join(root, path), 'utf8'), tapeOf('a', ['first']));
    }));

  it('bring back a tape that was deleted, and undo deletes it again', () =>
    inFolder(async (root) => {
      const path = 'tapes/a.tape.json';
      const take = await replaced(root, path);
      await rm(join(root, path));
      assert.deepEqual(await restoreTake({ root, path, take }), { isChanged: true });
      assert.equal(await readFile(join(root, path), 'utf8'), tapeOf('a', ['first']));
      assert.deepEqual(await restoreTake({ root, path, take }), { isChanged: false });
      await undoRestore({ root, path, take });
      await assert.rejects(stat(join(root, path)));
    }));

  it('are not undone onto a tape that was written since', () =>
    inFolder(async (root) => {
      const path = 'tapes/a.tape.json';
      const take = await replaced(root, path);
      const { previousTake = '' } = await restoreTake({ root, path, take });
      await put(join(root, path), tapeOf('a', ['third']));
      await assert.rejects(undoRestore({ root, path, take, previousTake }), /has changed since the take was restored/);
      assert.equal(await readFile(join(root, path), 'utf8'), tapeOf('a', ['third']));
    }));

  it('are listed with their models, the latest first, and with what the last run says of exactly that take', () =>
    inFolder(async (root) => {
      const path = 'cassettes/vcr.yaml';
      await replaced(root, path);
      await put(join(root, path), VCR('third'));
      await replaceTape({ root, tapePath: join(root, path), content: copiedContent(VCR('second')) });
      const sha256 = await import('node:crypto').then(({ createHash }) =>
        createHash('sha256').update(VCR('first')).digest('hex'),
      );
      const content = { size: 1, modifiedMs: 1, sha256 };
      const run = { finishedAtMs: 1, name: 'a', mode: 'replay', status: 'failed', durationMs: 1, failures: [] };
      const rest = { compared: '', checkedNothing: false, sources: [], inputs: [{ role: 'tape', path, content }] };
      await put(join(root, '.tapedeck/runs/a.result.json'), JSON.stringify({ version: 1, ...run, ...rest }));
      const takes = await listTakes({ root, path, cases: ['a.toml', 'gone.toml'] });
      assert.deepEqual(
        takes.map(({ models, isTape, verdict }) => ({ models, isTape, verdict })),
        [
          { models: ['gpt-4o-mini'], isTape: false, verdict: undefined },
          { models: ['gpt-4o-mini'], isTape: false, verdict: 'failed' },
        ],
      );
      assert.ok((takes[0]?.time ?? 0) > (takes[1]?.time ?? 0));
    }));

  it('are only regular files of the project: links and other names are passed over and refused', () =>
    inFolder(async (folder) => {
      const root = join(folder, 'project');
      const path = 'tapes/a.tape.json';
      const take = await replaced(root, path);
      const secret = join(folder, 'secret.json');
      await put(secret, tapeOf('secret', ['secret']));
      const takes = join(root, '.tapedeck/takes', path);
      const link = '2026-01-01T00-00-00.000Z.json';
      await symlink(secret, join(takes, link));
      await put(join(takes, 'other.json'), tapeOf('a', ['x']));
      await mkdir(join(takes, '2026-01-01T00-00-00.001Z.json'));
      const away = 'tapes/away.tape.json';
      await put(join(root, away), tapeOf('a', ['present']));
      await put(join(folder, 'elsewhere', take), tapeOf('secret', ['secret']));
      await symlink(join(folder, 'elsewhere'), join(root, '.tapedeck/takes', away));
      assert.deepEqual(
        (await listTakes({ root, path, cases: [] })).map((one) => one.take),
        [take],
      );
      assert.deepEqual(await listTakes({ root, path: away, cases: [] }), []);
      for (const params of [
        { root, path, take: link },
        { root, path, take: '2026-01-01T00-00-00.001Z.json' },
        { root, path, take: '../../../../tapes/a.tape.json' },
        { root, path: away, take },
      ]) {
        await assert.rejects(restoreTake(params), /there is no take/);
        await assert.rejects(async () => takesApi.deleteTakes({ ...params, takes: [params.take] }), /there is no/);
        const side = { root: params.root, path: params.path };
        const compared = { before: { ...side, take: params.take }, after: side };
        await assert.rejects(async () => comparisonsApi.comparison(compared), /there is no take/);
      }
      assert.equal(await readFile(secret, 'utf8'), tapeOf('secret', ['secret']));
    }));

  it('are not restored where they are no tapes, onto what is none, or out of the project', () =>
    inFolder(async (folder) => {
      const root = join(folder, 'project');
      const path = 'tapes/a.tape.json';
      const take = await replaced(root, path);
      await writeFile(join(root, '.tapedeck/takes', path, take), 'rm -rf /');
      await assert.rejects(restoreTake({ root, path, take }), /is not a tape in a known format/);
      await put(join(root, '.tapedeck/takes/notes.json', take), tapeOf('a', ['x']));
      await put(join(root, 'notes.json'), '{"mine": true}');
      await assert.rejects(restoreTake({ root, path: 'notes.json', take }), /is not a tape in a known format/);
      await put(join(root, '.tapedeck/takes/out.tape.json', take), tapeOf('a', ['x']));
      await put(join(folder, 'out.tape.json'), tapeOf('a', ['outside']));
      await symlink(join(folder, 'out.tape.json'), join(root, 'out.tape.json'));
      await assert.rejects(restoreTake({ root, path: 'out.tape.json', take }), /outside the project/);
      assert.equal(await readFile(join(folder, 'out.tape.json'), 'utf8'), tapeOf('a', ['outside']));
    }));

  it('are deleted, all that are named or none', () =>
    inFolder(async (root) => {
      const path = 'tapes/a.tape.json';
      const take = await replaced(root, path);
      const deleting = async (takes: readonly string[]) => takesApi.deleteTakes({ root, path, takes });
      await assert.rejects(deleting([take, '2020-01-01T00-00-00.000Z.json']), /there is no take/);
      assert.equal(await takeOf(root, path), take);
      await deleting([take]);
      assert.deepEqual(await listTakes({ root, path, cases: [] }), []);
    }));

  it('leave one or the other on the tape when restoring is killed', async function () {
    this.timeout(120_000);
    await inFolder(async (root) => {
      const path = 'tapes/a.tape.json';
      const large = (word: string) => tapeOf('a', [word.repeat(50_000)]);
      const take = await replaced(root, path, large);
      const { previousTake = '' } = await restoreTake({ root, path, take });
      const script = await childScript(join(__dirname, '../../harness/restoreChild'), root);
      for (let round = 0; round < 8; round += 1) {
        const child = spawn(process.execPath, [script, root, path, take, previousTake], {
          stdio: ['ignore', 'pipe', 2],
        });
        child.stdout?.once('data', () => setTimeout(() => child.kill('SIGKILL'), Math.random() * 40));
        const signal = await new Promise((resolve) => child.on('close', (_code, killedBy) => resolve(killedBy)));
        assert.equal(signal, 'SIGKILL');
        const text = await readFile(join(root, path), 'utf8');
        assert.ok(text === large('first') || text === large('second'), 'the tape is one of the two, whole');
      }
      await restoreTake({ root, path, take });
      assert.equal(await readFile(join(root, path), 'utf8'), large('first'), 'a lock of the killed holds nobody');
    });
  });
});

describe('tapedeck takes', function () {
  this.timeout(60_000);
  before(buildEngine);

  it('lists the takes of a tape, and restores one, which check then shows', () =>
    inFolder(async (root) => {
      const path = 'tapes/a.tape.json';
      const take = await replaced(root, path);
      const list = await engine(['takes', path], { cwd: root });
      assert.deepEqual([list.code, list.stdout], [0, `${take}  1 kB\n`]);
      const done = await engine(['takes', path, '--restore', take, '--json'], { cwd: root });
      const { ok, tape, takes, restored, replaced: kept } = JSON.parse(done.stdout);
      assert.deepEqual([done.code, ok, tape, restored], [0, true, path, take]);
      assert.deepEqual(
        takes.map((one: Record<string, unknown>) => [one.take, one.path, one.current]),
        [
          [kept, `.tapedeck/takes/${path}/${kept}`, false],
          [take, `.tapedeck/takes/${path}/${take}`, true],
        ],
      );
      assert.equal(await readFile(join(root, path), 'utf8'), tapeOf('a', ['first']));
      const again = await engine(['takes', path, '--restore', take], { cwd: root });
      assert.deepEqual([again.code, again.stdout], [0, `${path} is already ${take}\n`]);
      const none = await engine(['takes', path, '--restore', 'x'], { cwd: root });
      assert.deepEqual([none.code, none.stdout], [2, '']);
      assert.match(none.stderr, /there is no take x of tapes\/a\.tape\.json/);
    }));
});
