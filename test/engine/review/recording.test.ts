import assert from 'node:assert/strict';
import { rm } from 'node:fs/promises';
import type { Change } from '../../../src/core/model/change';
import type { CheckDocument } from '../../../src/engine/reporters/jsonDocuments';
import { Reviews } from '../../../src/engine/review/decide';
import { createReviewApi } from '../../../src/engine/review/reviewApi';
import { reviewQueue } from '../../../src/engine/review/reviewQueue';
import type { TestProject } from '../../harness/builtEngine';
import { git, inRepository } from '../../harness/repository';
import { completion, sendJson, serve } from '../../harness/support';

/** An agent of the user's, which asks twice, and prints the second answer. */
const AGENT = `import { readFileSync } from 'node:fs';
const said = [];
for (const content of ['Who are you?', readFileSync('prompt.txt', 'utf8')]) {
  const sent = { model: 'm', messages: [{ role: 'system', content: 'You help.' }, { role: 'user', content }] };
  const headers = { 'content-type': 'application/json', authorization: 'Bearer x' };
  const asked = { method: 'POST', headers, body: JSON.stringify(sent) };
  const response = await fetch(process.env.OPENAI_BASE_URL + '/chat/completions', asked);
  said.push((await response.json()).choices[0].message.content);
}
console.log('Thinking…');
console.log(said.at(-1));
console.error('done in', performance.now());
`;
const CASE = '../tapes/own.tape.jsonl';
const FILES = {
  'cases/own.toml': `name = "own"\nprompt = "p"\n[agent]\ncommand = ["node", "agent.mjs"]\ncwd = ".."\n[llm]\ntape = "${CASE}"\n`,
  'agent.mjs': AGENT,
  'prompt.txt': 'Where is order 4711?',
};
const TAPE = { kind: 'tape', path: 'tapes/own.tape.jsonl' } as const;
const RUN = { kind: 'run', path: 'cases/own.toml' } as const;
const BASELINE = 'cases/own.baseline.json';

/** An own agent that was recorded, committed, and recorded again: it asks something else, and is told something else. */
async function rerecorded(test: (project: TestProject) => Promise<void>): Promise<void> {
  let answer = 'The order 4711 is on its way.';
  const server = await serve((response, { body }) =>
    sendJson(response, 200, completion(body.includes('Who') ? 'A clerk.' : answer)),
  );
  const record = ({ cli }: { cli: TestProject['cli'] }, ...more: string[]) =>
    cli(['run', 'cases', '--record', ...more], ENV);
  try {
    const config = `[proxy.upstream]\nopenai = "${server.baseUrl}"\n`;
    await inRepository({ ...FILES, 'tapedeck.toml': config }, async (project) => {
      const cli = project.cli.bind(project);
      const recorded = await record({ cli }, '--update-baselines');
      assert.equal(recorded.code, 0, recorded.stdout);
      git(project, 'add', '.');
      git(project, 'commit', '-qm', 'recorded');
      answer = 'The order 4711 arrives on Monday.';
      await project.write('prompt.txt', 'Where is my order 4711?');
      await record({ cli });
      await test(project);
    });
  } finally {
    await server.close();
  }
}
const ENV = { OPENAI_API_KEY: 'x', PATH: process.env.PATH ?? '' };

const titles = (changes: readonly Pick<Change, 'title'>[]) => changes.map(({ title }) => title);
const checked = async (project: TestProject, ...more: string[]) =>
  JSON.parse((await project.cli(['check', '--json', ...more])).stdout) as CheckDocument;
/** What is decided in each item of a check. */
const check = async (project: TestProject) =>
  Object.fromEntries(
    (await checked(project)).files.map(({ path, changes }) => [
      path,
      [...new Set(changes.map(({ decision }) => decision))],
    ]),
  );
const shown = async ({ root }: TestProject) =>
  (await createReviewApi().review({ root, subject: TAPE })) ?? assert.fail('there is no review');

