import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { appendFile, readdir, readFile, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Environment } from '../../../../src/core/secrets/environmentSecrets';
import { ReplayTape } from '../../../../src/engine/proxy/tape/replayTape';
import type { HiddenRequest } from '../../../../src/engine/recording/hidden';
import { LazyRecorder } from '../../../../src/engine/recording/openRecorder';
import { inFolder } from '../../../harness/support';

const URL_PATH = '/v1/chat/completions';
const COUNT = 200;
const SECRET = 'plainoldsecret99';

const body = (text: string) => ({ model: 'm-1', messages: [{ role: 'user', content: text }], pad: 'x'.repeat(1500) });
const question = (index: number) => `Question ${index} about order ${index * 7}`;

function tapeOf(texts: readonly string[]): string {
  const url = `https://api.openai.com${URL_PATH}`;
  const lines = texts.flatMap((text, index) => [
    { request: index + 1, method: 'POST', url, json: body(text) },
    { response: index + 1, status: 200, headers: [['content-type', 'application/json']], json: { answer: index } },
  ]);
  return [{ tapedeck: 'tape', version: 1, name: 't' }, ...lines].map((line) => `${JSON.stringify(line)}\n`).join('');
}

const QUESTIONS = Array.from({ length: COUNT }, (_, index) => question(index));

class Project {
  readonly path: string;

  constructor(
    readonly root: string,
    readonly environment: Environment = {},
  ) {
    this.path = join(root, 'agent.tape.jsonl');
  }

  async write(texts: readonly string[]): Promise<this> {
    await writeFile(this.path, tapeOf(texts));
    // A cache is made of files that have settled.
    await delay(150);
    return this;
  }

  open(): Promise<ReplayTape> {
    const recorder = this.recorder();
    return ReplayTape.open({
      root: this.root,
      path: this.path,
      rules: { match: 'exact', onDrift: 'fail', masks: [] },
      recorder,
    });
  }

  /** Replays the tape for the first time, for long enough that the cache is written. */
  async replay(): Promise<void> {
    const tape = await this.open();
    await tape.keep();
    tape.close();
  }

  recorder(): LazyRecorder {
    return new LazyRecorder({ environments: [this.environment], keys: {}, patterns: [] });
  }

  async request(text: string): Promise<HiddenRequest> {
    const message = { method: 'POST', headers: { 'content-type': 'application/json' } };
    const sent = Buffer.from(JSON.stringify(body(text)));
    return (await this.recorder().get()).request({ message, path: URL_PATH, body: sent });
  }

  /** What a request gets, with the explanation of a drift. */
  async said(tape: ReplayTape, text: string, session?: string): Promise<unknown> {
    const taken = await tape.take(await this.request(text), session);
    return 'explain' in taken ? { ...taken, explain: taken.explain() } : taken;
  }
}

async function caches(root: string): Promise<string> {
  const folder = join(root, '.tapedeck/cache');
  const names = await readdir(folder);
  return (await Promise.all(names.map((name) => readFile(join(folder, name), 'latin1')))).join('\n');
}

/** Writes other places of the interactions into the cache of the only tape. */
async function changePlaces(root: string, place: (row: number) => readonly number[]): Promise<void> {
  const folder = join(root, '.tapedeck/cache');
  const [name = ''] = await readdir(folder);
  const cache = await readFile(join(folder, name));
  const table = 4 + cache.readUInt32LE(0);
  for (let row = 0; row < COUNT; row += 1)
    for (const [at, value] of place(row).entries()) cache.writeUIntLE(value, table + row * 60 + 48 + at * 6, 6);
  await writeFile(join(folder, name), cache);
}

