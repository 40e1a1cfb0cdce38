import assert from 'node:assert/strict';
import { artifactPath, baselinePath, casePathOf, decisionPath } from '../../src/core/project/layout';
import { acceptCase, rejectCase } from '../../src/engine/runs/decisions';
import { buildEngine, inProject, scripted, type TestProject } from './builtEngine';

const ARTIFACT = '.tapedeck/runs/a.artifact.json';
const DECISION = '.tapedeck/reviews/a.json';
const ASSERT = '[assert]\ncontains = "o"';

/** A project whose case `a` has run with another output and another assertion than its baseline has. */
const changed = (test: (project: TestProject) => Promise<void>) =>
  inProject({ 'a.toml': scripted('a', ['one'], ASSERT) }, async (project) => {
    await project.engine(['run', '--update-baselines']);
    await project.write('a.toml', scripted('a', ['two'], '[assert]\ncontains = "w"'));
    await project.engine(['run']);
    await test(project);
  });

/** The baseline is the artifact, but for the path of a workspace that is gone. */
async function assertAccepted(project: TestProject): Promise<void> {
  const artifact = await project.json(ARTIFACT);
  assert.deepEqual(await project.json('a.baseline.json'), { ...artifact, workspace_root: '' });
}

describe('accept and reject', function () {
  this.timeout(30_000);
  before(buildEngine);

  it('accept makes the last run the baseline, and then the case passes', async () => {
    await changed(async (project) => {
      const { code, stdout } = await project.engine(['accept', 'a.toml']);
      assert.deepEqual([code, stdout], [0, 'a.toml: output_text, assertions accepted into a.baseline.json\n']);
      await assertAccepted(project);
      assert.equal((await project.engine(['run'])).code, 0);
      const again = await project.engine(['accept', 'a.toml']);
      assert.deepEqual([again.code, again.stdout], [0, 'a.toml: nothing to accept\n']);
    });
  });

  it('accept --field takes that field only, and the rest goes on failing', async () => {
    await changed(async (project) => {
      await project.engine(['accept', 'a.toml', '--field', 'output_text']);
      const baseline = await project.json('a.baseline.json');
      assert.equal(baseline.output_text, 'two');
      assert.deepEqual(baseline.assertions, [{ kind: 'contains', expected: 'o', actual: 'one', passed: true }]);
      const { code, stdout } = await project.engine(['run']);
      assert.equal(code, 1);
      assert.match(stdout, /Assertions differs? from the baseline/);
      assert.doesNotMatch(stdout, /Output differs/);
    });
  });

  it('accept gives a case its first baseline', async () => {
    await inProject({ 'a.toml': scripted('a', ['one']) }, async (project) => {
      await project.engine(['run']);
      assert.equal((await project.engine(['accept', ARTIFACT])).code, 0, 'the artifact stands for its case');
      await assertAccepted(project);
    });
  });

  it('accept takes a folder, with the cases of it that have been run', async () => {
    await inProject({ 'in/a.toml': scripted('a', ['x']), 'in/b.toml': scripted('b', ['x']) }, async (project) => {
      await project.engine(['run', 'in/a.toml']);
      const { code, stdout } = await project.engine(['accept', '.']);
      assert.equal(code, 0);
      assert.match(stdout, /^in\/a\.toml: .* accepted into in\/a\.baseline\.json\n$/);
      assert.equal(project.has('in/b.baseline.json'), false);
    });
  });

  it('reject leaves the baseline and remembers what is not wanted', async () => {
    await changed(async (project) => {
      const before = await project.read('a.baseline.json');
      const { code, stdout } = await project.engine(['reject', 'a.toml']);
      assert.deepEqual([code, stdout], [0, 'a.toml: output_text, assertions rejected\n']);
      assert.equal(await project.read('a.baseline.json'), before);
      const { execution_id } = await project.json(ARTIFACT);
      assert.deepEqual(await project.json(DECISION), { execution_id, rejected: ['output_text', 'assertions'] });
      assert.equal((await project.engine(['run'])).code, 1, 'a rejected difference goes on failing');
    });
  });

  it('accept takes back a rejection of the same run', async () => {
    await changed(async (project) => {
      await project.engine(['reject', 'a.toml']);
      await project.engine(['accept', 'a.toml', '--field', 'output_text']);
      assert.deepEqual((await project.json(DECISION)).rejected, ['assertions']);
    });
  });

  it('end with 2 where there is nothing to decide about', async () => {
    const files = {
      'a.toml': scripted('a', ['x']),
      'b.toml': scripted('b', ['x']),
      '.tapedeck/runs/b.artifact.json': '{',
    };
    await inProject(files, async (project) => {
      const cases = [
        [['accept', 'a.toml'], /a\.toml has not been run\n {2}Run it/],
        [['reject', 'no.toml'], /no\.toml has not been run/],
        [['accept', 'b.toml'], /\.tapedeck\/runs\/b\.artifact\.json:1:2: invalid JSON/],
        [
          ['accept', 'a.toml', '--field', 'outptu'],
          /there is no field `outptu`\n {2}The fields are status, output_text/,
        ],
      ] as const;
      for (const [args, message] of cases) {
        const { code, stderr } = await project.engine(args);
        assert.equal(code, 2, stderr);
        assert.match(stderr, message);
      }
    });
  });
});

describe('the case of a file', () => {
  it('is found by the paths of its artifact, decision and baseline, and of nothing else', () => {
    for (const path of [artifactPath, decisionPath, baselinePath]) {
      assert.equal(casePathOf(path('a.toml')), 'a.toml');
      assert.equal(casePathOf(path('in/a b.c.toml')), 'in/a b.c.toml');
    }
    for (const path of [
      'a.toml',
      'a.json',
      '.baseline.json',
      '.tapedeck/takes/a.json',
      '.tapedeck/runs/.artifact.json',
    ])
      assert.equal(casePathOf(path), undefined, path);
  });
});

describe('a decision about a run', function () {
  this.timeout(30_000);
  before(buildEngine);

  it('is refused when the case has run again since, and changes nothing', async () => {
    await changed(async (project) => {
      const { execution_id } = await project.json(ARTIFACT);
      const baseline = await project.read('a.baseline.json');
      await project.engine(['run']);
      const params = { root: project.root, casePath: project.path('a.toml'), fields: ['output_text'] };
      const older = { ...params, executionId: String(execution_id) };
      await assert.rejects(acceptCase(older), /^UserError: a\.toml: the case has run again since this review$/);
      await assert.rejects(rejectCase(older), /the case has run again since this review/);
      assert.equal(await project.read('a.baseline.json'), baseline);
      assert.equal(project.has(DECISION), false);
    });
  });

  it('adds to what was rejected of the same run, and forgets what was rejected of another', async () => {
    await changed(async (project) => {
      const reject = async (field: string): Promise<unknown> => {
        const executionId = String((await project.json(ARTIFACT)).execution_id);
        await rejectCase({ root: project.root, casePath: project.path('a.toml'), fields: [field], executionId });
        return (await project.json(DECISION)).rejected;
      };
      assert.deepEqual(await reject('output_text'), ['output_text']);
      assert.deepEqual(await reject('assertions'), ['output_text', 'assertions']);
      await project.engine(['run']);
      assert.deepEqual(await reject('assertions'), ['assertions']);
    });
  });

  it('is not made about a case outside the project', async () => {
    const params = { root: '/somewhere/in', casePath: '/somewhere/else/a.toml', fields: [], executionId: 'x' };
    await assert.rejects(acceptCase(params), /is outside the project \/somewhere\/in/);
  });
});
