import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { serve } from '../../../src/contracts/contract';
import { engine as engineContract } from '../../../src/contracts/engine/engine';
import type { DecideParams } from '../../../src/contracts/engine/engineReviews';
import type { ReviewDetails, ReviewSubject } from '../../../src/contracts/engine/review';
import type { RecordedInteraction } from '../../../src/core/model/interaction';
import { mofaFormat } from '../../../src/core/tapes/formats/mofa/index';
import { createApi } from '../../../src/engine/rpc/api';
import { say, turn } from '../../core/review/recordings';
import { inProject, scripted, type TestProject } from '../../harness/builtEngine';
import { callerOf, type NamedCaller } from '../../harness/contractEnds';
import { tapedeck } from '../../harness/inProcess';
import { memoryChannel } from '../../harness/memoryChannel';
import { noDebugger } from '../../harness/noDebugger';

const tape = (...turns: RecordedInteraction[]): string => mofaFormat.serialise?.('case', turns) ?? '';
const paris = (answer: string, tokens = 10, model?: string) =>
  turn([say('user', 'What is the weather in Paris')], answer, { tokens, ...(model && { model }) });
const clock = (time: string) => turn([say('user', `It is ${time}`)], 'Fine');
const OLD = tape(paris('It rains in Paris today'));
const NEW = tape(paris('It snows in Paris today', 12, 'gpt-5'));

/** A repository with these files committed, and the engine behind a channel, as the extension has it. */
function inRepository(
  files: Readonly<Record<string, string>>,
  test: (project: TestProject, engine: NamedCaller<typeof engineContract>) => Promise<void>,
): Promise<void> {
  return inProject({ 'tapedeck.toml': '', '.gitignore': '.tapedeck/\n', ...files }, async (project) => {
    const git = (...args: string[]) => execFileSync('git', args, { cwd: project.root, encoding: 'utf8' });
    git('init', '-q');
    git('add', '.');
    git('-c', 'user.name=x', '-c', 'user.email=x@example.com', 'commit', '-qm', 'first');
    await withEngine((engine) => test(project, engine));
  });
}

interface Changed {
  readonly project: TestProject;
  readonly engine: NamedCaller<typeof engineContract>;
  readonly root: string;
  readonly path: string;
  readonly review: ReviewDetails;
}

/** A repository with a tape that was recorded anew, and the review of it. */
function inChanged(test: (changed: Changed) => Promise<void>): Promise<void> {
  const path = 'a.tape.json';
  return inRepository({ [path]: OLD }, async (project, engine) => {
    await project.write(path, NEW);
    const review = await reviewOf(engine, project, path);
    await test({ project, engine, root: project.root, path, review });
  });
}

/** The engine behind a channel, as the extension has it. */
async function withEngine(test: (engine: NamedCaller<typeof engineContract>) => Promise<void>): Promise<void> {
  const { left, right } = memoryChannel();
  const { api } = createApi(
    () => undefined,
    () => Promise.reject(new Error('no model')),
    noDebugger,
  );
  const served = serve(engineContract, right, api);
  const engine = callerOf(engineContract, left);
  await test(engine);
  engine.close();
  served.close();
}

const tapeAt = (path: string): ReviewSubject => ({ kind: 'tape', path });

/** A decision on changes of a tape. */
const decision = (
  { root, path, review }: Omit<Changed, 'project' | 'engine'>,
  verdict: DecideParams['verdict'],
  changes: readonly string[] = idsOf(review),
): DecideParams => ({ root, subject: tapeAt(path), verdict, changes, stamp: review.stamp });

async function reviewOf(engine: NamedCaller<typeof engineContract>, { root }: TestProject, path: string) {
  const review = await engine.call('review', { root, subject: tapeAt(path) });
  assert.ok(review, `${path} has no review`);
  return review;
}

