import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { buildEngine, ended, inProject, startEngine, TestProject, tapeOf } from '../../harness/builtEngine';
import { completion, sendJson, serve } from '../../harness/support';

const ENGINE = resolve(__dirname, '../../../dist/engine.js');
const RECORDS = `name = "n"
prompt = "${'Tell me about the sea. '.repeat(800)}"
[llm]
record_tape = "t.tape.json"
[llm.provider]
kind = "practice"
`;
const OLD = tapeOf('old', ['one']);

/** A project on a disk of its own, of 256 kB. Resolves with false where this user cannot make one. */
async function onSmallDisk(test: (project: TestProject, remount: (options: string) => void) => Promise<void>) {
  let isMounted = false;
  await inProject({}, async (folder) => {
    const root = folder.path('disk');
    mkdirSync(root);
    isMounted = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=256k', 'tmpfs', root]).status === 0;
    if (!isMounted) return;
    try {
      const project = new TestProject(root);
      await project.write('tapedeck.toml', '');
      await test(project, (options) => {
        assert.equal(spawnSync('mount', ['-o', `remount,${options}`, root]).status, 0);
      });
    } finally {
      spawnSync('umount', ['-l', root]);
    }
  });
  return isMounted;
}

/** Fills the disk, but for some bytes. */
function fill(project: TestProject, left: number): void {
  const { bavail, bsize } = statfsSync(project.root);
  writeFileSync(project.path('filler'), Buffer.alloc(Math.max(0, bavail * bsize - left)));
}

function leftovers(project: TestProject): readonly string[] {
  const names = readdirSync(project.root, { recursive: true, encoding: 'utf8' });
  return names.filter((name) => name.endsWith('.tmp') || name.endsWith('.lock'));
}

describe('a disk that takes nothing more', function () {
  if (process.platform !== 'linux') return;
  this.timeout(60_000);
  before(buildEngine);

  it('leaves the old tape, says why, and takes the next recording when it has room', async function () {
    const isMounted = await onSmallDisk(async (project) => {
      await project.write('a.toml', RECORDS);
      await project.write('t.tape.json', OLD);
      fill(project, 20 * 1024);
      const state = mkdtempSync(join(tmpdir(), 'tapedeck-state-'));
      const { code, stdout, stderr } = await project.cli(['run', 'a.toml', '--record'], { XDG_STATE_HOME: state });
      assert.equal(code, 2, stdout + stderr);
      assert.match(stdout, /the disk is full/);
      const [, kept = ''] = /The recording is kept in (\S+)/.exec(stdout) ?? [];
      assert.notEqual(kept, '', stdout + stderr);
      assert.match(readFileSync(kept, 'utf8'), /Tell me about the sea/, stdout);
      assert.match(stdout, /Free some space, and move that file to/);
      rmSync(state, { recursive: true });
      assert.equal(await project.read('t.tape.json'), OLD);
      assert.deepEqual(leftovers(project), []);
      rmSync(project.path('filler'));
      assert.equal((await project.cli(['run', 'a.toml', '--record'])).code, 0);
      assert.deepEqual(leftovers(project), []);
    });
    if (!isMounted) this.skip();
  });

  it('costs an agent of the proxy nothing, is told at once, and leaves the old tape', async function () {
    const upstream = await serve((response) => sendJson(response, 200, completion('fine '.repeat(4000))));
    try {
      const isMounted = await onSmallDisk(async (project) => {
        await project.write('tapes/t.tape.jsonl', '{"tapedeck":"tape","version":1,"name":"t"}\n');
        const args = ['serve', '--record', '--json', '--tape', 'tapes/t.tape.jsonl', '--upstream'];
        const child = startEngine([...args, `openai=${upstream.baseUrl}`], { cwd: project.root });
        const output = ended(child);
        const line = await new Promise<string>((done) => child.stdout.once('data', (text) => done(String(text))));
        const base = (JSON.parse(line) as Record<string, string>).OPENAI_BASE_URL;
        const ask = async (prompt: string) => {
          const body = JSON.stringify({ model: 'm', messages: [{ role: 'user', content: prompt }] });
          const headers = { 'content-type': 'application/json' };
          const response = await fetch(`${base}/chat/completions`, { method: 'POST', headers, body });
          // With its end, it is recorded.
          await response.text();
          return response.status;
        };
        assert.equal(await ask('one'), 200);
        fill(project, 4 * 1024);
        assert.equal(await ask('two'), 200);
        assert.equal(await ask('three'), 200);
        child.kill('SIGTERM');
        const { stderr } = await output;
        assert.match(
          stderr,
          /\.tapedeck\/journal\/\S+ cannot be written: the disk is full\. The recording goes on in memory/,
        );
        assert.match(stderr, /tapes\/t\.tape\.jsonl cannot be written: the disk is full/);
        assert.match(stderr, /1 of 3 recorded interactions kept\.\n {2}To save as the tape: tapedeck recover --save/);
        assert.equal(await project.read('tapes/t.tape.jsonl'), '{"tapedeck":"tape","version":1,"name":"t"}\n');
        rmSync(project.path('filler'));
        const saved = await project.cli(['recover', '--save']);
        assert.match(saved.stdout + saved.stderr, /tapes\/t\.tape\.jsonl now has 1 interaction/);
      });
      if (!isMounted) this.skip();
    } finally {
      await upstream.close();
    }
  });

  it('because it is read-only is said before an agent is started, and replays say what they cannot write', async function () {
    const isMounted = await onSmallDisk(async (project, remount) => {
      await project.write('a.toml', `name = "a"\nprompt = "hi"\n[llm]\ntape = "t.tape.json"\n`);
      await project.write('t.tape.json', OLD);
      remount('ro');
      const exec = await project.engine(['exec', '--record', '--tape', 't.tape.jsonl', '--', 'touch', '/tmp/never']);
      assert.equal(exec.code, 2, exec.stderr);
      assert.match(exec.stderr, /cannot be written: the file system is read-only/);
      const run = await project.cli(['run', 'a.toml']);
      assert.equal(run.code, 2);
      assert.match(run.stdout, /the file system is read-only/);
      remount('rw');
    });
    if (!isMounted) this.skip();
  });

  it('because of a limit of the process leaves the old tape', async () => {
    await inProject({ 'a.toml': RECORDS, 't.tape.json': OLD, 'tapedeck.toml': '' }, async (project) => {
      const { PATH } = process.env;
      const command = `ulimit -f 8; exec "${process.execPath}" "${ENGINE}" run a.toml --record`;
      const { status, stdout } = spawnSync('bash', ['-c', command], {
        cwd: project.root,
        env: { ...(PATH !== undefined && { PATH }) },
        encoding: 'utf8',
      });
      assert.equal(status, 2, stdout);
      assert.match(stdout, /the file is larger than this process may write/);
      assert.equal(readFileSync(project.path('t.tape.json'), 'utf8'), OLD);
      assert.deepEqual(leftovers(project), []);
    });
  });
});
