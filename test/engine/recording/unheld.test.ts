import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { HttpBody, HttpExchange } from '../../../src/core/model/http';
import { readTape } from '../../../src/core/tapes/readTape';
import { formats } from '../../../src/core/tapes/registry';
import { decodeTapeFile } from '../../../src/core/tapes/tapeFile';
import { isRecordable } from '../../../src/core/tapes/writableFormat';
import { saveRecording } from '../../../src/engine/recording/saveRecording';
import { previousTakes } from '../../../src/engine/recording/takes';
import { UnheldError } from '../../../src/engine/recording/unheldError';
import { buildEngine, inProject, type TestProject } from '../../harness/builtEngine';
import { withServe, withServeProcess } from '../../harness/servedTape';
import { type Handler, inFolder, RECORDER, sendJson, serve } from '../../harness/support';

const AUDIO = Buffer.from(Uint8Array.from({ length: 256 }, (_, byte) => byte));

function hidden(exchange: Partial<HttpExchange>) {
  const http: HttpExchange = {
    method: 'GET',
    url: 'https://files.example/a',
    requestHeaders: [],
    requestBody: { type: 'none' },
    status: 200,
    responseHeaders: [['content-type', 'text/plain']],
    responseBody: { type: 'text', text: 'fine' },
    ...exchange,
  };
  return RECORDER.interaction({ kind: 'http', request: undefined, response: undefined, http });
}

const BINARY: HttpBody = { type: 'base64', base64: AUDIO.toString('base64') };

describe('a recording that its format cannot hold', () => {
  const save = (root: string, name: string, format: string | undefined, more: object = {}) =>
    saveRecording({
      root,
      path: join(root, name),
      format,
      recorder: RECORDER,
      append: false,
      recorded: [hidden({}), hidden({ url: 'https://files.example/audio?key=1', responseBody: BINARY })],
      ...more,
    });

  it('is refused with what would be lost, and the tape that it would have replaced stays', async () => {
    await inFolder(async (root) => {
      await save(root, 't.json', 'mastra', { recorded: [hidden({})] });
      const before = await readFile(join(root, 't.json'), 'utf8');
      await assert.rejects(save(root, 't.json', undefined), (error) => {
        assert.ok(error instanceof UnheldError);
        assert.match(
          error.message,
          /t\.json was not written: 1 recorded interaction does not fit into its format, Mastra/,
        );
        assert.match(error.message, /\n {2}interaction 2, GET https:\/\/files\.example\/audio: body of the response$/);
        assert.match(error.fix ?? '', /t\.tape\.jsonl, which holds everything/);
        return true;
      });
      assert.equal(await readFile(join(root, 't.json'), 'utf8'), before);
      assert.deepEqual(await previousTakes({ root, tapePath: join(root, 't.json') }), []);
    });
  });

  it('is refused where the format has no place for it at all, and where every response broke off', async () => {
    await inFolder(async (root) => {
      await assert.rejects(save(root, 't.tape.json', 'mofa'), (error) => {
        assert.ok(error instanceof UnheldError);
        assert.match(error.message, /2 recorded interactions do not fit[\s\S]*interaction 1, GET [^\n]*: all of it\n/);
        assert.match(error.message, /MoFA tape only stores responses of a model$/);
        return true;
      });
      const recorded = [hidden({ ended: 'reset' })];
      await assert.rejects(save(root, 't.yaml', 'vcrpy', { recorded }), /every response broke off, and vcrpy cassette/);
      assert.ok(!existsSync(join(root, 't.tape.json')) && !existsSync(join(root, 't.yaml')));
      await save(root, 't.tape.jsonl', undefined, { recorded });
    });
  });

  it('names the first few, and how many there are', async () => {
    await inFolder(async (root) => {
      const recorded = Array.from({ length: 9 }, () => hidden({ requestBody: BINARY, responseBody: BINARY }));
      await assert.rejects(
        save(root, 't.json', 'mastra', { recorded }),
        /9 recorded[\s\S]*interaction 5, [^\n]*: body of the request and body of the response\n {2}and 4 more$/,
      );
    });
  });

  it('adds nothing to a tape', async () => {
    await inFolder(async (root) => {
      await save(root, 't.json', 'mastra', { recorded: [hidden({}), hidden({ url: 'https://files.example/b' })] });
      const before = await readFile(join(root, 't.json'));
      await assert.rejects(
        save(root, 't.json', undefined, { append: true }),
        /interaction 4, GET https:\/\/files\.example\/audio: body of the response/,
      );
      assert.deepEqual(await readFile(join(root, 't.json')), before);
    });
  });

  it('continues a trace of bytes with those of what came, and keeps those before', async () => {
    await inFolder(async (root) => {
      const path = join(root, 't.httprr');
      const text = hidden({ url: 'https://files.example/text', responseBody: { type: 'text', text: 'Grüße' } });
      const audio = hidden({ url: 'https://files.example/audio', responseBody: BINARY });
      for (const [first, second] of [
        [text, audio],
        [audio, text],
        [audio, audio],
      ] as const) {
        await save(root, 't.httprr', 'httprr', { recorded: [first, first] });
        const before = await readFile(path);
        const keep = { keep: 1, append: true, recorded: [second, second] };
        await save(root, 't.httprr', undefined, keep);
        const after = await readFile(path);
        const tape = readTape(decodeTapeFile(path, after));
        assert.deepEqual(
          tape?.problems.filter(({ severity }) => severity === 'error'),
          [],
        );
        const bodies = tape?.interactions.map(({ http }) => http?.responseBody);
        assert.deepEqual(
          bodies,
          [first, second, second].map(({ http }) => http?.responseBody),
        );
        const record = before.subarray(0, Math.floor(before.length / 2));
        assert.deepEqual(after.subarray(0, record.length), record);
      }
    });
  });
});