const titles = ({ changes }: ReviewDetails) => changes.map(({ title, decision }) => `${title}: ${decision}`);
const idsOf = ({ changes }: ReviewDetails) => changes.map(({ id }) => id);

describe('the reviews of a project, over the rpc', function () {
  this.timeout(30_000);

  it('tells what a tape took before it changed, by what each interaction was', async () => {
    await inChanged(async ({ project, engine, root, path }) => {
      await project.write(path, tape(clock('10:00'), paris('It snows in Paris today', 12)));
      const numbers = await engine.call('previousTotals', { root, path });
      assert.deepEqual(
        numbers?.interactions.map((one) => one && [one['tokens in'], one['tokens out']]),
        [null, [10, 5]],
      );
      assert.equal(numbers?.totals['tokens in'], 10);
      assert.ok((numbers?.interactions[1]?.cost ?? 0) > 0);
      await project.write(path, OLD);
      assert.equal(await engine.call('previousTotals', { root, path }), null);
      await project.write('new.tape.json', NEW);
      assert.equal(await engine.call('previousTotals', { root, path: 'new.tape.json' }), null);
    });
  });

  it('lists what changed as `check` does, in a few words, and tells noise from changes', async () => {
    const files = { 'a.tape.json': OLD, 'b.tape.json': tape(clock('2026-04-04T10:00:00Z')), 'c.tape.json': OLD };
    await inRepository({ ...files, 'case.toml': scripted('case', ['one']) }, async (project, engine) => {
      const { root } = project;
      assert.deepEqual(await engine.call('reviews', { root }), []);
      await tapedeck(project, 'run', '--update-baselines');
      await project.write('case.toml', scripted('case', ['two']));
      await tapedeck(project, 'run');
      await project.write('a.tape.json', NEW);
      await project.write('b.tape.json', tape(clock('2026-05-05T11:00:00Z')));
      const queue = await engine.call('reviews', { root });
      assert.deepEqual(
        queue.map(({ path, kind, summary, open, hidden }) => [path, kind, summary, open, hidden > 0]),
        [
          ['a.tape.json', 'tape', 'Response, Model', 2, false],
          ['b.tape.json', 'tape', '', 0, true],
          ['case.baseline.json', 'baseline', 'Baseline added', 1, false],
          ['case.toml', 'run', 'Output', 1, true],
        ],
      );
      const check = JSON.parse((await tapedeck(project, 'check', '--reporter', 'json')).stdout);
      assert.deepEqual(
        check.files.map(({ path }: { path: string }) => path),
        queue.map(({ path }) => path),
      );
    });
  });

  it('shows a file with what both sides come to', async () => {
    await inRepository({ 'a.tape.json': OLD }, async (project, engine) => {
      await project.write('a.tape.json', NEW);
      const review = await reviewOf(engine, project, 'a.tape.json');
      assert.deepEqual(titles(review), ['Model: open', 'Response: open']);
      assert.equal(review.changes[1]?.usage?.after?.promptTokens, 12);
      assert.match(review.changes[1]?.after ?? '', /snows/);
      assert.deepEqual(review.measures[0], { name: 'interactions', before: 1, after: 1 });
      await project.write('a.tape.json', OLD);
      assert.equal(await engine.call('review', { root: project.root, subject: tapeAt('a.tape.json') }), null);
    });
  });

  it('accepts and puts back one change after the other, and takes each decision back', async () => {
    await inChanged(async ({ project, engine, root, path, review }) => {
      const [model = '', answer = ''] = idsOf(review);
      const reason = 'as it should be';
      await engine.call('decide', { ...decision({ root, path, review }, 'accepted', [answer]), reason });
      const accepted = await reviewOf(engine, project, path);
      assert.deepEqual(titles(accepted), ['Model: open', 'Response: accepted']);
      assert.equal(accepted.changes[1]?.reason, 'as it should be');
      await engine.call('decide', decision({ root, path, review }, 'rejected', [model]));
      assert.equal(await project.read(path), tape(paris('It snows in Paris today', 12)));
      assert.deepEqual((await engine.call('reviews', { root }))[0]?.open, 0);
      await engine.call('undo', { root, subject: tapeAt(path) });
      assert.equal(await project.read(path), NEW);
      await engine.call('undo', { root, subject: tapeAt(path) });
      assert.deepEqual(titles(await reviewOf(engine, project, path)), ['Model: open', 'Response: open']);
      await assert.rejects(engine.call('undo', { root, subject: tapeAt(path) }), /a\.tape\.json: nothing to undo/);
    });
  });

  it('keeps a file that was put back in sight, because that can be taken back', async () => {
    await inChanged(async ({ project, engine, root, path, review }) => {
      await engine.call('decide', decision({ root, path, review }, 'rejected'));
      assert.equal(await project.read(path), OLD);
      const [entry] = await engine.call('reviews', { root });
      assert.deepEqual([entry?.summary, entry?.open, entry?.rejected], ['Restored', 0, 1]);
      await engine.call('undo', { root, subject: tapeAt(path) });
      assert.equal(await project.read(path), NEW);
    });
  });

  for (const verdict of ['accepted', 'rejected'] as const)
    it(`lists nothing that was ${verdict} after the commit that follows`, async () => {
      await inRepository({ 'a.tape.json': OLD, 'b.tape.json': OLD }, async (project, engine) => {
        const { root } = project;
        const git = (...args: string[]) => execFileSync('git', args, { cwd: root, encoding: 'utf8' });
        for (const path of ['a.tape.json', 'b.tape.json']) {
          await project.write(path, NEW);
          const review = await reviewOf(engine, project, path);
          await engine.call('decide', decision({ root, path, review }, path === 'a.tape.json' ? verdict : 'accepted'));
        }
        const listed = await engine.call('reviews', { root });
        assert.deepEqual(
          listed.map(({ path, open }) => [path, open]),
          [
            ['a.tape.json', 0],
            ['b.tape.json', 0],
          ],
        );
        await engine.call('stage', { root });
        git('-c', 'user.name=x', '-c', 'user.email=x@example.com', 'commit', '-qm', 'second');
        assert.deepEqual(await engine.call('reviews', { root }), []);
      });
    });

  it('takes a first run, and the baseline that it becomes, as one decision', async () => {
    await inRepository(
      { 'a.toml': scripted('a', ['one']), 'b.toml': scripted('b', ['two']) },
      async (project, engine) => {
        const { root } = project;
        await tapedeck(project, 'run');
        const subject: ReviewSubject = { kind: 'run', path: 'a.toml' };
        const review = await engine.call('review', { root, subject });
        assert.ok(review);
        assert.deepEqual(titles(review), ['First run: open']);
        await engine.call('decide', {
          root,
          subject,
          verdict: 'accepted',
          changes: idsOf(review),
          stamp: review.stamp,
        });
        const listed = await engine.call('reviews', { root });
        assert.deepEqual(
          listed.map(({ path, open, accepted }) => [path, open, accepted]),
          [['a.baseline.json', 0, 1]],
        );
        await engine.call('undo', { root, subject });
        assert.equal(project.has('a.baseline.json'), false);
      },
    );
  });

  it('shows what is on a new tape, as one decision', async () => {
    await inRepository({}, async (project, engine) => {
      await project.write('new.tape.json', NEW);
      const review = await reviewOf(engine, project, 'new.tape.json');
      assert.deepEqual(titles(review), ['Tape added: open']);
      assert.deepEqual(
        review.changes[0]?.recording?.map(({ title, text }) => [title, text]),
        [
          ['User', 'What is the weather in Paris'],
          ['Assistant', 'It snows in Paris today'],
        ],
      );
    });
  });

  it('lists no tape that git restored after its change was accepted', async () => {
    await inChanged(async ({ project, engine, root, path, review }) => {
      await engine.call('decide', decision({ root, path, review }, 'accepted'));
      await project.write(path, OLD);
      assert.deepEqual(await engine.call('reviews', { root }), []);
    });
  });

  it('lists a rejected run, as check does, until it matches its baseline', async () => {
    await inRepository({ 'a.toml': scripted('a', ['one']) }, async (project, engine) => {
      const { root } = project;
      const git = (...args: string[]) => execFileSync('git', args, { cwd: root, encoding: 'utf8' });
      const commit = () => git('-c', 'user.name=x', '-c', 'user.email=x@example.com', 'commit', '-qam', 'more');
      await tapedeck(project, 'run', '--update-baselines');
      git('add', '.');
      commit();
      await project.write('a.toml', scripted('a', ['two']));
      await tapedeck(project, 'run');
      await tapedeck(project, 'reject', 'a.toml');
      const listed = async () =>
        (await engine.call('reviews', { root })).map(({ path, open, rejected }) => [path, open, rejected]);
      assert.deepEqual(await listed(), [['a.toml', 0, 1]]);
      commit();
      assert.deepEqual(await listed(), [['a.toml', 0, 1]], 'the last run still differs');
      await project.write('a.toml', scripted('a', ['one']));
      await tapedeck(project, 'run');
      assert.deepEqual(await listed(), []);
    });
  });

  for (const verdict of ['accepted', 'rejected'] as const)
    it(`refuses a decision (${verdict}) on what was written since it was looked at, and leaves it alone`, async () => {
      await inChanged(async ({ project, engine, root, path, review }) => {
        const newer = tape(paris('It hails in Paris today', 12));
        await project.write(path, newer);
        await assert.rejects(
          engine.call('decide', decision({ root, path, review }, verdict)),
          /a\.tape\.json has changed since this review\. Review it again/,
        );
        assert.equal(await project.read(path), newer);
        assert.equal(project.has('.tapedeck/reviews/a.tape.json.decisions.json'), false);
      });
    });

  it('refuses to take back a decision about a file that was written since', async () => {
    await inChanged(async ({ project, engine, root, path, review }) => {
      await engine.call('decide', decision({ root, path, review }, 'rejected'));
      const newer = tape(paris('It hails in Paris today', 12));
      await project.write(path, newer);
      await assert.rejects(
        engine.call('undo', { root, subject: tapeAt(path) }),
        /a\.tape\.json has changed since this decision/,
      );
      assert.equal(await project.read(path), newer);
    });
  });

  it('takes an accepted run back from its baseline, too', async () => {
    await inRepository({ 'a.toml': scripted('a', ['one']) }, async (project, engine) => {
      const { root } = project;
      await tapedeck(project, 'run', '--update-baselines');
      const baseline = await project.read('a.baseline.json');
      await project.write('a.toml', scripted('a', ['two']));
      await tapedeck(project, 'run');
      const subject: ReviewSubject = { kind: 'run', path: 'a.toml' };
      const review = await engine.call('review', { root, subject });
      assert.ok(review, 'the run has a review');
      assert.deepEqual([review.kind, review.against, titles(review)], ['run', 'baseline', ['Output: open']]);
      assert.ok(review.measures.length > 0);
      const { stamp, changes } = review;
      const [change] = changes;
      const texts = await engine.call('changeTexts', { root, subject, id: change?.id ?? '' });
      assert.deepEqual(texts, { before: 'one', after: 'two' });
      await engine.call('decide', { root, subject, verdict: 'accepted', changes: idsOf(review), stamp });
      assert.notEqual(await project.read('a.baseline.json'), baseline);
      await engine.call('undo', { root, subject: { kind: 'baseline', path: 'a.baseline.json' } });
      assert.equal(await project.read('a.baseline.json'), baseline);
    });
  });

  it('puts a file back in which only noise differs', async () => {
    const old = tape(clock('2026-04-04T10:00:00Z'));
    await inRepository({ 'a.tape.json': old }, async (project, engine) => {
      const path = 'a.tape.json';
      await project.write(path, tape(clock('2026-05-05T11:00:00Z')));
      const review = await reviewOf(engine, project, path);
      assert.deepEqual([review.changes.length, review.hidden.length], [0, 1]);
      await engine.call('decide', decision({ root: project.root, path, review }, 'rejected', []));
      assert.equal(await project.read(path), old);
    });
  });

  describe('without a repository', () => {
    const path = 'a.tape.json';
    const take = '.tapedeck/takes/a.tape.json/2026-01-01T00-00-00.000Z.json';

    it('compares a tape with the take that it replaced, and takes that back when it is rejected', async () => {
      await inProject({ 'tapedeck.toml': '', [path]: NEW, [take]: OLD }, async (project) => {
        await withEngine(async (engine) => {
          const { root } = project;
          const [entry] = await engine.call('reviews', { root });
          assert.deepEqual([entry?.path, entry?.summary, entry?.open], [path, 'Response, Model', 2]);
          const review = await reviewOf(engine, project, path);
          await engine.call('decide', decision({ root, path, review }, 'rejected'));
          assert.equal(await project.read(path), OLD);
          assert.equal(
            await engine.call('review', { root, subject: tapeAt(path) }),
            null,
            'the rejected take is none to compare with',
          );
          await engine.call('undo', { root, subject: tapeAt(path) });
          assert.equal(await project.read(path), NEW);
          assert.equal((await engine.call('reviews', { root }))[0]?.open, 2);
        });
      });
    });

    it('remembers what was accepted of it, as `check` does', async () => {
      await inProject({ 'tapedeck.toml': '', [path]: NEW, [take]: OLD }, async (project) => {
        assert.equal((await tapedeck(project, 'check')).code, 1);
        assert.equal((await tapedeck(project, 'accept', path)).code, 0);
        const { code, stdout } = await tapedeck(project, 'check');
        assert.deepEqual([code, stdout], [0, 'no pending changes; 2 accepted\n']);
      });
    });
  });

  it('leaves long texts for later, and gives them when they are asked for', async () => {
    const long = (word: string) => Array.from({ length: 9000 }, (_, line) => `${word} ${line}`).join('\n');
    const oslo = (answer: string) => turn([say('user', 'And how is it in Oslo')], answer);
    await inRepository({ 'a.tape.json': tape(paris('rain'), oslo(long('rain'))) }, async (project, engine) => {
      const path = 'a.tape.json';
      await project.write(path, tape(paris('snow'), oslo(long('snow'))));
      const [first, second] = (await reviewOf(engine, project, path)).changes;
      assert.deepEqual([first?.before, first?.after], ['rain', 'snow']);
      assert.deepEqual([second?.before, second?.after], ['', '']);
      assert.match(second?.deferred?.preview ?? '', /^snow 0 snow 1/);
      const wanted = { root: project.root, subject: tapeAt(path), id: second?.id ?? '' };
      const texts = { before: long('rain'), after: long('snow') };
      assert.deepEqual(await engine.call('changeTexts', wanted), texts);
      await project.write(path, tape(paris('hail'), oslo(long('snow'))));
      assert.deepEqual(
        await engine.call('changeTexts', wanted),
        texts,
        'the same change, in a file that was written since',
      );
      await project.write(path, tape(paris('hail'), oslo(long('hail'))));
      await assert.rejects(engine.call('changeTexts', wanted), /has changed since this review/);
    });
  });

  it('takes no path that leads out of the project', async () => {
    await inRepository({}, async ({ root }, engine) => {
      for (const path of ['../x.tape.json', '/etc/passwd', 'a/../../b', ''])
        await assert.rejects(engine.call('review', { root, subject: tapeAt(path) }), /invalid parameters/);
    });
  });
});
