import assert from 'node:assert/strict';
import { buildEngine } from '../../harness/builtEngine';
import { tapedeck } from '../../harness/inProcess';
import { git, inRepository, NEW, OLD } from '../../harness/repository';

/** A tape as git leaves it where two branches changed the same lines. */
function conflicted(ours: string, theirs: string): string {
  return `<<<<<<< HEAD\n${ours.trimEnd()}\n=======\n${theirs.trimEnd()}\n>>>>>>> other\n`;
}

describe('an unresolved merge conflict', function () {
  this.timeout(60_000);
  before(buildEngine);

  it('is pending, cannot be accepted, and passes no gate', async () => {
    for (const name of ['a.tape.json', 'a.baseline.json']) {
      const old = name === 'a.tape.json' ? OLD : '{"schema_version":1}\n';
      await inRepository({ [name]: old }, async (project) => {
        await project.write(name, conflicted(old, name === 'a.tape.json' ? NEW : '{"schema_version":2}'));
        const isPending = async (...options: readonly string[]): Promise<void> => {
          const { code, stdout } = await tapedeck(project, 'check', ...options);
          assert.deepEqual([code, /Unresolved merge conflict/.test(stdout)], [1, true], stdout);
        };
        await isPending();
        const accepted = await tapedeck(project, 'accept', name);
        assert.notEqual(accepted.code, 0, accepted.stdout);
        assert.match(accepted.stderr, /: the file has an unresolved merge conflict/);
        await isPending();
        git(project, 'add', '-A');
        await isPending('--staged');
        assert.notEqual((await tapedeck(project, 'accept', name, '--stage')).code, 0);
        const rejected = await tapedeck(project, 'reject', name);
        assert.equal(rejected.code, 0, rejected.stderr);
        assert.equal(await project.read(name), old);
      });
    }
  });

  it('is said at its line, and nothing is replayed from it or recorded over it', async () => {
    await inRepository({ 'a.tape.json': OLD }, async (project) => {
      const text = conflicted(OLD, NEW);
      await project.write('a.tape.json', text);
      const verified = await tapedeck(project, 'verify', 'a.tape.json');
      assert.equal(verified.code, 1);
      assert.match(verified.stdout, /a\.tape\.json:1:1.* the file has an unresolved merge conflict/);
      for (const mode of ['--replay', '--record', '--auto']) {
        const { code, stderr } = await tapedeck(
          project,
          'exec',
          '--tape',
          'a.tape.json',
          mode,
          '--',
          'node',
          '-e',
          '0',
        );
        assert.notEqual(code, 0, mode);
        assert.match(stderr, /a\.tape\.json:1:1: the file has an unresolved merge conflict/);
      }
      assert.equal(await project.read('a.tape.json'), text);
    });
  });
});
