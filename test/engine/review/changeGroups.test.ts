import assert from 'node:assert/strict';
import type { HttpExchange } from '../../../src/core/model/http';
import type { Decision } from '../../../src/core/review/decisions';
import { formatById } from '../../../src/core/tapes/registry';
import { Reviews } from '../../../src/engine/review/decide';
import type { SubjectReview } from '../../../src/engine/review/subject';
import { jsonBody, post } from '../../core/wire/exchanges';
import type { TestProject } from '../../harness/builtEngine';
import { tapedeck } from '../../harness/inProcess';
import { inRepository } from '../../harness/repository';

const PATH = 'a.json';
const call = (model: string, asked: string, said: string): HttpExchange => {
  const message = { role: 'assistant', content: said };
  const response = { object: 'chat.completion', model, choices: [{ index: 0, message, finish_reason: 'stop' }] };
  const request = { model, messages: [{ role: 'user', content: asked }] };
  return post('https://api.openai.com/v1/chat/completions', request, jsonBody(response));
};
/** A format that keeps the body of a request as Base64, so that two changes of it cannot be told apart in the file. */
const tape = (...exchanges: readonly HttpExchange[]): string =>
  formatById('azure-test-proxy').serialise?.(
    'case',
    exchanges.map((http) => ({ http })),
  ) ?? '';
const river = (model: string, country: string) => call(model, `Name a river of ${country}`, 'There are many');
const weather = (said: string) => call('gpt-4o', 'How is the weather there, and what will it be tomorrow?', said);
const OLD = tape(river('gpt-4o', 'France'), weather('It rains'));
const NEW = tape(river('gpt-5-mini', 'Spain'), weather('It snows'));
const ANSWERED = tape(river('gpt-4o', 'France'), weather('It snows'));

/** A tape with a group of two changes, and another one. */
const changed = (test: (project: TestProject, reviews: Reviews) => Promise<void>): Promise<void> =>
  inRepository({ [PATH]: OLD }, async (project) => {
    await project.write(PATH, NEW);
    await test(project, new Reviews());
  });

const subjectIn = ({ root }: TestProject) => ({ root, subject: { kind: 'tape', path: PATH } }) as const;

async function open(project: TestProject, reviews: Reviews): Promise<SubjectReview> {
  return (await reviews.open(subjectIn(project))) ?? assert.fail('there is no review');
}

/** Decides on the change with a title; gives the titles of those that were decided with it. */
async function decide(project: TestProject, reviews: Reviews, verdict: Decision, title: string): Promise<string[]> {
  const { changes, stamp } = await open(project, reviews);
  const ids = changes.filter((change) => change.title === title).map(({ id }) => id);
  const also = await reviews.decide({ ...subjectIn(project), verdict, changes: ids, stamp });
  return also.map((change) => change.title);
}

const states = ({ changes, decisions }: SubjectReview) =>
  Object.fromEntries(changes.map(({ id, title }) => [title, decisions[id]?.verdict ?? 'open']));

describe('changes that the file cannot be written without each other', function () {
  this.timeout(60_000);

  it('are accepted as one, by any of them', async () => {
    for (const [title, other] of [
      ['Model', 'Text of message 1'],
      ['Text of message 1', 'Model'],
    ] as const)
      await changed(async (project, reviews) => {
        assert.deepEqual(await decide(project, reviews, 'accepted', title), [other]);
        const expected = { Model: 'accepted', 'Text of message 1': 'accepted', Response: 'open' };
        assert.deepEqual(states(await open(project, reviews)), expected);
      });
  });

  it('are rejected as one, and undone as one', async () => {
    await changed(async (project, reviews) => {
      assert.deepEqual(await decide(project, reviews, 'rejected', 'Model'), ['Text of message 1']);
      assert.equal(await project.read(PATH), ANSWERED);
      await reviews.undo(subjectIn(project));
      assert.equal(await project.read(PATH), NEW);
      assert.deepEqual(await decide(project, reviews, 'rejected', 'Response'), []);
    });
  });

  it('are rejected where one of them was accepted, with the file and by itself', async () => {
    for (const args of [[], ['--field', 'request.messages']])
      await changed(async (project, reviews) => {
        const [model] = (await open(project, reviews)).changes.filter(({ title }) => title === 'Model');
        // A decision of an earlier version, which knew no groups.
        const decisions = { [model?.id ?? '']: { verdict: 'accepted' } };
        await project.write(`.tapedeck/reviews/${PATH}.decisions.json`, JSON.stringify({ version: 1, decisions }));
        assert.equal(states(await open(project, reviews)).Model, 'accepted');
        const { code, stdout, stderr } = await tapedeck(project, 'reject', PATH, ...args);
        assert.equal(code, 0, stderr);
        assert.match(stdout, /; Model as well, because the file cannot be written with only some of these changes\n$/);
        assert.equal(await project.read(PATH), args.length === 0 ? OLD : ANSWERED);
      });
  });

  it('are listed as decided, and said to belong together, by the command line', async () => {
    await changed(async (project, reviews) => {
      const ids = (await open(project, reviews)).changes.map(({ id }) => id);
      const said = await tapedeck(project, 'accept', PATH, '--change', ids[0] ?? '');
      assert.match(said.stdout, /^a\.json: Model accepted; Text of message 1 as well, because the file cannot/);
      const { files } = JSON.parse(
        (await tapedeck(project, 'reject', PATH, '--change', ids[1] ?? '', '--json')).stdout,
      );
      assert.deepEqual(files[0].changes.map(({ id }: { id: string }) => id).sort(), ids.slice(0, 2).sort());
    });
  });
});
