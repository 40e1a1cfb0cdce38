import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { brotliCompressSync, deflateSync, gunzipSync, gzipSync } from 'node:zlib';
import { loadTape } from '../../../src/engine/recording/readTape';
import { saveRecording } from '../../../src/engine/recording/saveRecording';
import { KEYS, proxyIn } from '../../harness/proxyTakes';
import { type Handler, inFolder, RECORDER, serve } from '../../harness/support';

const KEY = KEYS.OPENAI_API_KEY;
const ROWS = Buffer.from('{"rows": [1, 2, 3]}\n{"rows": [4]}\n');
const hex = (digits: string): Buffer => Buffer.from(digits, 'hex');

/** What is downloaded, as it is without the coding of HTTP. */
const DOWNLOADS: Readonly<Record<string, { readonly bytes: Buffer; readonly coding?: string }>> = {
  'rows.gz': { bytes: gzipSync(ROWS) },
  'coded.gz': { bytes: gzipSync(ROWS), coding: 'gzip' },
  'brotli.gz': { bytes: gzipSync(ROWS), coding: 'br' },
  'rows.zz': { bytes: deflateSync(ROWS) },
  'rows.br': { bytes: brotliCompressSync(ROWS) },
  proto: { bytes: hex('081d1203fffefd1801') },
  noise: { bytes: hex('1f8b08005bb6116cc7227dd833ae') },
  sound: { bytes: hex('789c00254a6f94b9de03284d97bc') },
  base64: { bytes: Buffer.from(gzipSync(ROWS).toString('base64')) },
};
const CODERS: Readonly<Record<string, (bytes: Buffer) => Buffer>> = { gzip: gzipSync, br: brotliCompressSync };

const respond: Handler = (response, { url }) => {
  const name = url.split('/').at(-1) ?? '';
  if (name === 'upload') return response.writeHead(200, { 'content-type': 'text/plain' }).end('saved');
  if (name === 'secret.gz')
    return response.writeHead(200, { 'content-type': 'application/gzip' }).end(gzipSync(`{"key":"${KEY}"}`));
  if (name === 'cut.gz')
    return response
      .writeHead(200, { 'content-type': 'application/gzip' })
      .end(gzipSync(`{"key":"${KEY}"}`).subarray(0, -4));
  const { bytes, coding } = DOWNLOADS[name] ?? assert.fail(name);
  const coded = coding === undefined ? bytes : (CODERS[coding]?.(bytes) ?? assert.fail(coding));
  return response
    .writeHead(200, {
      'content-type': 'application/octet-stream',
      'content-length': coded.length,
      ...(coding !== undefined && { 'content-encoding': coding }),
    })
    .end(coded);
};

type Ask = (name: string, upload?: Buffer) => Promise<Buffer>;

async function recordAndReplay(
  format: string,
  agent: (ask: Ask) => Promise<void>,
  replay: (ask: Ask, tally: () => string) => Promise<void>,
  inspect?: (root: string, explanations: string) => Promise<void>,
): Promise<void> {
  const asking =
    (base: string): Ask =>
    async (name, upload) => {
      const init = upload && {
        method: 'POST',
        body: new Uint8Array(upload),
        headers: { 'content-type': 'application/gzip' },
      };
      return Buffer.from(await (await fetch(`${base}/openai/files/${name}`, init)).arrayBuffer());
    };
  await inFolder(async (root) => {
    const server = await serve(respond);
    const live = await proxyIn(root, { mode: 'record', upstreams: { commandLine: { openai: server.baseUrl } } });
    try {
      await agent(asking(live.base));
      await live.drain();
      const path = join(root, 'tapes/agent.tape.yaml');
      await saveRecording({ root, path, format, recorded: live.recorded, recorder: RECORDER, append: false });
      await inspect?.(root, JSON.stringify(live.tally.reports));
    } finally {
      await live.close();
      await server.close();
    }
    const again = await proxyIn(root, { mode: 'replay' });
    try {
      await replay(asking(again.base), () => again.tally.text());
    } finally {
      await again.close();
    }
  });
}

describe('compressed files, and what looks like them', () => {
  for (const format of ['tapedeck', 'vcrpy', 'har', 'httprr'])
    it(`are downloaded from a tape of ${format} byte for byte`, async () => {
      const all = async (ask: Ask): Promise<void> => {
        for (const [name, { bytes }] of Object.entries(DOWNLOADS)) assert.deepEqual(await ask(name), bytes, name);
      };
      await recordAndReplay(format, all, async (ask, tally) => {
        await all(ask);
        assert.equal(tally(), `${Object.keys(DOWNLOADS).length} exact`);
      });
    });

  for (const format of ['tapedeck', 'vcrpy', 'har'])
    it(`stay compressed files in ${format} where a secret in them is hidden`, async () => {
      await recordAndReplay(
        format,
        async (ask) => assert.match(gunzipSync(await ask('secret.gz')).toString(), new RegExp(KEY)),
        async (ask) => assert.equal(gunzipSync(await ask('secret.gz')).toString(), '{"key":"[redacted:openai-key]"}'),
        async (root) => {
          const path = join(root, 'tapes/agent.tape.yaml');
          assert.ok(!(await readFile(path, 'utf8')).includes('content-encoding'));
          const { tape } = await loadTape(path);
          assert.equal(tape.interactions[0]?.http?.responseBody.type, 'base64');
        },
      );
    });

  it('are not recorded where they are damaged and can be read in part, and that is told', async () => {
    await recordAndReplay(
      'tapedeck',
      async (ask) => {
        await ask('cut.gz');
        await ask('rows.gz');
      },
      async (ask) => assert.deepEqual(await ask('rows.gz'), DOWNLOADS['rows.gz']?.bytes),
      async (_, explanations) => assert.match(explanations, /not recorded: .* cannot be searched/),
    );
  });

  it('are other requests than what they contain', async () => {
    const file = gzipSync(ROWS);
    await recordAndReplay(
      'tapedeck',
      async (ask) => void (await ask('upload', file)),
      async (ask, tally) => {
        assert.match((await ask('upload', ROWS)).toString(), /tapedeck/i);
        assert.equal((await ask('upload', file)).toString(), 'saved');
        assert.match(tally(), /^1 drifted, 1 exact$/);
      },
    );
  });
});