describe('a recording of an own agent, made again', function () {
  this.timeout(120_000);

  it('is one item with two changes, each of which is decided in tape and baseline, and undone in both', () =>
    rerecorded(async (project) => {
      const { root } = project;
      const before = { tape: await project.read(TAPE.path), baseline: await project.read(BASELINE) };
      const [item, ...others] = await reviewQueue(root, new Reviews());
      assert.deepEqual(others, []);
      assert.deepEqual([item?.path, item?.open, item?.results], [TAPE.path, 2, [RUN]]);
      const { changes, casePath, stamp } = await shown(project);
      assert.equal(casePath, RUN.path);
      assert.deepEqual(
        changes.map(({ title, counterparts, isOfResult }) => [title, counterparts, isOfResult]),
        [
          ['Text of message 2', ['Text of message 2'], undefined],
          ['Response', ['Output', 'Response'], undefined],
        ],
      );
      assert.equal(stamp, item?.stamp);
      const api = createReviewApi();
      const response = changes.slice(1).map(({ id }) => id);
      await api.decide({ root, subject: TAPE, verdict: 'accepted', changes: response, stamp });
      assert.match(await project.read(BASELINE), /"output_text": "Thinking…\\nThe order 4711 arrives on Monday\."/);
      assert.match(await project.read(BASELINE), /"stdout": "Thinking…\\nThe order 4711 arrives on Monday\.\\n"/);
      const step = await project.json('.tapedeck/undo/00000002/step.json');
      assert.deepEqual(step.subject, RUN, 'and nothing of what was compared');
      const half = await shown(project);
      assert.deepEqual(titles(half.changes), titles(changes));
      assert.deepEqual(
        half.changes.map(({ decision }) => decision),
        ['open', 'accepted'],
      );
      const request = changes.slice(0, 1).map(({ id }) => id);
      await api.decide({ root, subject: TAPE, verdict: 'rejected', changes: request, stamp: half.stamp });
      assert.deepEqual(await check(project), { [TAPE.path]: ['accepted', 'rejected'] });
      assert.match(await project.read(TAPE.path), /Where is order 4711/);
      for (const _ of [1, 2]) await api.undo({ root, subject: TAPE });
      assert.equal(await project.read(TAPE.path), before.tape);
      assert.equal(await project.read(BASELINE), before.baseline);
      assert.deepEqual(
        (await shown(project)).changes.map(({ decision }) => decision),
        ['open', 'open'],
      );
    }));

  it('takes an accepted change out of both again', () =>
    rerecorded(async (project) => {
      const { root } = project;
      const baseline = await project.read(BASELINE);
      const api = createReviewApi();
      const { changes, stamp } = await shown(project);
      const ids = changes.map(({ id }) => id);
      await api.decide({ root, subject: TAPE, verdict: 'accepted', changes: ids, stamp });
      assert.deepEqual(await check(project), { [TAPE.path]: ['accepted'] });
      const accepted = await shown(project);
      await api.decide({ root, subject: TAPE, verdict: 'rejected', changes: ids, stamp: accepted.stamp });
      assert.deepEqual(await check(project), { [RUN.path]: ['rejected'] });
      assert.deepEqual(JSON.parse(await project.read(BASELINE)), JSON.parse(baseline));
      await api.undo({ root, subject: TAPE });
      assert.deepEqual(await check(project), { [TAPE.path]: ['accepted'] });
    }));

  for (const named of ['cases/own.toml', TAPE.path, BASELINE])
    it(`is accepted and rejected as one by ${named}`, () =>
      rerecorded(async (project) => {
        const baseline = await project.read(BASELINE);
        const tape = await project.read(TAPE.path);
        const rejected = await project.cli(['reject', named]);
        assert.equal(rejected.code, 0, rejected.stderr);
        assert.equal(await project.read(BASELINE), baseline);
        assert.notEqual(await project.read(TAPE.path), tape);
        assert.deepEqual(await check(project), { [RUN.path]: ['rejected'] });
        await new Reviews().undo({ root: project.root, subject: TAPE });
        const accepted = await project.cli(['accept', named]);
        assert.equal(accepted.code, 0, accepted.stderr);
        assert.match(accepted.stdout, /own\.toml: .*Output.* accepted into .*own\.baseline\.json\n/);
        assert.match(accepted.stdout, /own\.tape\.jsonl: Text of message 2, Response accepted\n/);
        assert.deepEqual(await check(project), { [TAPE.path]: ['accepted'] });
      }));

  it('is one item of what was committed, in a clone that has run nothing', () =>
    rerecorded(async (project) => {
      await project.cli(['accept', RUN.path]);
      git(project, 'commit', '-qam', 'recorded again');
      await rm(project.path('.tapedeck'), { recursive: true });
      const { files } = await checked(project, '--since', 'HEAD~1');
      assert.deepEqual(
        files.map(({ path, results, changes }) => [path, results, titles(changes)]),
        [[TAPE.path, [{ kind: 'baseline', path: BASELINE }], ['Text of message 2', 'Response']]],
      );
      const report = async (...reporter: string[]) =>
        (await project.cli(['check', '--since', 'HEAD~1', '--reporter', ...reporter])).stdout;
      const [text, junit, markdown, gitlab] = [
        await report('text'),
        await report('junit'),
        await report('markdown'),
        await report('gitlab'),
      ];
      assert.match(text, /^tapes\/own\.tape\.jsonl \(tape, with the result of cases\/own\.toml\): 2 pending changes\n/);
      assert.match(text, /\n2 pending changes: /);
      assert.deepEqual([junit.match(/<testcase/g)?.length, junit.match(/<failure/g)?.length], [1, 2]);
      assert.deepEqual(markdown.match(/^####.*/gm), [
        '#### tapes/own.tape.jsonl (tape, with the result of cases/own.toml)',
      ]);
      assert.equal((JSON.parse(gitlab) as unknown[]).length, 2);
      const shards = await Promise.all(
        ['1/2', '2/2'].map((shard) => checked(project, '--since', 'HEAD~1', '--shard', shard)),
      );
      assert.deepEqual(
        shards.flatMap((shard) => shard.files.map(({ path }) => path)),
        [TAPE.path],
      );
    }));

  it('says where a change is that only the result has', () =>
    rerecorded(async (project) => {
      await project.write('agent.mjs', AGENT.replace("console.log('Thinking…')", "console.log('Searching…')"));
      await project.cli(['run', RUN.path]);
      const { stdout } = await project.cli(['check']);
      assert.match(stdout, /\(tape, with the result of cases\/own\.toml\)/);
      assert.match(stdout, /\n {2}Output · result\n/);
      const github = await project.cli(['check', '--reporter', 'github']);
      assert.match(github.stdout, /file=cases\/own\.toml,line=1/);
      const page = await project.cli(['review', '--html', 'review.html']);
      assert.match(page.stdout, /in 1 file, /);
    }));

  it('stays apart where several cases have the tape', () =>
    rerecorded(async (project) => {
      await project.write('cases/other.toml', FILES['cases/own.toml']);
      assert.deepEqual(
        (await checked(project)).files.map(({ path }) => path),
        [RUN.path, TAPE.path],
      );
    }));
});
