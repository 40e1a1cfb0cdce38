import assert from 'node:assert/strict';
import type { DecideParams } from '../../../src/contracts/engine/engineReviews';
import { artifactPath, baselinePath, decisionPath, owningCasePath } from '../../../src/core/project/layout';
import type { Decision } from '../../../src/core/review/decisions';
import { Reviews } from '../../../src/engine/review/decide';
import { openRunReview } from '../../../src/engine/review/runReview';
import { inProject, scripted, type TestProject } from '../../harness/builtEngine';
import { tapedeck } from '../../harness/inProcess';

const ARTIFACT = '.tapedeck/runs/a.artifact.json';
const DECISION = '.tapedeck/reviews/a.json';
const ASSERT = '[assert]\ncontains = "o"';

/** A project whose case `a` has run with another output and another assertion than its baseline has. */
const changed = (test: (project: TestProject) => Promise<void>) =>
  inProject({ 'a.toml': scripted('a', ['one'], ASSERT) }, async (project) => {
    await tapedeck(project, 'run', '--update-baselines');
    await project.write('a.toml', scripted('a', ['two'], '[assert]\ncontains = "w"'));
    await tapedeck(project, 'run');
    await test(project);
  });

/** The baseline is the artifact, but for the path of a workspace that is gone. */
async function assertTaken(project: TestProject): Promise<void> {
  const artifact = await project.json(ARTIFACT);
  assert.deepEqual(await project.json('a.baseline.json'), { ...artifact, workspace_root: '' });
}

/** The verdicts by the titles of the changes. */
async function verdicts(project: TestProject): Promise<Record<string, string | undefined>> {
  const review = await openRunReview(project.root, project.path('a.toml'));
  return Object.fromEntries((review?.changes ?? []).map(({ id, title }) => [title, review?.decisions[id]?.verdict]));
}

/** A decision on a field of the last run. */
async function paramsFor(project: TestProject, verdict: Decision, field: string): Promise<DecideParams> {
  const { root } = project;
  const review = await openRunReview(root, project.path('a.toml'));
  const changes = (review?.changes ?? []).filter(({ place }) => place.path[0] === field).map(({ id }) => id);
  return { root, subject: { kind: 'run', path: 'a.toml' }, verdict, changes, stamp: review?.stamp ?? '' };
}

describe('accept and reject', function () {
  this.timeout(30_000);

  it('accept takes what changed into the baseline, and then the case passes', async () => {
    await changed(async (project) => {
      const old = await project.json('a.baseline.json');
      const { code, stdout } = await tapedeck(project, 'accept', 'a.toml');
      assert.equal(code, 0);
      assert.match(stdout, /^a\.toml: Output, .*Assertion contains.* accepted into a\.baseline\.json\n$/);
      const baseline = await project.json('a.baseline.json');
      assert.equal(baseline.output_text, 'two');
      assert.equal(baseline.execution_id, old.execution_id, 'what differs in every run is not in the commit');
      assert.equal((await tapedeck(project, 'run')).code, 0);
      const again = await tapedeck(project, 'accept', 'a.toml');
      assert.deepEqual([again.code, again.stdout], [0, 'a.toml: nothing to accept\n']);
    });
  });

  it('accept --field takes that field only, and the rest goes on failing', async () => {
    await changed(async (project) => {
      await tapedeck(project, 'accept', 'a.toml', '--field', 'output_text');
      const baseline = await project.json('a.baseline.json');
      assert.equal(baseline.output_text, 'two');
      assert.deepEqual(baseline.assertions, [{ kind: 'contains', expected: 'o', actual: 'one', passed: true }]);
      const { code, stdout } = await tapedeck(project, 'run');
      assert.equal(code, 1);
      assert.match(stdout, /Assertion contains/);
      assert.doesNotMatch(stdout, /Output differs/);
    });
  });

  it('accept gives a case its first baseline', async () => {
    await inProject({ 'a.toml': scripted('a', ['one']) }, async (project) => {
      await tapedeck(project, 'run');
      assert.equal((await tapedeck(project, 'accept', ARTIFACT)).code, 0, 'the artifact stands for its case');
      await assertTaken(project);
    });
  });

  it('accept takes a folder, with the cases of it that have been run', async () => {
    await inProject({ 'in/a.toml': scripted('a', ['x']), 'in/b.toml': scripted('b', ['x']) }, async (project) => {
      await tapedeck(project, 'run', 'in/a.toml');
      const { code, stdout } = await tapedeck(project, 'accept', '.');
      assert.equal(code, 0);
      assert.match(stdout, /^in\/a\.toml: .* accepted into in\/a\.baseline\.json\n$/);
      assert.equal(project.has('in/b.baseline.json'), false);
    });
  });

  it('reject leaves the baseline and remembers what is not wanted, over the next run, too', async () => {
    await changed(async (project) => {
      const before = await project.read('a.baseline.json');
      const { code, stdout } = await tapedeck(project, 'reject', 'a.toml', '--reason', 'wrong tone');
      assert.equal(code, 0);
      assert.match(stdout, /^a\.toml: Output, .* rejected\n$/);
      assert.equal(await project.read('a.baseline.json'), before);
      assert.equal((await tapedeck(project, 'run')).code, 1, 'a rejected difference goes on failing');
      assert.ok(Object.values(await verdicts(project)).every((verdict) => verdict === 'rejected'));
      assert.match(await project.read(DECISION), /"reason": "wrong tone"/);
      const again = await tapedeck(project, 'reject', 'a.toml');
      assert.equal(again.stdout, 'a.toml: nothing to reject\n');
    });
  });

  it('accept takes back a rejection', async () => {
    await changed(async (project) => {
      await tapedeck(project, 'reject', 'a.toml');
      await tapedeck(project, 'accept', 'a.toml', '--field', 'output_text');
      const left = await verdicts(project);
      assert.equal(left.Output, undefined);
      assert.ok(Object.values(left).includes('rejected'));
    });
  });

  it('decide nothing where a change that is named is none', async () => {
    await changed(async (project) => {
      const before = await project.read('a.baseline.json');
      const named = [
        [['--change', 'typo'], /there is no change typo\n {2}To list the ids/],
        [['--field', 'typo'], /there are no changes in the field typo\n {2}Changes are in: .*output_text/],
        [['--field', 'output_text', '--change', 'typo'], /there is no change typo/],
      ] as const;
      for (const [options, message] of named)
        for (const verb of ['accept', 'reject']) {
          const { code, stdout, stderr } = await tapedeck(project, verb, 'a.toml', ...options);
          assert.deepEqual([code, stdout], [2, ''], verb);
          assert.match(stderr, message);
        }
      assert.equal(await project.read('a.baseline.json'), before);
      assert.equal(project.has(DECISION), false);
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
        [['reject', 'no.toml'], /no\.toml: there is no such case\n {2}Name a case/],
        [['accept', 'b.toml'], /\.tapedeck\/runs\/b\.artifact\.json:1:2: invalid JSON/],
      ] as const;
      for (const [args, message] of cases) {
        const { code, stderr } = await tapedeck(project, ...args);
        assert.equal(code, 2, stderr);
        assert.match(stderr, message);
      }
    });
  });
});

