import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { TestProject } from '../../harness/builtEngine';
import { childScript } from '../../harness/childScript';
import { git, inRepository, NEW, OLD } from '../../harness/repository';
import { inFolder } from '../../harness/support';

const ROUNDS = 6;
const LONGEST_LIFE_MS = 60;
const TAPES = ['a.tape.json', 'b.tape.json', 'c.tape.json'];

/** Runs the test with a program that stages or restores, and is to be killed in between. */
async function withChild(test: (child: string) => Promise<void>): Promise<void> {
  await inFolder(async (folder) => {
    await test(await childScript(join(__dirname, 'stagingKillChild'), folder));
  });
}

describe('staging and restoring that is killed', function () {
  this.timeout(120_000);
  before(function () {
    if (process.platform === 'win32') this.skip();
  });

  it('leaves the old index or the new one, whole: all accepted files are staged, or none', async () => {
    await withChild((child) =>
      inRepository(changedLater(), async (project) => {
        for (let round = 0; round < ROUNDS; round += 1) {
          await change(project);
          await killWithin(child, [project.root, 'stage'], LONGEST_LIFE_MS);
          await quiet(project);
          const staged = git(project, 'diff', '--cached', '--name-only').trim();
          assert.ok(staged === '' || staged === TAPES.join('\n'), `half of them are staged: ${staged}`);
          for (const path of staged === '' ? [] : TAPES) assert.equal(git(project, 'show', `:${path}`), NEW);
          git(project, 'reset', '-q');
        }
      }),
    );
  });

  it('leaves of each tape the old one or the new one, whole, and nothing rejected that is only half staged', async () => {
    await withChild((child) =>
      inRepository(changedLater(), async (project) => {
        for (let round = 0; round < ROUNDS; round += 1) {
          await change(project);
          git(project, 'add', '.');
          await killWithin(child, [project.root, 'restore'], 5 * LONGEST_LIFE_MS);
          await quiet(project);
          for (const path of TAPES) {
            assert.ok([OLD, NEW].includes(await project.read(path)), `${path} is torn`);
            assert.ok([OLD, NEW].includes(git(project, 'show', `:${path}`)), `${path} is torn in the index`);
          }
          git(project, 'reset', '-q', '--hard');
        }
      }),
    );
  });
});

const changedLater = () => Object.fromEntries(TAPES.map((path) => [path, OLD]));

async function change(project: TestProject): Promise<void> {
  for (const path of TAPES) await project.write(path, NEW);
}

async function killWithin(script: string, args: readonly string[], longest: number): Promise<void> {
  const child = spawn(process.execPath, [script, ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
  child.stdout.once('data', () => setTimeout(() => child.kill('SIGKILL'), Math.random() * longest));
  await new Promise((settle) => child.once('close', settle));
}

/** A git that had been started goes on, and ends; it is not killed with who asked it. */
async function quiet(project: TestProject): Promise<void> {
  const lock = project.path('.git/index.lock');
  for (const end = Date.now() + 5000; existsSync(lock) && Date.now() < end; )
    await new Promise((resolve) => setTimeout(resolve, 5));
  await new Promise((resolve) => setTimeout(resolve, 50));
  await rm(lock, { force: true });
}
