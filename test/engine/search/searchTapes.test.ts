import assert from 'node:assert/strict';
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { STATE_FOLDER } from '../../../src/core/project/layout';
import { OverviewSum } from '../../../src/core/search/overview';
import { parseQuery } from '../../../src/core/search/parseQuery';
import type { Query } from '../../../src/core/search/query';
import { fromRoot } from '../../../src/engine/files/projectPaths';
import { createLastingRecorders, createRecorders } from '../../../src/engine/recording/openRecorder';
import type { SearchDocument } from '../../../src/engine/reporters/jsonDocuments';
import { TapeSearch } from '../../../src/engine/search/searchTapes';
import { buildEngine, inProject, tapeOf } from '../../harness/builtEngine';
import { tapedeck } from '../../harness/inProcess';

const KEY = ['sk', 'ant', 'api03', 'Zq7Lw2Xn9Rt4Vb6Yk1Hs8Pd3Fg5Jc0Ma'.repeat(2)].join('-');

interface Call {
  readonly model?: string;
  readonly prompt: string;
  readonly reply: string;
  readonly tool?: string;
  readonly status?: number;
}

/** A cassette of vcrpy. */
function cassette(calls: readonly Call[]): string {
  const one = ({ model = 'gpt-4o', prompt, reply, tool, status = 200 }: Call): string => {
    const sent = { model, messages: [{ role: 'user', content: prompt }] };
    const calls =
      tool === undefined
        ? {}
        : { tool_calls: [{ id: 'call_1', type: 'function', function: { name: tool, arguments: '{}' } }] };
    const choices = [{ index: 0, message: { role: 'assistant', content: reply, ...calls }, finish_reason: 'stop' }];
    const usage = { prompt_tokens: 10_000, completion_tokens: 1000, total_tokens: 11_000 };
    const answer =
      status === 200 ? { id: 'a', object: 'chat.completion', model, choices, usage } : { error: { message: reply } };
    const quoted = (value: unknown): string => `'${JSON.stringify(value).replaceAll("'", "''")}'`;
    return `- request:\n    body: ${quoted(sent)}\n    headers: {}\n    method: POST\n    uri: https://api.openai.com/v1/chat/completions\n  response:\n    body:\n      string: ${quoted(answer)}\n    headers:\n      content-type: [application/json]\n    status: {code: ${status}, message: OK}\n`;
  };
  return `interactions:\n${calls.map(one).join('')}version: 1\n`;
}

const FILES = {
  'tapedeck.toml': '',
  'cassettes/refund.yaml': cassette([
    { prompt: 'Where is my order?', reply: 'It was **shipped** yesterday', tool: 'lookup_order' },
    { prompt: 'Refund it', reply: 'The refund is on its way' },
  ]),
  'cassettes/limits.yaml': cassette([
    { model: 'gpt-4o-mini', prompt: 'Where is my parcel?', reply: 'Too many requests', status: 429 },
  ]),
  'cassettes/leak.yaml': cassette([{ prompt: `Use ${KEY} for the shipped order`, reply: 'I should not know that' }]),
  'alone.tape.json': tapeOf('alone', ['nobody asks for this']),
  'config.json': '{"shipped": true}',
};

type Found = readonly (readonly [path: string, ...interactions: readonly number[]])[];

async function inTapes(work: (project: { readonly root: string }) => Promise<void>): Promise<void> {
  await inProject(FILES, work);
}

async function search(project: { readonly root: string }, query: string): Promise<Found> {
  const { stdout, stderr } = await tapedeck(project, 'search', query, '--json');
  assert.equal(stderr, '');
  const { tapes } = JSON.parse(stdout) as SearchDocument;
  return tapes.map(({ path, interactions }) => [path, ...interactions.map(({ index }) => index)]);
}

