import * as assert from 'node:assert/strict';
import fc from 'fast-check';
import { formatNode } from '../../../src/core/json/formatJson';
import { type JsonNode, nodeOfToken } from '../../../src/core/json/jsonNode';
import { jsonValue, readJson } from '../../../src/core/json/readJson';
import { scanJson, WINDOW_UNITS } from '../../../src/core/json/scanJson';
import { TolerantJsonReader } from '../../../src/core/json/tolerantJsonReader';

/** A copy with all values, which are otherwise read lazily. */
function plain(node: JsonNode | undefined): unknown {
  if (node?.type === 'array') return { ...placeOf(node), items: node.items.map(plain) };
  if (node?.type !== 'object') return node && [placeOf(node), 'lexeme' in node ? node.lexeme : node.value];
  return { ...placeOf(node), members: node.members.map(({ key, keySpan, value }) => [key, keySpan, plain(value)]) };
}

function placeOf({ start, end }: JsonNode): { readonly start: number; readonly end: number } {
  return { start, end };
}

const PIECES = [
  '"',
  '\\',
  '\\"',
  '\\u00e9',
  '\\ud83d',
  '\\x',
  '{',
  '}',
  '[',
  ']',
  ',',
  ':',
  '-',
  '01',
  '1.5e3',
  'tru',
  ' ',
  '\n',
  '\0',
  'é',
  '漢',
  '😀',
  '\ud83d',
  '\ufeff',
  '{}',
];

describe('the fast scan of JSON', () => {
  it('agrees with the tolerant reader, and leaves invalid texts to it', () => {
    const change = fc.tuple(fc.nat(), fc.nat(3), fc.constantFrom(...PIECES));
    const text = fc.tuple(fc.jsonValue({ maxDepth: 4 }), fc.constantFrom(undefined, 2), fc.boolean());
    let whole = 0;
    fc.assert(
      fc.property(text, fc.array(change, { maxLength: 2 }), ([value, indent, nested], changes) => {
        let source = JSON.stringify(value, null, indent);
        // Tapes are full of JSON in JSON strings.
        if (nested) source = JSON.stringify([source, source.repeat(3)]);
        for (const [place, removed, piece] of changes) {
          const at = place % (source.length + 1);
          source = source.slice(0, at) + piece + source.slice(at + removed);
        }
        const fast = readJson(source);
        const careful = new TolerantJsonReader(source).document();
        assert.deepEqual([plain(fast.value), fast.problems], [plain(careful.value), careful.problems]);
        if (fast.problems.length === 0) whole += 1;
      }),
      { numRuns: 1000 },
    );
    assert.ok(whole > 100);
  });

  it('says that a text is compact where it writes itself so', () => {
    const pieces = fc.array(fc.tuple(fc.nat(), fc.constantFrom(' ', '\n', '\t', '')), { maxLength: 3 });
    const seen = new Set<boolean>();
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 3 }), pieces, (value, spaces) => {
        let text = JSON.stringify([value]);
        for (const [place, space] of spaces)
          text = text.slice(0, place % text.length) + space + text.slice(place % text.length);
        const tokens = scanJson(text);
        if (tokens === undefined) return;
        const root = nodeOfToken(tokens, tokens.root);
        const { value: careful } = new TolerantJsonReader(text).document();
        assert.equal(formatNode(text, root), formatNode(text, careful ?? assert.fail()));
        if (tokens.isCompact) assert.equal(formatNode(text, root), text);
        seen.add(tokens.isCompact);
      }),
      { numRuns: 1000 },
    );
    assert.equal(seen.size, 2);
  });

  it('reads strings of any length, with and without escapes', () => {
    for (const length of [0, 1, 23, 24, 25, 128, 129, 130, 5000, 1_000_000])
      for (const unit of ['x', '\\n', 'x\\"', '\\u00e9', 'é', '\\\\'])
        assert.equal(readJson(`["${unit.repeat(length)}", 1]`).problems.length, 0, `${unit} ${length}`);
  });

  it('continues in the next piece of the text, whatever is at the boundary', () => {
    const pieces = [
      '"x"',
      '"\\n"',
      '"\\ud83d\\ude00"',
      '"é漢😀"',
      '-12.5e+30',
      'true',
      '{"a" :  null}',
      `${' '.repeat(90)}[ ]`,
    ];
    for (const piece of pieces)
      for (let before = 0; before < 100; before += 1) {
        const text = `["${'x'.repeat(WINDOW_UNITS - before - 4)}",${piece}, "${'y'.repeat(WINDOW_UNITS)}", ${piece}]`;
        const tokens = scanJson(text);
        assert.ok(tokens, `${piece} ${before}`);
        const values = JSON.parse(text) as unknown[];
        const items = nodeOfToken(tokens, tokens.root);
        assert.ok(items.type === 'array');
        assert.deepEqual(items.items.map(jsonValue), values);
        assert.deepEqual(
          items.items.map(({ start, end }) => JSON.parse(text.slice(start, end))),
          values,
        );
      }
  });

  it('says that numbers are plain where JavaScript reads and writes them in the same way', () => {
    const isPlain = (text: string): boolean | undefined => scanJson(text)?.hasPlainNumbers;
    assert.equal(isPlain('{"a": [0, -1, 12, 123456789012345], "b": [true, false, null, "1.0 1e5 -0", {}]}'), true);
    for (const number of ['1.0', '-0', '1e5', '0.5', '1234567890123456', '-1234567890123456', '18446744073709551615']) {
      assert.equal(isPlain(number), false, number);
      assert.equal(isPlain(`[1, {"a": ${number}}, 2]`), false, number);
    }
    assert.equal(isPlain(`["${'x'.repeat(WINDOW_UNITS)}", 1.0]`), false, 'in a later piece of the text');
    const numbers = fc.stringMatching(/^-?(0|[1-9]\d{0,18})(\.\d{1,3})?(e[+-]?\d)?$/);
    fc.assert(
      fc.property(fc.array(numbers, { minLength: 1 }), (lexemes) => {
        const text = `[${lexemes.join(',')}]`;
        if (isPlain(text)) assert.equal(JSON.stringify(JSON.parse(text)), text);
      }),
    );
  });
});