describe('A tape that is replayed from its cache', () => {
  it('explains a drift, without the text of a request in the cache', async () => {
    await inFolder(async (root) => {
      const project = await new Project(root).write(QUESTIONS);
      await project.replay();
      const cached = await project.open();
      const { kind, explain } = (await project.said(cached, 'Question 17 about order 120')) as {
        kind: string;
        explain: { nearest: { index: number } };
      };
      assert.equal(kind, 'drifted');
      assert.equal(explain.nearest.index, 17);
      const content = await caches(root);
      assert.ok(content.includes('answer'), 'the responses are there');
      assert.ok(!content.includes('about order'), 'the requests are not');
      cached.close();
    });
  });

  it('explains the same from the places of the requests in the tape, from the whole tape, and where the places are wrong', async () => {
    await inFolder(async (root) => {
      const texts = QUESTIONS.map((text, index) => `${'😀'.repeat(index % 3)}größer ${text}`);
      const project = await new Project(root).write(texts);
      await project.replay();
      const explained = async () => {
        const tape = await project.open();
        const asked = [
          'größer Question 17 about order 120',
          '😀größer Question 22 about orders',
          'Nothing of the kind',
        ];
        const said: unknown[] = [];
        for (const text of asked) said.push(await project.said(tape, text, 's'));
        tape.close();
        return said;
      };
      const usual = await explained();
      assert.equal((usual[1] as { explain: { nearest: { index: number } } }).explain.nearest.index, 22);
      for (const place of [() => [0, 0], (row: number) => [row, row + 900], () => [1, 2 ** 40]]) {
        await changePlaces(root, place);
        assert.deepEqual(await explained(), usual);
      }
    });
  });

  it('explains the same beside a damaged index, which the next replay writes anew', async () => {
    await inFolder(async (root) => {
      const project = await new Project(root).write(QUESTIONS);
      await project.replay();
      const [name = ''] = await readdir(join(root, '.tapedeck/cache'));
      const file = join(root, '.tapedeck/cache', name);
      const whole = await readFile(file);
      const explained = async () => {
        const tape = await project.open();
        const said = await project.said(tape, 'Question 17 about order 120');
        tape.close();
        return said;
      };
      const usual = await explained();
      const head = whole.readUInt32LE(0);
      const { indexLength } = JSON.parse(whole.toString('utf8', 4, 4 + head)) as { indexLength: number };
      const start = 4 + head + COUNT * 64;
      for (const at of [start, start + 9, start + 1000, start + indexLength - 1]) {
        const damaged = Buffer.from(whole);
        damaged[at] = 255 - (damaged[at] ?? 0);
        await writeFile(file, damaged);
        assert.deepEqual(await explained(), usual);
        assert.deepEqual(await readdir(join(root, '.tapedeck/cache')), []);
        await project.replay();
        assert.ok((await readFile(file)).equals(whole));
      }
    });
  });

  it('explains the same beside a cache whose head is damaged or of another version', async () => {
    await inFolder(async (root) => {
      const project = await new Project(root).write(QUESTIONS);
      await project.replay();
      const [name = ''] = await readdir(join(root, '.tapedeck/cache'));
      const file = join(root, '.tapedeck/cache', name);
      const whole = await readFile(file);
      const end = 4 + whole.readUInt32LE(0);
      const head = JSON.parse(whole.toString('utf8', 4, end)) as Readonly<Record<string, unknown>>;
      const tape = await project.open();
      const usual = await project.said(tape, 'Question 17 about order 120');
      tape.close();
      const changes = [
        { version: 8 },
        { count: -1 },
        { count: '3' },
        { indexLength: 0.5 },
        { tape: null },
        { format: 1 },
      ];
      for (const change of changes) {
        const damaged = Buffer.from(JSON.stringify({ ...head, ...change }));
        const length = Buffer.alloc(4);
        length.writeUInt32LE(damaged.length);
        await writeFile(file, Buffer.concat([length, damaged, whole.subarray(end)]));
        const opened = await project.open();
        assert.deepEqual(await project.said(opened, 'Question 17 about order 120'), usual, JSON.stringify(change));
        await opened.keep();
        opened.close();
        assert.ok((await readFile(file)).equals(whole), 'it is written anew');
      }
    });
  });

  it('serves each recording once, by its bytes and by its meaning', async () => {
    await inFolder(async (root) => {
      const project = await new Project(root).write(QUESTIONS);
      await project.replay();
      const tape = await project.open();
      const exact = (text: string, session?: string) =>
        tape.takeExact('POST', '/chat/completions', Buffer.from(JSON.stringify(body(text))), session);
      assert.equal(exact(question(3), 's'), 3);
      assert.equal(((await project.said(tape, question(3), 's')) as { kind: string }).kind, 'used-up');
      assert.deepEqual(await project.said(tape, question(4), 's'), { kind: 'exact', index: 4 });
      assert.equal(exact(question(4), 's'), undefined);
      assert.equal(exact(question(4), 'other'), 4);
      tape.close();
    });
  });

  it('searches the tape itself for a request with a secret that an earlier environment did not have', async () => {
    await inFolder(async (root) => {
      const withSecret = QUESTIONS.with(9, `Use ${SECRET} for question 9`);
      const before = await new Project(root).write(withSecret);
      const unaware = await before.open();
      assert.deepEqual(await before.said(unaware, withSecret[9] ?? ''), { kind: 'exact', index: 9 });
      await unaware.keep();
      unaware.close();
      const now = new Project(root, { MY_PASSWORD: SECRET });
      const tape = await now.open();
      const served = await now.said(tape, question(5), 's');
      assert.deepEqual(served, { kind: 'exact', index: 5 });
      assert.deepEqual(await now.said(tape, withSecret[9] ?? '', 's'), { kind: 'exact', index: 9 });
      assert.equal(((await now.said(tape, question(5), 's')) as { kind: string }).kind, 'used-up');
      const drift = JSON.stringify(await now.said(tape, 'Use something else for question 9', 't'));
      assert.ok(!drift.includes(SECRET), 'hidden in the explanation');
      tape.close();
    });
  });

  it('keeps no index of requests with secrets', async () => {
    await inFolder(async (root) => {
      const project = await new Project(root, { MY_PASSWORD: SECRET }).write(QUESTIONS.with(0, `Use ${SECRET}`));
      await project.replay();
      const tape = await project.open();
      assert.ok((await caches(root)).includes('"indexLength":0'));
      assert.deepEqual(await project.said(tape, `Use ${SECRET}`), { kind: 'exact', index: 0 });
      tape.close();
    });
  });

  it('does not use the index of a tape that has changed since it was opened', async () => {
    await inFolder(async (root) => {
      const project = await new Project(root).write(QUESTIONS);
      await project.replay();
      const tape = await project.open();
      await writeFile(project.path, tapeOf(['Something new', ...QUESTIONS]));
      await appendFile(project.path, '');
      await utimes(project.path, 1, 1);
      assert.deepEqual(await project.said(tape, 'Something new'), { kind: 'exact', index: 0 });
      tape.close();
    });
  });
});

