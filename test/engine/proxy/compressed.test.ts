import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import type { OpenProxy } from '../../../src/engine/proxy/openProxy';
import { loadTape } from '../../../src/engine/recording/readTape';
import { saveRecording } from '../../../src/engine/recording/saveRecording';
import { KEYS, proxyIn } from '../../harness/proxyTakes';
import { completion, type Handler, inFolder, RECORDER, serve } from '../../harness/support';

const PLAIN = 'plainoldsecret99';
const SECRETS = [KEYS.OPENAI_API_KEY, PLAIN];
const environment = { ...KEYS, MY_PASSWORD: PLAIN };
const packers = { gzip: gzipSync, br: brotliCompressSync } as const;

interface Sent {
  readonly encoding: string;
  readonly body: Uint8Array;
}

/** A question with secrets in it. */
function question(encoding: keyof typeof packers, more = ''): Sent {
  const content = `use ${SECRETS.join(' or ')}${more}`;
  const body = packers[encoding](JSON.stringify({ model: 'm', messages: [{ role: 'user', content }] }));
  return { encoding, body };
}

/** The upstream's response, compressed although the request forbids it. */
const respond: Handler = (response) => {
  const body = gzipSync(JSON.stringify(completion(`it is ${SECRETS.join(' or ')}`)));
  const headers = { 'content-type': 'application/json', 'content-encoding': 'gzip', 'content-length': body.length };
  response.writeHead(200, headers).end(body);
};

async function ask({ base }: OpenProxy, { encoding, body }: Sent): Promise<string> {
  const headers = { 'content-type': 'application/json', 'content-encoding': encoding };
  return (await fetch(`${base}/openai/chat/completions`, { method: 'POST', headers, body: Buffer.from(body) })).text();
}

/** Records the questions and gives the proxy that did, after the upstream is gone. */
async function recorded(root: string, format: string, questions: readonly Sent[]): Promise<OpenProxy> {
  const server = await serve(respond);
  const proxy = await proxyIn(root, {
    mode: 'record',
    environment,
    upstreams: { commandLine: { openai: server.baseUrl } },
  });
  try {
    for (const one of questions) assert.match(await ask(proxy, one), /plainoldsecret99/);
    await proxy.drain();
    const path = join(root, 'tapes/agent.tape.yaml');
    await saveRecording({ root, path, format, recorded: proxy.recorded, recorder: RECORDER, append: false });
    return proxy;
  } finally {
    await proxy.close();
    await server.close();
  }
}

/** Everything on the tape, and everything that is packed in it. */
async function contentsOf(root: string): Promise<string> {
  const path = join(root, 'tapes/agent.tape.yaml');
  const { tape } = await loadTape(path);
  const packed = JSON.stringify(tape.interactions.map(({ http, request, response }) => [http, request, response]));
  return `${await readFile(path, 'latin1')}${packed}`;
}

describe('compressed traffic', () => {
  for (const format of ['tapedeck', 'vcrpy', 'har'])
    for (const encoding of ['gzip', 'br'] as const)
      it(`is kept in ${format} without the secrets that are in ${encoding}, and replayed`, async () => {
        await inFolder(async (root) => {
          await recorded(root, format, [question(encoding)]);
          const contents = await contentsOf(root);
          for (const secret of SECRETS) assert.ok(!contents.includes(secret), secret);
          assert.ok(!/content-encoding|base64"/i.test(contents), 'it is plain text');
          const replay = await proxyIn(root, { mode: 'replay', environment });
          try {
            assert.match(await ask(replay, question(encoding)), /"it is \[redacted:openai-key\] or \[redacted\]"/);
            assert.equal(replay.tally.text(), '1 exact');
            await ask(replay, question(encoding, ' at once'));
            const reported = JSON.stringify(replay.tally.reports);
            assert.match(reported, /at once/);
            for (const secret of SECRETS) assert.ok(!reported.includes(secret), reported);
          } finally {
            await replay.close();
          }
        });
      });

  it('is neither kept nor reported, where it cannot be decompressed', async () => {
    const { body } = question('br');
    const sealed = { encoding: 'x-own, gzip', body: gzipSync(body) };
    await inFolder(async (root) => {
      const live = await recorded(root, 'tapedeck', [question('gzip'), sealed]);
      assert.equal(live.tally.text(), '1 recorded, 1 passed');
      assert.match(live.tally.reports[1]?.explanation ?? '', /not recorded: .* cannot be searched/);
      const replay = await proxyIn(root, { mode: 'replay', environment });
      try {
        const refusal = await ask(replay, sealed);
        const reported = refusal + JSON.stringify(replay.tally.reports);
        assert.ok(
          !reported.includes(sealed.body.toString('base64').slice(0, 40)) && !reported.includes(PLAIN),
          reported,
        );
      } finally {
        await replay.close();
      }
    });
  });
});
