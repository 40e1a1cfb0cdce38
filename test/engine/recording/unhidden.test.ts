import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { readTape } from '../../../src/core/tapes/readTape';
import { decodeTapeFile } from '../../../src/core/tapes/tapeFile';
import { Recorder } from '../../../src/engine/recording/recorder';
import { saveRecording } from '../../../src/engine/recording/saveRecording';
import { UnhiddenError, unhiddenText } from '../../../src/engine/recording/unhiddenError';
import { inFolder } from '../../harness/support';

/** Its pattern matches only what a tape writes around a value, where nothing can be hidden. */
const recorder = new Recorder({ environments: [], keys: {}, patterns: ['"https://secret', 'uri: https://secret'] });

const got = (url: string) =>
  recorder.interaction({
    kind: 'http',
    request: undefined,
    response: undefined,
    http: {
      method: 'GET',
      url,
      requestHeaders: [],
      requestBody: { type: 'none' },
      status: 200,
      responseHeaders: [['content-type', 'text/plain']],
      responseBody: { type: 'text', text: 'fine' },
    },
  });

async function urlsOf(path: string): Promise<readonly (string | undefined)[]> {
  const tape = readTape(decodeTapeFile(path, await readFile(path)));
  return tape?.interactions.map(({ http }) => http?.url) ?? [];
}

describe('a value that cannot be hidden', () => {
  const PLAIN = ['https://a.example/1', 'https://a.example/2'];
  const SECRET = 'https://secret.example/key?a=1';
  for (const name of ['t.tape.jsonl', 't.yaml', 't.har'])
    it(`costs its interaction, and not the recording: ${name}`, () =>
      inFolder(async (root) => {
        const path = join(root, name);
        const format = name.endsWith('.yaml') ? 'vcrpy' : undefined;
        const save = (urls: readonly string[], append = false) =>
          saveRecording({ root, path, format, recorder, append, recorded: urls.map(got) });
        const { leftOut = [], interactions } = await save([PLAIN[0] ?? '', SECRET, PLAIN[1] ?? '']);
        assert.deepEqual(await urlsOf(path), PLAIN);
        assert.equal(interactions, 2);
        assert.match(
          leftOut.map(unhiddenText).join(),
          /in interaction 2, GET https:\/\/secret\.example\/key, cannot be hidden/,
        );
        const added = await save([SECRET, 'https://a.example/3'], true);
        assert.deepEqual(await urlsOf(path), [...PLAIN, 'https://a.example/3']);
        assert.match((added.leftOut ?? []).map(unhiddenText).join(), /in interaction 3, GET/);
      }));

  it('is named where nothing else was recorded, and nothing is written', () =>
    inFolder(async (root) => {
      const path = join(root, 't.tape.jsonl');
      await assert.rejects(
        saveRecording({ root, path, format: undefined, recorder, append: false, recorded: [got(SECRET)] }),
        (error) =>
          error instanceof UnhiddenError &&
          /not written: .* in interaction 1, GET https:\/\/secret/.test(error.message),
      );
      assert.ok(!existsSync(path));
    }));
});