describe('A tape that is replayed for the first time', () => {
  it('serves what its cache would, and writes that only when there is nothing else to do', async () => {
    await inFolder(async (root) => {
      const project = await new Project(root).write(QUESTIONS);
      const tape = await project.open();
      assert.equal(exactly(tape, question(3)), 3);
      assert.equal(exactly(tape, question(3)), undefined);
      assert.ok(!existsSync(join(root, '.tapedeck/cache')), 'not before the first response');
      assert.equal(((await project.said(tape, question(3))) as { kind: string }).kind, 'used-up');
      assert.deepEqual(await project.said(tape, question(4)), { kind: 'exact', index: 4 });
      const isKept = async () => existsSync(join(root, '.tapedeck/cache')) && (await caches(root)).includes('answer');
      for (let wait = 0; !(await isKept()) && wait < 200; wait += 1) await delay(50);
      assert.ok(await isKept());
      tape.close();
    });
  });

  it('leaves to the matcher what means the same in other bytes, and what has a secret', async () => {
    await inFolder(async (root) => {
      const project = await new Project(root, { MY_PASSWORD: SECRET }).write([...QUESTIONS, `Use ${SECRET}`]);
      const lines = await readFile(project.path, 'utf8');
      const [, first = '', answer = ''] = lines.split('\n');
      const spaced = first.replace('{"request":1,', `{"request":${COUNT + 2},`).replace('"model":"m-1",', '');
      const again = spaced.replace('}],', '}],"model":"m-1",');
      const response = answer.replace('"response":1', `"response":${COUNT + 2}`);
      await appendFile(project.path, `${again}\n${response}\n`);
      const tape = await project.open();
      assert.equal(exactly(tape, question(0)), undefined, 'the last recording means the same');
      assert.equal(exactly(tape, question(1)), 1);
      assert.equal(exactly(tape, `Use ${SECRET}`), undefined);
      assert.deepEqual(await project.said(tape, question(0)), { kind: 'exact', index: 0 });
      assert.deepEqual(await project.said(tape, question(0)), { kind: 'exact', index: COUNT + 1 });
      assert.deepEqual(await project.said(tape, `Use ${SECRET}`), { kind: 'exact', index: COUNT });
      tape.close();
    });
  });

  it('says which of its recordings were not asked for', async () => {
    await inFolder(async (root) => {
      const project = await new Project(root).write(QUESTIONS);
      const tape = await project.open();
      for (let index = 2; index < COUNT; index += 1) assert.equal(exactly(tape, question(index)), index);
      assert.deepEqual(await tape.unused(), [0, 1]);
      tape.close();
    });
  });
});

function exactly(tape: ReplayTape, text: string, session?: string): number | undefined {
  return tape.takeExact('POST', '/chat/completions', Buffer.from(JSON.stringify(body(text))), session);
}