/**
 * Asks for what is not text, or is text of another character set, and sends the same; its forms have a boundary that is new each
 * time. Gives what it was answered.
 */
async function askAll(base: string): Promise<readonly string[]> {
  const shown: string[] = [];
  const ask = async (name: string, sent: RequestInit = {}): Promise<void> => {
    const response = await fetch(`${base}/openai/${name}`, sent);
    const body = Buffer.from(await response.arrayBuffer());
    shown.push(`${name} ${response.status} ${body.toString('hex')}`);
  };
  for (const name of ['latin1', 'utf16', 'binary', 'file', 'none']) await ask(name);
  const form = new FormData();
  form.set('kind', 'audio');
  form.set('file', new Blob([AUDIO], { type: 'audio/wav' }), 'a.wav');
  await ask('form', { method: 'POST', body: form });
  const boundary = randomUUID();
  const text = `--${boundary}\r\ncontent-disposition: form-data; name="a"; filename="a.txt"\r\ncontent-type: text/plain\r\n\r\nGrüße\r\n--${boundary}--\r\n`;
  const headers = { 'content-type': `multipart/form-data; boundary=${boundary}` };
  await ask('text', { method: 'POST', body: text, headers });
  await ask('patch', { method: 'PATCH', body: Uint8Array.of(0, 255) });
  return shown;
}

/** Asks for some of it, in a process of its own. */
const AGENT = `for (const name of process.argv[2].split(',')) await fetch(process.env.OPENAI_BASE_URL + '/' + name).then((response) => response.arrayBuffer());
`;

const files: Handler = (response, { url }) => {
  const send = (type: string, body: Uint8Array): void => {
    response.writeHead(200, { 'content-type': type, 'content-length': body.length }).end(body);
  };
  if (url === '/v1/latin1') return send('text/plain; charset=iso-8859-1', Buffer.from('café', 'latin1'));
  if (url === '/v1/utf16') return send('text/plain; charset=utf-16', Buffer.from('\uFEFFcafé', 'utf16le'));
  if (url === '/v1/binary') return send('application/octet-stream', AUDIO);
  if (url === '/v1/file') return send('application/x-thing', Buffer.from([0x50, 0x4b, 3, 4, 0xff]));
  if (url === '/v1/none') {
    response.writeHead(204).end();
    return;
  }
  sendJson(response, 200, { url });
};

