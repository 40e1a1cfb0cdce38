import assert from 'node:assert/strict';
import { gzipSync, strToU8 } from 'fflate';
import type { RecordedInteraction } from '../../../../src/core/model/interaction';
import type { FormatId } from '../../../../src/core/model/tape';
import { redactValue } from '../../../../src/core/secrets/redactTape';
import { applyTapeEdits } from '../../../../src/core/tapes/edits/editTape';
import { detectFormat } from '../../../../src/core/tapes/readTape';
import { formatById } from '../../../../src/core/tapes/registry';
import { spliceTape } from '../../../../src/core/tapes/spliceTape';
import { tapeFileFromText } from '../../../../src/core/tapes/tapeFile';
import { limitsOf, unheldIn } from '../../../../src/core/tapes/unheld';
import { isWritable, newTapeFile } from '../../../../src/core/tapes/writableFormat';
import { applySplices } from '../../../../src/core/text/splice';

const TEXT: RecordedInteraction = {
  kind: 'http',
  http: {
    method: 'POST',
    url: 'https://a.example/é',
    requestHeaders: [['Accept', '*/*']],
    requestBody: { type: 'text', text: '{"a": "ü"}' },
    status: 200,
    responseHeaders: [['Content-Type', 'text/plain']],
    responseBody: { type: 'text', text: 'héllo' },
  },
  timing: { recordedAt: '2026-01-02T03:04:05.678Z' },
};
const bytes = (base64: string): RecordedInteraction => ({
  ...TEXT,
  ...(TEXT.http && { http: { ...TEXT.http, responseBody: { type: 'base64', base64 } } }),
});
const BINARY = bytes('AP/+');
const GZIPPED: RecordedInteraction = {
  ...TEXT,
  ...(TEXT.http && {
    http: {
      ...TEXT.http,
      responseHeaders: [['Content-Encoding', 'gzip']],
      responseBody: { type: 'base64', base64: Buffer.from(gzipSync(strToU8('hello'))).toString('base64') },
    },
  }),
};

function written(
  format: FormatId,
  interactions: readonly RecordedInteraction[],
  path: string,
  replaces?: string,
): string {
  const text = formatById(format).serialise?.('n', interactions, { path, replaces });
  assert.ok(text !== undefined);
  const file = tapeFileFromText(text, path);
  assert.equal(detectFormat(file)?.id, format, text);
  const tape = formatById(format).read(file);
  assert.deepEqual(
    tape.problems.filter(({ severity }) => severity !== 'info'),
    [],
    text,
  );
  return text;
}

