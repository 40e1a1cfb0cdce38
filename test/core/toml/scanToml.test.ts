import assert from 'node:assert/strict';
import fc from 'fast-check';
import { readToml, type TomlPath } from '../../../src/core/toml/readToml';
import { scanToml } from '../../../src/core/toml/scanToml';

/** What is at the `|`, with the word there. */
function placeIn(marked: string) {
  const offset = marked.indexOf('|');
  const text = marked.replace('|', '');
  const { place } = scanToml(text, offset);
  if (place === undefined) return undefined;
  const { word, ...others } = place;
  return { ...others, word: text.slice(word.start, word.end) };
}

const name = fc.constantFrom('a', 'b', 'name', 'with-dash', '"a b"', "'c.d'");
const scalar = fc.constantFrom(
  '"x"',
  "'y'",
  '"\\"\\\\"',
  '1',
  '-2.5',
  'true',
  '1979-05-27',
  '"""a\nb = [c]\n"""',
  "''''''",
);
const value = fc.letrec((tie) => ({
  any: fc.oneof({ depthSize: 'small' }, scalar, tie('array'), tie('table')),
  array: fc.array(tie('any'), { maxLength: 3 }).map((items) => `[${items.join(', ')}]`),
  table: fc
    .uniqueArray(fc.tuple(name, tie('any')), { selector: ([key]) => key, maxLength: 3 })
    .map((members) => `{ ${members.map(([key, item]) => `${key} = ${item}`).join(', ')} }`),
})).any;
const section = fc
  .uniqueArray(fc.tuple(name, value), { selector: ([key]) => key, maxLength: 4 })
  .map((members) => members.map(([key, item]) => `${key} = ${item} # c`).join('\n'));
const document = fc
  .tuple(section, fc.array(section, { maxLength: 3 }), section, section)
  .map(([root, items, table, below]) =>
    [
      root,
      ...items.map((item) => `[[list]]\n${item}\n[list.sub]\n${table}`),
      `[t]\n${table}`,
      `[t.u."v w"]\n${below}`,
    ].join('\n'),
  );

function valueAt(root: unknown, path: TomlPath): unknown {
  return path.reduce((at: unknown, part) => (at as Record<string | number, unknown>)[part], root);
}

describe('scanning TOML', () => {
  it('finds in valid TOML what a parser finds, where it finds it', () => {
    fc.assert(
      fc.property(document, (text) => {
        const { value: parsed } = readToml(text);
        fc.pre(parsed !== undefined);
        for (const { path, keySpan, valueSpan, text: plain } of scanToml(text).entries) {
          assert.deepEqual(valueSpan, parsed.span(path), `${path.join('.')} in\n${text}`);
          if (keySpan !== undefined) assert.deepEqual(keySpan, parsed.keySpan(path));
          const found = valueAt(parsed.root, path);
          if (plain !== undefined && !plain.includes('\\')) assert.equal(found, plain);
        }
      }),
    );
  });

  it('says what may be written at an offset', () => {
    const key = (path: TomlPath, word = '', isLineStart = true) => ({ in: 'key', path, isLineStart, word });
    const at = (path: TomlPath, word = '', isItem = false) => ({ in: 'value', path, isItem, word });
    assert.deepEqual(placeIn('|'), key([]));
    assert.deepEqual(placeIn('[a]\nb|'), key(['a'], 'b'));
    assert.deepEqual(placeIn('[[a]]\n[[a]]\n[a.b]\n|'), key(['a', 1, 'b']));
    assert.deepEqual(placeIn('[a]\nb.|'), key(['a', 'b'], '', false));
    assert.deepEqual(placeIn('a = { b = 1, |}'), key(['a'], '', false));
    assert.deepEqual(placeIn('a = |\n[b]'), at(['a']));
    assert.deepEqual(placeIn('a = "x|y" # z'), at(['a'], '"xy"'));
    assert.deepEqual(placeIn('a = ["x", |]'), at(['a'], '', true));
    assert.deepEqual(placeIn('a = [\n  "x|",\n]'), at(['a'], '"x"', true));
    assert.deepEqual(placeIn('a = { b = | }'), at(['a', 'b']));
    assert.deepEqual(placeIn('[|]'), { in: 'header', isList: false, word: '[]' });
    for (const nowhere of ['a = 1 |', 'a |', '# |', 'a = """\n|\n"""', 'a = 1 # |', '[a] |'])
      assert.equal(placeIn(nowhere), undefined, nowhere);
  });

  it('goes on after a bracket or a quote that was not closed', () => {
    assert.deepEqual(placeIn('a = [\n"x",\n[b]\n|')?.in, 'key');
    assert.deepEqual(placeIn('a = ["x"\nb = |'), { in: 'value', path: ['b'], isItem: false, word: '' });
    assert.deepEqual(placeIn('a = "x\n[b]\nc|'), { in: 'key', path: ['b'], isLineStart: true, word: 'c' });
    assert.deepEqual(placeIn('a = { b = 1\n[c]\n|'), { in: 'key', path: ['c'], isLineStart: true, word: '' });
  });

  it('ends for any text', () => {
    const piece = fc.constantFrom(
      '[',
      ']',
      '{',
      '}',
      '=',
      ',',
      '.',
      '"',
      "'",
      '"""',
      '\n',
      '\\',
      'a',
      ' ',
      '#',
      '\uFEFF',
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 40 }), fc.nat(40), (pieces, offset) => {
        const text = pieces.join('');
        const { place } = scanToml(text, Math.min(offset, text.length));
        if (place !== undefined) assert.ok(place.word.start <= place.word.end && place.word.end <= text.length);
      }),
    );
  });
});
