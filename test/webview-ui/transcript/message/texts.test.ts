import * as assert from 'node:assert/strict';
import fc from 'fast-check';
import { interactionToMarkdown } from '../../../../src/core/export/exportInteraction';
import { formatJson, tokenizeJson } from '../../../../src/core/json/formatJson';
import type { TranscriptEntry } from '../../../../src/core/transcript/transcript';
import { countLines, foldText } from '../../../../webview-ui/base/fold';
import { dedent } from '../../../../webview-ui/transcript/feed/sourceView';

const lines = (count: number): string => Array.from({ length: count }, (_, index) => `line ${index + 1}`).join('\n');

describe('folding', () => {
  it('shows what is short, and what is only a little too long, whole', () => {
    for (const count of [1, 12, 15]) assert.deepEqual(foldText(lines(count), 12), { shown: lines(count) });
  });

  it('cuts long texts after their first lines and says how many there are', () => {
    assert.deepEqual(foldText(lines(1234), 12), { shown: lines(12), label: 'Show All 1,234 Lines' });
  });

  it('cuts endless lines by characters, never between the halves of one', () => {
    const { shown, label } = foldText('😀'.repeat(5000), 3);
    assert.equal(label, 'Show All 10,000 Characters');
    assert.equal(shown, '😀'.repeat(150));
    assert.equal(foldText(`x${'😀'.repeat(5000)}`, 3).shown, `x${'😀'.repeat(149)}`);
  });

  it('never folds without a limit, and always shows a beginning', () => {
    fc.assert(
      fc.property(fc.string(), fc.integer({ min: 1, max: 9 }), (text, max) => {
        assert.deepEqual(foldText(text, Number.POSITIVE_INFINITY), { shown: text });
        assert.ok(text.startsWith(foldText(text, max).shown));
        assert.equal(countLines(text), text.split('\n').length);
      }),
    );
  });
});

describe('json as text', () => {
  it('lays a structure out without touching numbers, escapes, order or repeated keys', () => {
    const text = '{"b":1.0,"a":18446744073709551615,"b":[],"c":{},"d":["\\u00e9, \\"x\\": {",-1e5,null]}';
    const formatted = formatJson(text);
    assert.equal(
      formatted,
      '{\n  "b": 1.0,\n  "a": 18446744073709551615,\n  "b": [],\n  "c": {},\n  "d": [\n    "\\u00e9, \\"x\\": {",\n    -1e5,\n    null\n  ]\n}',
    );
  });

  it('agrees with JSON.stringify', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const expected = typeof value === 'object' && value !== null ? JSON.stringify(value, null, 2) : undefined;
        assert.equal(formatJson(JSON.stringify(value)), expected);
      }),
    );
  });

  it('leaves alone what is no structure', () => {
    for (const text of ['', 'shipped', '"shipped"', '42', '{broken', '{} and more'])
      assert.equal(formatJson(text), undefined);
  });

  it('distinguishes keys, strings, numbers and literals, also in a text that is cut off', () => {
    const kinds = tokenizeJson('{\n  "a": "b", "c": [-1.5, true, null], "d": "cut').filter(
      ({ kind }) => kind !== 'plain',
    );
    assert.deepEqual(
      kinds.map(({ kind, text }) => `${kind} ${text}`),
      ['key "a"', 'string "b"', 'key "c"', 'number -1.5', 'literal true', 'literal null', 'key "d"', 'literal cut'],
    );
  });

  it('gives every character back', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.json()), (text) => {
        assert.equal(
          tokenizeJson(text)
            .map((token) => token.text)
            .join(''),
          text,
        );
      }),
    );
  });
});

describe('the source of an interaction', () => {
  it('loses the indentation it has from its place in the file', () => {
    assert.equal(dedent('{\n      "a": {\n        "b": 1\n      }\n    }'), '{\n  "a": {\n    "b": 1\n  }\n}');
    assert.equal(dedent('{"a": 1}'), '{"a": 1}');
    assert.equal(dedent('{\n\n  "a": 1\n}'), '{\n\n  "a": 1\n}');
  });
});

describe('a copied interaction', () => {
  it('is markdown that quotes tool texts safely', () => {
    const entries: readonly TranscriptEntry[] = [
      { interaction: 0, role: 'user', origin: 'request', text: 'Where is it?', toolCalls: [] },
      {
        interaction: 0,
        text: '',
        role: 'assistant',
        origin: 'response',
        toolCalls: [{ id: 'a', name: 'lookup', arguments: '{}', result: 'a ```` fence' }],
        error: 'cut off',
      },
    ];
    assert.equal(
      interactionToMarkdown({ index: 0, entries, changes: [], details: [] }, 'm-1'),
      [
        '## Interaction 1 (m-1)',
        '### User',
        'Where is it?',
        '### Assistant',
        'Tool call `lookup`:',
        '```\n{}\n```',
        'Result:',
        '`````\na ```` fence\n`````',
        'Error: cut off',
      ].join('\n\n'),
    );
  });
});