const syntaxOf = (text: string): string => (/^\s*[[{]/.test(text) ? 'json' : /^\w+ = /.test(text) ? 'toml' : 'yaml');

/** A turn, for the formats that store messages. */
const TURN: RecordedInteraction = {
  request: { messages: [{ role: 'user', content: 'Hi', toolCalls: [] }], tools: [], params: {} },
  response: { content: 'Hello', toolCalls: [] },
};

describe('the syntax of a tape that is written', () => {
  const SEVERAL: readonly (readonly [FormatId, ...string[]])[] = [
    ['vcrpy', 'yaml', 'json'],
    ['ruby-vcr', 'yaml', 'json'],
    ['r-vcr', 'yaml', 'json'],
    ['go-vcr', 'yaml', 'json'],
    ['polly-har', 'json', 'yaml'],
    ['mofa-scenario', 'json', 'yaml'],
    ['flakestorm', 'json', 'yaml'],
    ['mofa-agent-scenario', 'json', 'yaml', 'toml'],
  ];
  for (const [format, usual = '', ...others] of SEVERAL) {
    it(`is that of its name, or else ${usual}: ${format}`, () => {
      for (const syntax of [usual, ...others]) assert.equal(syntaxOf(written(format, [TURN], `t.${syntax}`)), syntax);
      assert.equal(syntaxOf(written(format, [TURN], 't.tape')), usual);
    });

    it(`is that of the tape that it replaces, whatever its name: ${format}`, () => {
      for (const syntax of [usual, ...others]) {
        const old = written(format, [TURN], `t.${syntax}`);
        for (const name of ['t.json', 't.yaml', 't.cassette'])
          assert.equal(syntaxOf(written(format, [TURN, TURN], name, old)), syntax, name);
      }
    });
  }
});

describe('a cassette in JSON', () => {
  it('is written as vcrpy does: with its keys in order, four spaces, and in ASCII', () => {
    const text = written('vcrpy', [TEXT], 't.json');
    assert.equal(
      text,
      `{
    "version": 1,
    "interactions": [
        {
            "request": {
                "method": "POST",
                "uri": "https://a.example/\\u00e9",
                "body": "{\\"a\\": \\"\\u00fc\\"}",
                "headers": {
                    "Accept": [
                        "*/*"
                    ]
                }
            },
            "response": {
                "status": {
                    "code": 200,
                    "message": "OK"
                },
                "headers": {
                    "Content-Type": [
                        "text/plain"
                    ]
                },
                "body": {
                    "string": "h\\u00e9llo"
                }
            }
        }
    ]
}
`,
    );
  });

  it('is laid out like the one that it replaces', () => {
    const layouts = [
      (value: unknown) => JSON.stringify(value),
      (value: unknown) => `${JSON.stringify(value, null, 2)}\n`,
      (value: unknown) => JSON.stringify(value, null, '\t'),
    ];
    const value = JSON.parse(written('vcrpy', [TEXT], 't.json'));
    for (const layout of layouts) assert.equal(written('vcrpy', [TEXT], 't.json', layout(value)), layout(value));
    const ascii = '{"version": 1, "interactions": []}';
    assert.doesNotMatch(written('vcrpy', [TEXT], 't.json', ascii), /[^\0-\x7f]|\n/);
    assert.match(written('vcrpy', [TEXT], 't.json', ascii), /^\{"version": 1, "interactions": \[\{"request": /);
  });

  const BETAMAX = JSON.stringify({ http_interactions: [], recorded_with: 'betamax/0.8.2' });

  it('of Betamax stays one that Betamax reads', () => {
    const { http_interactions: entries, recorded_with: recorder } = JSON.parse(
      written('ruby-vcr', [TEXT, BINARY], 't.json', BETAMAX),
    );
    assert.equal(recorder, 'betamax/0.8.2');
    const [first, second] = entries;
    assert.deepEqual(first, {
      request: {
        body: { encoding: 'utf-8', string: '{"a": "ü"}' },
        headers: { Accept: ['*/*'] },
        method: 'POST',
        uri: 'https://a.example/é',
      },
      response: {
        body: { encoding: 'utf-8', string: 'héllo' },
        headers: { 'Content-Type': ['text/plain'] },
        status: { code: 200, message: 'OK' },
        url: 'https://a.example/é',
      },
      recorded_at: '2026-01-02T03:04:05',
    });
    assert.deepEqual(second.response.body, { encoding: null, base64_string: 'AP/+' });
  });

  it('holds bytes in base64 where its recorder reads that', () => {
    for (const [format, body] of [
      ['ruby-vcr', { encoding: 'ASCII-8BIT', base64_string: 'AP/+' }],
      ['r-vcr', { base64_string: 'AP/+' }],
    ] as const) {
      const text = written(format, [BINARY], 't.json');
      assert.deepEqual(JSON.parse(text).http_interactions[0].response.body, body);
      const [read] = formatById(format).read(tapeFileFromText(text)).interactions;
      assert.deepEqual(read?.http?.responseBody, { type: 'base64', base64: 'AP/+' });
    }
  });

  it('says that it cannot hold bytes where its recorder has no place for them, and unpacks texts', () => {
    for (const id of ['vcrpy', 'go-vcr'] as const) {
      const format = formatById(id);
      assert.ok(isWritable(format));
      const unheld = (one: RecordedInteraction, path: string) =>
        unheldIn(format, [TEXT, one], format.read(newTapeFile(format, 'n', [TEXT, one], { path })).interactions);
      assert.deepEqual(unheld(BINARY, 't.json'), [{ index: 1, parts: ['response'] }]);
      for (const held of [unheld(BINARY, 't.yaml'), unheld(TEXT, 't.json'), unheld(GZIPPED, 't.json')])
        assert.deepEqual(held, []);
      assert.deepEqual(limitsOf(format, { path: 't.yaml' }), []);
      assert.ok(limitsOf(format, { path: 't.json' }).includes('binary bodies of responses'));
    }
  });

  it('is continued, and gets empty interactions, in JSON', () => {
    for (const [format, replaces] of [
      ['vcrpy', undefined],
      ['ruby-vcr', undefined],
      ['ruby-vcr', BETAMAX],
      ['r-vcr', undefined],
    ] as const) {
      const old = written(format, [TEXT, TEXT], 't.json', replaces);
      const file = tapeFileFromText(old, 't.json');
      const spliced = spliceTape(formatById(format), file, 1, [TEXT, TEXT]);
      assert.ok('file' in spliced, format);
      assert.equal(JSON.parse(spliced.file.text).recorded_with, JSON.parse(old).recorded_with);
      const edited = applyTapeEdits(file, [{ type: 'add', interaction: 0 }], redactValue);
      assert.ok('splices' in edited, format);
      const added = JSON.parse(applySplices(old, edited.splices));
      const [list] = [added.interactions, added.http_interactions].filter((some) => some !== undefined);
      const members = ({ response }: { readonly response: object }) =>
        Object.keys(response).filter((key) => key !== 'body');
      assert.deepEqual(members(list[1]), members(list[0]), format);
    }
  });
});
