import assert from 'node:assert/strict';
import fc from 'fast-check';
import { applySplices } from '../../../src/core/text/splice';
import { removeTomlKey, setTomlKey, tomlString } from '../../../src/core/toml/editToml';
import { readToml } from '../../../src/core/toml/readToml';

const CASE = `# A case
name = "a"  # its name
prompt = "p"

[llm]
tape = "t.tape.json"

[llm.provider] # where it comes from
kind = "ollama"
model = "m"

[[llm.steps]]
type = "text"

[[llm.steps]]
type = "tool_call"

[assert]
contains = "x"
`;

const set = (text: string, table: readonly string[], key: string, value: string) =>
  applySplices(text, [setTomlKey(text, table, key, value)]);
const remove = (text: string, ...path: (string | number)[]) => applySplices(text, removeTomlKey(text, path));
const values = (text: string) => readToml(text).value?.root;

describe('setting a key of a TOML text', () => {
  it('replaces a value in its place', () =>
    assert.equal(set(CASE, [], 'name', '"b"'), CASE.replace('name = "a"', 'name = "b"')));

  it('inserts after the last key of its table, and after a comment there', () => {
    assert.equal(set(CASE, ['assert'], 'tool_called', '"t"'), CASE.replace('"x"\n', '"x"\ntool_called = "t"\n'));
    assert.equal(set(CASE, [], 'tags', '[]'), CASE.replace('prompt = "p"\n', 'prompt = "p"\ntags = []\n'));
  });

  it('appends the table if there is none, with the line ends of the text', () =>
    assert.equal(
      set('name = "a"\r\n', ['llm', 'replay'], 'mask', '["uuid"]'),
      'name = "a"\r\n\r\n[llm.replay]\r\nmask = ["uuid"]\r\n',
    ));

  it('inserts below a header without keys, and into an empty text', () => {
    assert.equal(set('[llm]', ['llm'], 'tape', '"t"'), '[llm]\ntape = "t"');
    assert.equal(set('', [], 'name', '"n"'), 'name = "n"\n');
  });
});

describe('removing a key from a TOML text', () => {
  it('removes its line', () => assert.equal(remove(CASE, 'prompt'), CASE.replace('prompt = "p"\n\n', '')));

  it('removes a table with its header, and keeps the tables around it', () =>
    assert.equal(
      remove(CASE, 'llm', 'provider'),
      CASE.replace('[llm.provider] # where it comes from\nkind = "ollama"\nmodel = "m"\n\n', ''),
    ));

  it('removes every table of a list', () => {
    const root = values(remove(CASE, 'llm', 'steps'));
    assert.deepEqual(root?.llm, { tape: 't.tape.json', provider: { kind: 'ollama', model: 'm' } });
  });

  it('removes nothing that has no statement of its own', () =>
    assert.deepEqual(removeTomlKey('llm = { tape = "t" }', ['llm', 'tape']), []));
});

it('a set value is read back, and everything else is unchanged', () => {
  const key = fc.string({ minLength: 1 });
  const path = fc.constantFrom<readonly string[]>([], ['llm'], ['llm', 'provider'], ['new'], ['new', 'deep']);
  fc.assert(
    fc.property(path, key, fc.string({ unit: 'binary' }), (table, name, value) => {
      fc.pre(!(table.length === 0 && ['llm', 'assert'].includes(name)) && name !== '__proto__');
      fc.pre(!(table[0] === 'llm' && ['provider', 'steps'].includes(name)));
      const before = values(CASE);
      const after = values(set(CASE, table, name, tomlString(value)));
      const expected = structuredClone(before) as Record<string, unknown>;
      let at = expected;
      for (const part of table) {
        at[part] ??= {};
        at = at[part] as Record<string, unknown>;
      }
      at[name] = value;
      assert.deepEqual(after, expected);
    }),
  );
});
