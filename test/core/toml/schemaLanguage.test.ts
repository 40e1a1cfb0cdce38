import assert from 'node:assert/strict';
import { CASE } from '../../../src/core/cases/toml/caseSchema';
import type { Json } from '../../../src/core/json/json';
import { CONFIG } from '../../../src/core/project/configSchema';
import { isOfType } from '../../../src/core/schema/accepts';
import { defaultOf } from '../../../src/core/schema/describe';
import { isTable, namesOf, type Path, propertiesOf, type Schema, schemaAt } from '../../../src/core/schema/schema';
import { dslDocument } from '../../../src/core/testDsl/dslDocument';
import { readSerdeToml } from '../../../src/core/testDsl/serdeToml';
import type { Problem } from '../../../src/core/text/source';
import { readToml } from '../../../src/core/toml/readToml';
import { completeToml, type Offers, type TomlCompletion } from '../../../src/core/toml/schemaLanguage';
import { readDocument } from '../../../src/core/toml/tomlPlace';
import { filledIn } from '../../harness/snippets';

const NONE: Offers = { values: () => [], keys: () => [] };
const FILES = [
  { file: 'a case', schema: CASE, head: 'name = "a"\n' },
  { file: 'tapedeck.toml', schema: CONFIG, head: '' },
];

const completions = (schema: Schema, text: string): readonly TomlCompletion[] =>
  completeToml(schema, text, text.length, NONE);

/** What the completion of each table writes below `head`; of one in a list, below a table of that list. */
function tablesOf(schema: Schema, head: string): ReadonlyMap<string, string> {
  const lists = Object.entries(propertiesOf(schema)).filter(([, member]) => member.items && isTable(member));
  const aboves = [...lists.map(([key]) => `${head}${tableAt(schema, `${head}[`, `[[${key}]]`)}`), head];
  return new Map(
    aboves.flatMap((above) =>
      completions(schema, `${above}[`).map(
        ({ label }) => [label, `${above}${tableAt(schema, `${above}[`, label)}`] as const,
      ),
    ),
  );
}

/** What the completion of a table writes, as it comes. */
function tableAt(schema: Schema, text: string, label: string): string {
  return filledIn(completions(schema, text).find((one) => one.label === label)?.insert ?? '');
}

/** What is wrong with a file in the eyes of its reader, as far as a type or a bound is concerned. */
function problemsOf(schema: Schema, text: string): readonly string[] {
  const { value, problems } = readToml(text);
  const found: Problem[] = [...problems];
  if (value !== undefined) readDocument(schema, value, found);
  return found.map(({ message }) => message).filter((message) => /missing field|must be a |must be true/.test(message));
}

for (const { file, schema, head } of FILES)
  describe(`completing a table of ${file}`, () => {
    for (const [label, text] of tablesOf(schema, head))
      it(`${label} has what it must have, as it comes`, () => {
        assert.deepEqual(problemsOf(schema, text), []);
        const names = label.replace(/[[\]]/g, '').split('.');
        for (const { label: key, kind, insert } of completions(schema, text)) {
          if (kind !== 'key') continue;
          const { value } = readToml(`${text}${filledIn(insert)}\n`);
          const [member, written] = [schemaAt(schema, [...names, key]), lastAt(value?.root, [...names, key])];
          assert.ok(member !== undefined && isOfType(member, written), `${key} = ${JSON.stringify(written)}`);
          if (typeof written === 'boolean') assert.notEqual(written, defaultOf(member).default ?? false, key);
        }
      });
  });

/** The value at `path`, of the last table of each list. */
function lastAt(root: Json | undefined, path: Path): Json | undefined {
  return namesOf(path).reduce<Json | undefined>((at, key) => {
    const table = Array.isArray(at) ? at.at(-1) : at;
    return (table as Readonly<Record<string, Json>> | undefined)?.[key];
  }, root);
}

describe('completing a table of a case that MoFA runs', () => {
  for (const [label, text] of tablesOf(CASE, 'name = "a"\n'))
    it(`${label} has what MoFA needs`, () => {
      assert.equal(readSerdeToml(text, dslDocument).name, 'a');
    });

  it('has a schema in a tool, as a table', () => {
    assert.equal(
      tableAt(CASE, 'name = "a"\n[', '[[tools]]'),
      '[[tools]]\nname = ""\ndescription = ""\nschema = {  }\n',
    );
    for (const [table, key] of [
      ['[[tools]]', 'schema'],
      ['[[llm.steps]]', 'arguments'],
    ] as const) {
      const text = `name = "a"\n${table}\n`;
      assert.equal(completions(CASE, text).find(({ label }) => label === key)?.insert, `${key} = { $1 }`);
    }
  });
});