describe('a tape of bodies that are not text', function () {
  this.timeout(120_000);
  before(buildEngine);

  const withAgent = async (
    test: (project: TestProject, upstream: readonly string[]) => Promise<void>,
  ): Promise<void> => {
    const server = await serve(files);
    try {
      await inProject({ 'agent.mjs': AGENT, 'tapedeck.toml': '' }, (project) =>
        test(project, ['--upstream', `openai=${server.baseUrl}`]),
      );
    } finally {
      await server.close();
    }
  };
  const NOT_HELD: Readonly<Record<string, readonly RegExp[]>> = {
    'azure-test-proxy': [/\/latin1: body of the response/, /\/utf16: body of the response/],
    opencode: [/\/form: body of the request/, /\/patch: body of the request/],
    mastra: [/\/latin1: body of the response/, /\/binary: body of the response/, /and 1 more/],
  };

  for (const { id, extensions } of formats.filter(isRecordable))
    it(`replays them from ${id} as they came, or records nothing and says why`, () =>
      withAgent(async (project, upstream) => {
        const tape = `t.${id === 'langchain-gz' ? 'yaml.gz' : extensions[0]}`;
        let answers: readonly string[] = [];
        const { code, stderr } = await withServeProcess(
          project,
          ['--record', '--tape', tape, '--to', id, ...upstream],
          async (base) => {
            answers = await askAll(base);
          },
        );
        const replaysThem = async (from: string): Promise<void> => {
          const replay = await withServe(project, ['--tape', from], async (base) =>
            assert.deepEqual(await askAll(base), answers),
          );
          assert.equal(replay.code, 0, replay.stderr);
        };
        if (code === 0) {
          await replaysThem(tape);
          assert.equal(NOT_HELD[id], undefined);
          return;
        }
        assert.equal(code, 2);
        assert.ok(!project.has(tape));
        assert.match(stderr, new RegExp(`record: .*${tape} \\(.*\\) cannot hold `), 'known before the first request');
        assert.match(stderr, /was not written: \d+ recorded interactions? do(?:es)? not fit/);
        assert.match(
          stderr,
          /8 recorded interactions kept\.\n {2}To save elsewhere: tapedeck recover --save \S+ --as t\.tape\.jsonl/,
        );
        for (const line of NOT_HELD[id] ?? [/interaction 1, GET .*: all of it/]) assert.match(stderr, line);
        const saved = await project.cli(['recover', '--save', tape, '--as', 't.tape.jsonl']);
        assert.deepEqual([saved.code, saved.stdout], [0, 't.tape.jsonl now has 8 interactions\n'], saved.stderr);
        assert.equal((await project.cli(['recover'])).code, 0, 'nothing waits any more');
        await replaysThem('t.tape.jsonl');
      }));

  it('saves the lanes that their format holds, also where that of another does not', () =>
    withAgent(async (project, upstream) => {
      const lanes = `const base = process.env.OPENAI_BASE_URL;
const ask = (lane, path) => fetch(base + path, { headers: { 'x-tapedeck-lane': lane } }).then((response) => response.arrayBuffer());
for (const [lane, path] of [['a', '/binary'], ['b', '/json'], ['c', '/latin1'], ['d', '/json']]) await ask(lane, path);
`;
      await project.write('lanes.mjs', lanes);
      const args = [
        'exec',
        '--record',
        '--tape',
        '{lane}.json',
        '--to',
        'mastra',
        ...upstream,
        '--',
        'node',
        'lanes.mjs',
      ];
      const { code, stderr } = await project.engine(args);
      assert.equal(code, 2);
      assert.match(stderr, /a\.json was not written/);
      assert.match(stderr, /c\.json was not written/);
      assert.deepEqual(
        ['a', 'b', 'c', 'd'].map((lane) => project.has(`${lane}.json`)),
        [false, true, false, true],
      );
      const waiting = JSON.parse((await project.cli(['recover', '--json'])).stdout) as {
        recordings: { tape: string }[];
      };
      assert.deepEqual(waiting.recordings.map(({ tape }) => tape).sort(), ['a.json', 'c.json']);
      const both = await project.cli(['recover', '--save', '--as', 'x.tape.jsonl']);
      assert.equal(both.code, 2, 'as which of them?');
    }));

  it('adds to a tape only what it holds', () =>
    withAgent(async (project, upstream) => {
      const exec = (mode: string, what: string) =>
        project.engine([
          'exec',
          mode,
          '--tape',
          't.json',
          '--to',
          'mastra',
          ...upstream,
          '--',
          'node',
          'agent.mjs',
          what,
        ]);
      assert.equal((await exec('--record', 'a,b')).code, 0);
      const before = await project.read('t.json');
      assert.equal((await exec('--auto', 'a,binary')).code, 2);
      assert.equal(await project.read('t.json'), before);
      assert.equal((await exec('--auto', 'a,c')).code, 0);
    }));
});
