import assert from 'node:assert/strict';
import { readJsonLines } from '../../../src/core/json/jsonLines';
import { parseJson, readJson } from '../../../src/core/json/readJson';
import { readToml } from '../../../src/core/toml/readToml';
import { readYaml, yamlTags } from '../../../src/core/yaml/readYaml';

describe('limits of text', () => {
  it('JSON of little else than brackets is refused, and long lists of texts and numbers are not', () => {
    const lists = `[[]${',[]'.repeat(2_000_000)}]`;
    assert.deepEqual(
      readJson(lists).problems.map(({ message }) => message),
      ['invalid JSON: more than 500000 lists and objects'],
    );
    assert.equal(readJson(lists).value, undefined);
    assert.equal(parseJson(lists), undefined);
    const texts = `["${'x'.repeat(40)}"${`,"${'x'.repeat(40)}"`.repeat(200_000)}]`;
    assert.deepEqual(readJson(texts).problems, []);
    assert.ok(Array.isArray(parseJson(texts)));
    const embeddings = `[${`[0.1234567${',-0.012345'.repeat(1535)}],`.repeat(1_500)}0]`;
    assert.deepEqual(readJson(embeddings).problems, []);
  });

  it('JSON lines are counted before they are read', () => {
    const { lines, problems } = readJsonLines('{}\n'.repeat(600_000));
    assert.deepEqual([lines.length, problems.map(({ message }) => message)], [0, ['more than 500000 lines']]);
  });

  it('YAML in flow style is read up to two million characters', () => {
    const { problems } = readYaml(`interactions: [${'{a: b}, '.repeat(400_000)}]\n`);
    assert.match(String(problems[0]?.message), /^YAML of more than 2 million characters/);
  });

  it('TOML of very many values is refused', () => {
    for (const text of [`x = [${'{}, '.repeat(60_000)}]`, 'k = 1\n'.repeat(60_000), 'a.'.repeat(3_000_000)]) {
      const { value, problems } = readToml(text);
      assert.equal(value, undefined);
      assert.match(String(problems[0]?.message), /^the TOML has more than 50000 values, or 4 million characters$/);
    }
    assert.deepEqual(readToml(`prompt = "${'a, b '.repeat(10_000)}"`).problems, []);
    const long = readToml(`prompt = "${'a'.repeat(1_000_000)}"`);
    assert.match(String(long.problems[0]?.message), /too long/);
  });

  it('takes tags of YAML from its parser', () => {
    const tags = (text: string): string[] =>
      yamlTags(text).map(({ tag, start, end }) => `${tag}=${text.slice(start, end)}`);
    assert.deepEqual(tags('a: |\n  !!python/name:os.system\n'), []);
    assert.deepEqual(tags('a: "!!python/name"\n# !!python/name\nb: !x 1\n'), ['!x=!x']);
    assert.deepEqual(tags('- !!python/tuple [1, !!python/name:os.system x]\n'), [
      '!!python/tuple=!!python/tuple',
      '!!python/name:os.system=!!python/name:os.system',
    ]);
    assert.equal(tags(`a:\n${'- !t b\n'.repeat(150_000)}`).length, 150_000);
  });
});