describe('the search of tapes', () => {
  before(buildEngine);

  it('finds interactions by their texts and facts, and tapes by theirs', () =>
    inTapes(async (project) => {
      const cases: readonly (readonly [query: string, found: Found])[] = [
        [
          'shipped',
          [
            ['cassettes/leak.yaml', 0],
            ['cassettes/refund.yaml', 0],
          ],
        ],
        ['"was shipped  yesterday"', [['cassettes/refund.yaml', 0]]],
        ['SHIPPED refund', []],
        ['refund', [['cassettes/refund.yaml', 1]]],
        ['tool:lookup', [['cassettes/refund.yaml', 0]]],
        ['status:429', [['cassettes/limits.yaml', 0]]],
        ['status:error parcel', [['cassettes/limits.yaml', 0]]],
        ['model:=gpt-4o refund', [['cassettes/refund.yaml', 1]]],
        ['model:mini', [['cassettes/limits.yaml', 0]]],
        ['cost:>0.001 path:refund', [['cassettes/refund.yaml', 0, 1]]],
        ['cost:>5', []],
        ['has:secrets', [['cassettes/leak.yaml']]],
        ['format:vcrpy has:problems', []],
        ['age:>1d', []],
        ['is:orphan', [['alone.tape.json']]],
      ];
      // A second time, by what was kept.
      for (const time of ['first', 'second'])
        for (const [query, found] of cases) assert.deepEqual(await search(project, query), found, `${query}, ${time}`);
    }));

  it('says where, and hides secrets', () =>
    inTapes(async (project) => {
      const { code, stdout } = await tapedeck(project, 'search', 'shipped');
      assert.equal(code, 0);
      assert.match(
        stdout,
        /cassettes\/refund\.yaml\n {2}#1 gpt-4o · lookup_order · \$0\.03\d*\n {5}It was \*\*shipped\*\* yesterday/,
      );
      assert.match(stdout, /2 interactions in 2 tapes of 4\n$/);
      assert.ok(!stdout.includes(KEY.slice(20, 40)), stdout);
      const key = await tapedeck(project, 'search', KEY);
      assert.match(key.stdout, /1 interaction in 1 tape of 4/);
      assert.ok(!key.stdout.includes(KEY.slice(20, 40)), key.stdout);
    }));

  it('ends with 1 where nothing is found, and with 2 for what it cannot understand', () =>
    inTapes(async (project) => {
      const nothing = await tapedeck(project, 'search', 'zebra');
      assert.deepEqual([nothing.code, nothing.stdout], [1, '0 tapes of 4\n']);
      const wrong = await tapedeck(project, 'search', 'modle:gpt');
      assert.equal(wrong.code, 2);
      assert.match(wrong.stderr, /there is no field modle:\. Did you mean model:\?/);
    }));

  it('keeps no text, and nothing of a tape with a secret', () =>
    inTapes(async (project) => {
      await search(project, 'shipped');
      const index = readFileSync(join(project.root, STATE_FOLDER, 'cache', 'search.json'), 'utf8');
      for (const text of ['shipped', 'Where', 'leak.yaml', KEY.slice(0, 12)]) assert.ok(!index.includes(text), text);
      assert.ok(index.includes('lookup_order') && index.includes('cassettes/refund.yaml'));
      if (process.platform !== 'win32')
        assert.equal(statSync(join(project.root, STATE_FOLDER, 'cache', 'search.json')).mode & 0o777, 0o600);
    }));

  it('finds the same beside an index that is damaged, or of another version', () =>
    inTapes(async (project) => {
      const usual = await search(project, 'shipped');
      const file = join(project.root, STATE_FOLDER, 'cache', 'search.json');
      const whole = readFileSync(file, 'utf8');
      const changes = [{ version: 1 }, { names: [1] }, { names: {} }, { files: [1] }, { rules: null }];
      const damaged = changes.map((change) => JSON.stringify({ ...JSON.parse(whole), ...change }));
      for (const text of [...damaged, whole.slice(0, -2), 'null', '']) {
        writeFileSync(file, text);
        assert.deepEqual(await search(project, 'shipped'), usual, text.slice(0, 60));
        assert.equal(readFileSync(file, 'utf8'), whole);
      }
    }));

  it('hides keys that VS Code stores, and keeps nothing of the tapes that have one', () =>
    inTapes(async ({ root }) => {
      const tapes = new TapeSearch(createLastingRecorders({}));
      const files = [join(root, 'cassettes/refund.yaml')];
      const options = { cwd: root, files, now: Date.now(), onProgress: () => undefined };
      const find = (text: string, keys: Readonly<Record<string, string>>) =>
        tapes.find({ ...options, query: parseQuery(text) as Query, keys, signal: new AbortController().signal });
      const plain = await find('shipped', {});
      assert.match(JSON.stringify(plain), /\*\*shipped\*\* yesterday/);
      const hidden = await find('It was', { SHOP_API_KEY: '**shipped** yesterday' });
      assert.equal(hidden?.tapes.length, 1);
      assert.doesNotMatch(JSON.stringify(hidden), /shipped/);
      assert.doesNotMatch(readFileSync(join(root, STATE_FOLDER, 'cache', 'search.json'), 'utf8'), /refund\.yaml/);
    }));

  it('sums up all tapes, by the same facts, and hides what is secret', async () => {
    const model = 'ft:gpt-4o:shop:Kx81vQz27LmP';
    const files = { ...FILES, 'cassettes/own.yaml': cassette([{ model, prompt: 'Hello', reply: 'Hi' }]) };
    await inProject(files, async ({ root }) => {
      const tapes = new TapeSearch(createLastingRecorders({}));
      const paths = [...Object.keys(files), 'cassettes/none.yaml'].map((name) => join(root, name));
      const now = Date.now();
      const sum = new OverviewSum(now);
      const options = { files: paths, cwd: root, now, onProgress: () => undefined };
      const keys = { SHOP_API_KEY: model };
      assert.equal(await tapes.sumUp(sum, { ...options, keys, signal: new AbortController().signal }), true);
      const { models, orphans, secrets, cost, ...all } = sum.overview;
      assert.deepEqual([all.tapes, all.interactions, all.skipped.tapes], [5, 6, 0]);
      const [dearest] = models;
      assert.deepEqual([dearest?.model, dearest?.tapes, dearest?.interactions, dearest?.failed], ['gpt-4o', 2, 3, 0]);
      assert.equal(models.find((one) => one.model === 'gpt-4o-mini')?.failed, 1);
      assert.ok(!JSON.stringify(sum.overview).includes(model), 'the name of a model is a stored key');
      assert.ok(cost >= (dearest?.cost ?? Number.NaN) && cost > 0.05);
      const named = (list: { readonly first: readonly { readonly path: string }[] }): readonly string[] =>
        list.first.map(({ path }) => fromRoot(root, path)).sort();
      assert.deepEqual(
        [named(orphans), named(secrets)],
        [['alone.tape.json'], ['cassettes/leak.yaml', 'cassettes/own.yaml']],
      );
      const cancelled = { ...options, signal: AbortSignal.abort() };
      assert.equal(await tapes.sumUp(new OverviewSum(now), cancelled), false);
    });
  });

  it('can be cancelled, and goes on with what was read', () =>
    inTapes(async ({ root }) => {
      const abort = new AbortController();
      const files = Array.from({ length: 3000 }, () => join(root, 'cassettes/leak.yaml'));
      abort.abort();
      const tapes = new TapeSearch(createRecorders({}));
      const query = parseQuery('zebra') as Query;
      const options = { query, cwd: root, now: Date.now(), onProgress: () => undefined };
      assert.equal(await tapes.find({ ...options, files, signal: abort.signal }), undefined);
      assert.ok(!existsSync(join(root, STATE_FOLDER, 'cache')));
      const found = await tapes.find({ ...options, files: files.slice(0, 1), signal: new AbortController().signal });
      assert.equal(found?.searched, 1);
    }));

  it('tells how far it is, and can be cancelled while it reads', async () => {
    const reply = 'On its way. '.repeat(300);
    const names = Array.from({ length: 120 }, (_, at) => `cassettes/t${at}.yaml`);
    const tape = cassette(Array.from({ length: 5 }, () => ({ prompt: 'Where is my order?', reply })));
    const files = Object.fromEntries(names.map((name) => [name, tape]));
    await inProject({ 'tapedeck.toml': '', ...files }, async ({ root }) => {
      const tapes = new TapeSearch(createRecorders({}));
      const all = { query: parseQuery('zebra') as Query, cwd: root, now: Date.now() };
      const paths = names.map((name) => join(root, name));
      const abort = new AbortController();
      const told: (readonly [done: number, of: number])[] = [];
      const onProgress = (done: number, of: number): void => {
        told.push([done, of]);
        abort.abort();
      };
      assert.equal(await tapes.find({ ...all, files: paths, signal: abort.signal, onProgress }), undefined);
      const [[done, of] = [0, 0]] = told;
      assert.ok(done > 0 && done < 120 && of === 120, JSON.stringify(told));
      const { signal } = new AbortController();
      const found = await tapes.find({ ...all, files: paths, signal, onProgress: () => undefined });
      assert.equal(found?.searched, 120);
    });
  });

  it('says of many tapes, read by several threads, what it says of each alone', async () => {
    const names = Array.from({ length: 130 }, (_, at) => `cassettes/t${String(at).padStart(3, '0')}.yaml`);
    const tape = (at: number): string =>
      cassette([
        { prompt: `Where is ${at % 3 === 0 ? 'the parcel' : 'it'}?`, reply: at % 7 === 0 ? KEY : 'On its way' },
      ]);
    const files = Object.fromEntries(names.map((name, at) => [name, tape(at)]));
    await inProject({ 'tapedeck.toml': '', ...files }, async (project) => {
      const found = async (...args: string[]): Promise<readonly unknown[]> =>
        (JSON.parse((await project.cli(['search', ...args, '--json'])).stdout) as SearchDocument).tapes;
      for (const query of ['parcel', 'has:secrets', 'where']) {
        const together = await found(query);
        const [first, second] = [names.slice(0, 65), names.slice(65)];
        assert.deepEqual(together, [...(await found(query, ...first)), ...(await found(query, ...second))], query);
        assert.ok(together.length > 15, query);
        assert.ok(!JSON.stringify(together).includes(KEY.slice(20, 40)));
      }
    });
  });
});
