import * as assert from 'node:assert/strict';
import { setTimeout as milliseconds, setImmediate as nextTask } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { gzipSync } from 'node:zlib';
import type { Tape } from '../../../src/core/model/tape';
import { loaderFormat } from '../../../src/core/tapes/formats/loader/index';
import { detectFormat } from '../../../src/core/tapes/readTape';
import { formats } from '../../../src/core/tapes/registry';
import { decodeTapeFile, tapeFileOf } from '../../../src/core/tapes/tapeFile';
import { applySplices } from '../../../src/core/text/splice';
import { verifyFile } from '../../../src/core/verify/verifyFile';
import { readYaml } from '../../../src/core/yaml/readYaml';
import { writeYamlBinary } from '../../../src/core/yaml/writeYamlScalar';

/** What `test/soak/fuzzFormats.mjs` found. Each input is as small as it could be made. */
describe('inputs that once broke a reader', () => {
  it('a packed tape as a text, which takes twice its size', () => {
    const bytes = gzipSync('{"version": 1}');
    const text = (): string => assert.fail('it is read as bytes at once');
    assert.equal(tapeFileOf('a.tape.json.GZ', { text, bytes: () => bytes }).text, '{"version": 1}');
  });

  it('a gzip header and nothing else', () => {
    assert.equal(decodeTapeFile('x', Uint8Array.of(0x1f, 0x8b, 0x08)).gzipHeader, undefined);
  });

  for (const [what, text] of [
    ['blank lines', '\n'.repeat(70_000)],
    ['blank lines with spaces', ' \n'.repeat(70_000)],
    ['starts of documents', '---\n'.repeat(70_000)],
    ['comments between blank lines', '\n\n#\n'.repeat(70_000)],
    ['a key before blank lines', `interactions:${'\n'.repeat(70_000)}`],
  ] as const) {
    it(`nothing but ${what}: no expression may try every way to divide them`, () => {
      const file = decodeTapeFile('a', Buffer.from(text));
      for (const format of formats) format.looksLike(file);
      assert.equal(verifyFile(file)?.format, undefined);
    });
  }

  it('a stream that ends with what is no chunk: the new text must go into one that is', () => {
    const file = decodeTapeFile(
      'a.json',
      Buffer.from('{"completions":[],"streams":[[{"content":"a"},"",{"content":1}]]}'),
    );
    const outcome = loaderFormat.editText(file, { type: 'response-text', interaction: 0, text: 'b' });
    assert.ok('splices' in outcome);
    const again = decodeTapeFile('a.json', Buffer.from(applySplices(file.text, outcome.splices)));
    assert.equal(loaderFormat.read(again).interactions[0]?.response?.content, 'b');
  });

  it('a YAML block that is only a tab: what is written there must be what is read', () => {
    const text =
      'interactions:\n- request:\n    method: POST\n    parsed_body: messages:\n    - \n  response: parsed_body: choices:\n      - \n       message: content: |\n\t';
    const file = decodeTapeFile('a.yaml', Buffer.from(text));
    for (const format of formats) {
      for (const replaced of ['', 'x', 'two\nlines\n']) {
        const outcome = format.editText?.(file, { type: 'response-text', interaction: 0, text: replaced });
        if (outcome === undefined || 'refused' in outcome) continue;
        const again = decodeTapeFile('a.yaml', Buffer.from(applySplices(text, outcome.splices)));
        assert.equal(format.read(again).interactions[0]?.response?.content, replaced, format.id);
      }
    }
  });

  it('base64 below a blank line: what replaces it must be wrapped somewhere', () => {
    assert.equal(writeYamlBinary('YWJj', '|\n\n  eHl6\n', { indent: 2, column: 0, step: 2 }, 76), '|\n  YWJj\n');
  });

  const tiny: readonly (readonly [format: string, text: string])[] = [
    ['mofa-scenario', `suite_name: a\nllm:\n  responses:\n${'    - prompt_substring: broken\n'.repeat(2000)}`],
    ['mofa', `{"version": 1, "case_name": "a", "interactions": [${'{},'.repeat(20_000)}{}]}`],
    ['flakestorm', `id: a\nname: "${'&a [*a,'.repeat(8000)}"\ninput: b\ncontract: &a c\n`],
    ['go-vcr', `version: 2\ninteractions:\n- request:\n    url: a\n    proto: b\n${'- {}\n'.repeat(15_000)}`],
  ];
  for (const [id, text] of tiny) {
    it(`${id} of thousands of small pieces: the tape must not keep many times its text`, async () => {
      const file = decodeTapeFile('a', Buffer.from(text));
      const kept: Tape[] = [];
      const before = await liveBytes();
      for (let times = 0; times < 10; times += 1) {
        const format = detectFormat(file);
        assert.equal(format?.id, id);
        if (format !== undefined) kept.push(format.read(file));
      }
      const most = 2 * text.length * kept.length;
      let grown = (await liveBytes()) - before;
      // The compiler keeps its input for a moment.
      for (let waits = 0; waits < 100 && grown > most; waits += 1) {
        await milliseconds(20);
        grown = (await liveBytes()) - before;
      }
      // They were 17, 290, 33 and 160 times.
      assert.ok(grown <= most, `${grown} bytes for ${text.length * kept.length}`);
      assert.ok((kept.at(-1)?.interactions.length ?? 0) > 0);
    });
  }

  const yaml: readonly (readonly [what: string, text: string])[] = [
    ['aliases inside of what they name', '&a [*a,'.repeat(6)],
    ['flow lists 5000 levels deep', '['.repeat(5000)],
    ['flow maps 5000 levels deep', '{"a":'.repeat(5000)],
    ['block lists 5000 levels deep', '- '.repeat(5000)],
    ['block lists deeper than the stack, in a map', `a:\n  - b:\n    ${'- '.repeat(10_000)}x\nc: 1\n`],
    ['aliases that double what they name', doubling(30)],
    ['aliases that nest what they name', nesting(40)],
  ];
  for (const [what, text] of yaml) {
    it(`YAML with ${what}`, () => {
      const { value, problems } = readYaml(text);
      assert.ok(value);
      assert.notEqual(problems.length, 0);
      for (const { span } of problems) assert.ok(0 <= span.start && span.start <= span.end && span.end <= text.length);
      for (const format of formats) format.read(decodeTapeFile('a.yaml', Buffer.from(text)));
    });
  }
});

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc');

/** Without what is kept only until the running task ends. */
async function liveBytes(): Promise<number> {
  await nextTask();
  collectGarbage();
  collectGarbage();
  return process.memoryUsage().heapUsed;
}

function doubling(lines: number): string {
  return Array.from({ length: lines }, (_, at) => `- &a${at + 1} [*a${at}, *a${at}]\n`)
    .join('')
    .replaceAll('*a0', '1');
}

function nesting(lines: number): string {
  const open = '['.repeat(200);
  const close = ']'.repeat(200);
  return Array.from({ length: lines }, (_, at) => `- &a${at + 1} ${open}*a${at}${close}\n`)
    .join('')
    .replaceAll('*a0', '1');
}
