import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { buildEngine, inProject, scripted, type TestProject, tapeOf } from '../harness/builtEngine';

const DIST = resolve(__dirname, '../../dist');
/** Larger than what the heap grows slowly for. */
const LARGE = tapeOf('large', ['word '.repeat(20_000)]);

/** A copy of the engine, which keeps its own compiled code. */
class Engine {
  constructor(readonly project: TestProject) {
    mkdirSync(project.path('dist'));
    for (const name of ['engine.js', 'chunks'])
      cpSync(resolve(DIST, name), project.path(`dist/${name}`), { recursive: true });
  }

  get path(): string {
    return this.project.path('dist/engine.js');
  }

  run(args: readonly string[], options: readonly string[] = []) {
    const { status, stdout, stderr } = spawnSync(process.execPath, [...options, this.path, ...args], {
      cwd: this.project.root,
      encoding: 'utf8',
    });
    return { status, stdout, stderr };
  }

  /** By command, the number of times that its code was kept. */
  get kept(): Readonly<Record<string, bigint>> {
    const folder = this.project.path('dist/compiled');
    if (!existsSync(folder)) return {};
    const entries = readdirSync(folder).map((name) => {
      const { mtimeNs } = statSync(resolve(folder, name), { bigint: true });
      return [name.replace(/-.*/, ''), mtimeNs] as const;
    });
    return Object.fromEntries(entries);
  }
}

async function withEngine(files: Readonly<Record<string, string>>, test: (engine: Engine) => void | Promise<void>) {
  await inProject({ 'tapedeck.toml': '', ...files }, async (project) => {
    await test(new Engine(project));
  });
}

describe('the start of the engine', () => {
  before(buildEngine);

  it('keeps the compiled code of a command, and nothing of the help, the version, and what is not understood', async () => {
    await withEngine({ 'cases/a.toml': scripted('a', ['hello']) }, (engine) => {
      for (const args of [['--version'], ['help'], [], ['unknown'], ['../run'], ['run', '--no-such-option']])
        engine.run(args);
      assert.deepEqual(engine.kept, {});
      const first = engine.run(['run', 'cases', '--reporter', 'json']);
      assert.equal(first.status, 0, first.stderr);
      const { kept } = engine;
      assert.deepEqual(Object.keys(kept), ['run']);
      assert.equal(engine.run(['run', 'cases', '--reporter', 'json']).status, 0);
      assert.deepEqual(engine.kept, kept);
    });
  });

  it('uses what it kept before and after the heap is told to grow slowly', async () => {
    await withEngine({ 'a.tape.json': LARGE, 'b.tape.json': LARGE }, (engine) => {
      const first = engine.run(['diff', 'a.tape.json', 'b.tape.json']);
      assert.equal(first.status, 0, first.stderr);
      const { kept } = engine;
      assert.deepEqual(engine.run(['diff', 'a.tape.json', 'b.tape.json']), first);
      assert.deepEqual(engine.kept, kept);
    });
  });

  it('starts with what was kept with other flags of V8, or is damaged', async () => {
    await withEngine({ 'a.tape.json': LARGE, 'b.tape.json': LARGE }, (engine) => {
      const args = ['diff', 'a.tape.json', 'b.tape.json'];
      const first = engine.run(args);
      assert.deepEqual(engine.run(args, ['--no-lazy']), first);
      assert.deepEqual(engine.run(args), first);
      const folder = engine.project.path('dist/compiled');
      for (const name of readdirSync(folder)) {
        const path = resolve(folder, name);
        writeFileSync(path, Buffer.alloc(readFileSync(path).length, 'x'));
      }
      assert.deepEqual(engine.run(args), first);
    });
  });

  it('keeps that of a server soon after its start, which it may not end by itself', async () => {
    await withEngine({ 'a.tape.json': LARGE }, async (engine) => {
      const server = spawn(process.execPath, [engine.path, 'serve', '--tape', 'a.tape.json'], {
        cwd: engine.project.root,
        stdio: 'ignore',
      });
      try {
        for (let waited = 0; waited < 60_000 && engine.kept.serve === undefined; waited += 100)
          await new Promise((done) => setTimeout(done, 100));
        assert.deepEqual(Object.keys(engine.kept), ['serve']);
      } finally {
        server.kill('SIGKILL');
      }
    });
  });
});