describe('the case of a file', () => {
  it('is found by the paths of its artifact, decision and baseline, and of nothing else', () => {
    for (const path of [artifactPath, decisionPath, baselinePath]) {
      assert.equal(owningCasePath(path('a.toml')), 'a.toml');
      assert.equal(owningCasePath(path('in/a b.c.toml')), 'in/a b.c.toml');
    }
    for (const path of [
      'a.toml',
      'a.json',
      '.baseline.json',
      '.tapedeck/takes/a.json',
      '.tapedeck/runs/.artifact.json',
    ])
      assert.equal(owningCasePath(path), undefined, path);
  });
});

describe('a decision about a run', function () {
  this.timeout(30_000);

  it('is refused when the case has run again since, or its baseline was written, and changes nothing', async () => {
    await changed(async (project) => {
      const reviews = new Reviews();
      const older = await paramsFor(project, 'accepted', 'output_text');
      await tapedeck(project, 'run');
      const baseline = await project.read('a.baseline.json');
      await assert.rejects(reviews.decide(older), /^UserError: a\.toml has changed since this review$/);
      await assert.rejects(reviews.decide({ ...older, verdict: 'rejected' }), /has changed since this review/);
      const reviewed = await paramsFor(project, 'accepted', 'output_text');
      await project.write('a.baseline.json', `${baseline} `);
      await assert.rejects(reviews.decide(reviewed), /has changed since this review/);
      assert.equal(await project.read('a.baseline.json'), `${baseline} `);
      assert.equal(project.has(DECISION), false);
    });
  });

  it('is refused when the rules have changed since, because other changes were shown', async () => {
    await changed(async (project) => {
      const reviewed = await paramsFor(project, 'accepted', 'output_text');
      await project.write('tapedeck.toml', '[normalise]\nignore = ["status"]\n');
      await assert.rejects(new Reviews().decide(reviewed), /a\.toml has changed since this review/);
      assert.equal(project.has(DECISION), false);
    });
  });

  it('can be undone, the last one first, unless the files were written since', async () => {
    await changed(async (project) => {
      const reviews = new Reviews();
      const baseline = await project.read('a.baseline.json');
      const output = await paramsFor(project, 'accepted', 'output_text');
      await reviews.decide(output);
      await reviews.decide(await paramsFor(project, 'rejected', 'assertions'));
      assert.ok(Object.values(await verdicts(project)).includes('rejected'));
      await reviews.undo(output);
      assert.ok(!Object.values(await verdicts(project)).includes('rejected'));
      await reviews.undo(output);
      assert.equal(await project.read('a.baseline.json'), baseline);
      assert.equal(project.has(DECISION), false);
      await assert.rejects(reviews.undo(output), /nothing to undo/);
      await reviews.decide(output);
      await project.write('a.baseline.json', '{}');
      await assert.rejects(reviews.undo(output), /has changed since this decision/);
      assert.equal(await project.read('a.baseline.json'), '{}');
    });
  });

  it('is not made about a case outside the project', async () => {
    const subject = { kind: 'run', path: '../else/a.toml' } as const;
    const params = { root: '/somewhere/in', subject, verdict: 'accepted', changes: [], stamp: 'x' } as const;
    await assert.rejects(new Reviews().decide(params), /is outside the project \/somewhere\/in/);
  });
});
