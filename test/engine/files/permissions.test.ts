import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { chmodSync, chownSync, cpSync, mkdirSync, readdirSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { buildEngine, inProject, scripted, type TestProject, tapeOf } from '../../harness/builtEngine';

/** Root may write everywhere; as root, the tests run the engine as the user `nobody`. */
const NOBODY = process.getuid?.() === 0 ? 65534 : undefined;
const AS = NOBODY === undefined ? {} : { uid: NOBODY, gid: NOBODY };

/** The built engine and its chunks. */
const BUILT = ['engine.js', 'chunks'].map((name) => resolve(__dirname, '../../../dist', name));

const RECORDS = `name = "r"
prompt = "hi"
[llm]
record_tape = "../tapes/r.tape.json"
[llm.provider]
kind = "practice"
`;

/** Runs the engine where it has only the permissions that the files give. */
function run(project: TestProject, ...args: string[]) {
  const { PATH } = process.env;
  const engine = [project.path('.engine/engine.js'), ...args];
  const env = { ...(PATH !== undefined && { PATH }), HOME: project.root };
  const { status, stdout, stderr, error } = spawnSync(process.execPath, engine, {
    cwd: project.root,
    env,
    encoding: 'utf8',
    ...AS,
  });
  if (error !== undefined) throw error;
  return { code: status, stdout, stderr };
}

/** The project belongs to the user that the engine runs as. */
async function inOwnProject(
  files: Readonly<Record<string, string>>,
  test: (project: TestProject) => Promise<void>,
): Promise<void> {
  await inProject({ 'tapedeck.toml': '', ...files }, async (project) => {
    mkdirSync(project.path('.engine'));
    for (const path of BUILT) cpSync(path, project.path(`.engine/${basename(path)}`), { recursive: true });
    const names = ['.', ...readdirSync(project.root, { recursive: true, encoding: 'utf8' })];
    if (NOBODY !== undefined) for (const name of names) chownSync(join(project.root, name), NOBODY, NOBODY);
    await test(project);
  });
}

/** Takes permissions from a file or folder during a test, so that it can be removed afterwards. */
async function without(path: string, mode: number, test: () => void): Promise<void> {
  chmodSync(path, mode);
  try {
    test();
  } finally {
    chmodSync(path, 0o755);
  }
}

describe('where permissions are missing', function () {
  this.timeout(60_000);
  before(function () {
    buildEngine.call(this);
    // There are no such permissions on Windows; and the user `nobody` cannot run a node in root's home.
    if (process.platform !== 'win32' && spawnSync(process.execPath, ['-e', ''], AS).status === 0) return;
    console.log('NOT TESTED: missing permissions; this system has none, or the user nobody cannot run this node');
    this.skip();
  });

  it('accept and run name what they could not write, and end with 2', async () => {
    const files = { 'cases/a.toml': scripted('a', ['one']), 'cases/r.toml': RECORDS, 'tapes/.keep': '' };
    await inOwnProject(files, async (project) => {
      assert.equal(run(project, 'run', 'cases/a.toml').code, 0);
      await without(project.path('cases'), 0o555, () => {
        const { code, stderr } = run(project, 'accept', 'cases/a.toml');
        assert.equal(code, 2, stderr);
        assert.match(stderr, /^tapedeck: \S+\/cases\/a\.baseline\.json: permission denied\n {2}Change its permissions/);
        const updated = run(project, 'run', 'cases/a.toml', '--update-baselines');
        assert.equal(updated.code, 2, updated.stdout);
        assert.match(updated.stdout, /cases\/a\.baseline\.json: permission denied/);
      });
      await without(project.path('tapes'), 0o555, () => {
        const { code, stdout } = run(project, 'run', 'cases/r.toml', '--record');
        assert.equal(code, 2, stdout);
        assert.match(stdout, /tapes\/r\.tape\.json: permission denied/);
      });
    });
  });

  it('verify finds what it cannot look into, and calls nothing right', async () => {
    const tape = tapeOf('a', ['one']);
    await inOwnProject({ 'a.tape.json': tape, 'b.tape.json': tape, 'more/c.tape.json': tape }, async (project) => {
      assert.equal(run(project, 'verify').code, 0);
      await without(project.path('b.tape.json'), 0o000, () => {
        const { code, stdout } = run(project, 'verify');
        assert.equal(code, 1);
        assert.match(
          stdout,
          /^b\.tape\.json:1:1: error: permission denied \[unreadable\]\n {2}Check the file and its permissions/,
        );
        assert.match(stdout, /1 error in 1 tape\.\n$/);
      });
      await without(project.path('more'), 0o000, () => {
        const { code, stdout } = run(project, 'verify', '--json');
        assert.equal(code, 1);
        assert.equal(JSON.parse(stdout).ok, false);
      });
    });
  });
});
