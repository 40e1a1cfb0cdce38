import assert from 'node:assert/strict';
import fc from 'fast-check';
import { member } from '../../../src/core/json/readJson';
import { applySplices } from '../../../src/core/text/splice';
import { readYaml } from '../../../src/core/yaml/readYaml';
import { replaceMemberString, type YamlWriter } from '../../../src/core/yaml/replaceYamlScalar';
import { writeYamlString } from '../../../src/core/yaml/writeYamlScalar';

const PYYAML: YamlWriter = { step: 2, width: 80, plainness: 'ascii', binaryColumns: 76 };
const GO: YamlWriter = { step: 2, binaryColumns: 70 };

/** Replaces the string at `a.b` and returns the new source. */
function replace(source: string, value: string, writer: YamlWriter): string {
  const root = readYaml(source).value?.[0];
  const found = root?.type === 'object' ? root.members[0]?.value : undefined;
  const target = found?.type === 'object' ? found.members[0] : undefined;
  const splice = target && replaceMemberString(source, target, value, writer);
  assert(splice);
  return applySplices(source, [splice]);
}

function valueIn(source: string): unknown {
  const { value, problems } = readYaml(source);
  assert.deepEqual(problems, [], source);
  const node = member(member(value?.[0], 'a'), 'b');
  return node?.type === 'string' ? node.value : node;
}

describe('writeYamlString', () => {
  it('keeps the style if it can represent the value', () => {
    const place = { indent: 2 };
    assert.equal(writeYamlString('later', 'now', place), 'later');
    assert.equal(writeYamlString("it's", "'now'", place), "'it''s'");
    assert.equal(writeYamlString('é', '"now"', place), '"é"');
    assert.equal(writeYamlString('one\ntwo\n', '|-\n  now\n', place), '|\n  one\n  two\n');
    assert.equal(writeYamlString('one\n\n\n', '|\n  now\n', place), '|+\n  one\n\n\n');
  });

  it('uses the next style that can represent the value', () => {
    const place = { indent: 2 };
    for (const text of ['12', 'true', 'no', '2024-01-01', '', 'a: b', 'a #b', '- a', '1e3', '0x1f', ' a'])
      assert.equal(writeYamlString(text, 'now', place), `'${text}'`);
    assert.equal(writeYamlString('a\rb', 'now', place), '"a\\rb"');
    assert.equal(writeYamlString('é', "'now'", { ...place, plainness: 'ascii' }), '"\\xE9"');
    assert.equal(writeYamlString('a\u0085b', '|-\n  now\n', place), '"a\\Nb"\n');
  });

  it('escapes like the writer of the replaced token', () => {
    assert.equal(writeYamlString('é 😀', '"\\u2019"', { indent: 2 }), '"\\xE9 \\U0001F600"');
    assert.equal(writeYamlString('é 😀', '"’"', { indent: 2, plainness: 'bmp' }), '"é \\U0001F600"');
    assert.equal(writeYamlString('é 😀', '"😀"', { indent: 2, plainness: 'bmp' }), '"é 😀"');
  });

  it('wraps like PyYAML', () => {
    const words = Array.from({ length: 20 }, (_, index) => `word${index}`).join(' ');
    const source = `a:\n  b: 'x'\n`;
    assert.equal(
      replace(source, words, PYYAML),
      "a:\n  b: 'word0 word1 word2 word3 word4 word5 word6 word7 word8 word9 word10 word11 word12\n" +
        "    word13 word14 word15 word16 word17 word18 word19'\n",
    );
    assert.equal(replace(source, words, GO), `a:\n  b: '${words}'\n`);
  });

  it('wraps like PyYAML without libyaml if the token was', () => {
    const source = 'a:\n  b: "x\\\n    y"\n';
    assert.equal(
      replace(source, `${'a'.repeat(40)} ${'b'.repeat(40)} ${'\n'.repeat(30)}  end`, PYYAML),
      `a:\n  b: "${'a'.repeat(40)} ${'b'.repeat(40)}\\\n    \\ ${'\\n'.repeat(30)}  end"\n`,
    );
  });

  it('quotes a text that ends with a line of spaces, which some readers drop from a block', () => {
    const source = 'a:\n  b: |\n    x\n  c: end\n';
    assert.equal(replace(source, ' !\n\n ', PYYAML), 'a:\n  b: " !\\n\\n "\n  c: end\n');
  });

  it('reads back unchanged, whatever the style and the text', () => {
    const styles = [
      'x',
      "'x'",
      '"x"',
      '"\\u1234"',
      '|\n    x\n',
      '|-\n    x\n',
      '|2-\n      x\n',
      '>+\n    x\n    y\n',
    ];
    const piece = fc.constantFrom(
      ' ',
      '  ',
      '\n',
      '\n\n',
      "'",
      '"',
      '\\',
      ': ',
      ' #',
      '\t',
      'é',
      '😀',
      '\r',
      '\u2028',
      'a',
    );
    const text = fc.oneof(
      fc.string({ unit: 'grapheme' }),
      fc
        .array(fc.oneof(piece, fc.string({ minLength: 1, maxLength: 12 })), { maxLength: 60 })
        .map((all) => all.join('')),
    );
    fc.assert(
      fc.property(
        fc.constantFrom(...styles),
        fc.constantFrom(PYYAML, GO),
        fc.boolean(),
        text,
        (token, writer, crlf, value) => {
          const source = `a:\n  b: ${token}${token.endsWith('\n') ? '' : '\n'}  c: 'end'\n`;
          const written = replace(crlf ? source.replaceAll('\n', '\r\n') : source, value, writer);
          assert.equal(valueIn(written), value);
          const after = member(member(readYaml(written).value?.[0], 'a'), 'c');
          assert.equal(after?.type === 'string' && after.value, 'end');
        },
      ),
      { numRuns: 1000 },
    );
  });
});

describe('replaceYamlString', () => {
  it('wraps base64 like the original', () => {
    const base64 = 'QUJD'.repeat(40);
    const pyyaml = `a:\n  b: !!binary |\n    QUJD\n  c: 1\n`;
    assert.equal(
      replace(pyyaml, base64, PYYAML),
      `a:\n  b: !!binary |\n    ${base64.slice(0, 76)}\n    ${base64.slice(76, 152)}\n    ${base64.slice(152)}\n  c: 1\n`,
    );
    const psych = `a:\n  b: !binary |-\n    QUJD\n`;
    const writer = { step: 2, binaryColumns: Number.POSITIVE_INFINITY };
    assert.equal(replace(psych, base64, writer), `a:\n  b: !binary |-\n    ${base64}\n`);
  });

  it('does not wrap text that was not wrapped', () => {
    const words = 'some words '.repeat(20);
    assert.equal(replace(`a:\n  b: '${words}'\n`, `${words}more`, PYYAML), `a:\n  b: '${words}more'\n`);
  });

  it('keeps the end of a file without a final line feed', () => {
    assert.equal(replace('a:\n  b: |-\n    x', 'y', GO), 'a:\n  b: |-\n    y');
  });
});
