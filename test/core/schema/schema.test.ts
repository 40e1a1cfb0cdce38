import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { Json, JsonRecord } from '../../../src/core/json/json';
import { findSchemaMismatch } from '../../../src/core/json/schema/findSchemaMismatch';
import { acceptedMembers, accepts } from '../../../src/core/schema/accepts';
import { jsonSchemaOf } from '../../../src/core/schema/describe';
import { parseDocument } from '../../../src/core/schema/parseDocument';
import { type Place, readValue } from '../../../src/core/schema/readValue';
import {
  amount,
  constant,
  count,
  either,
  flag,
  list,
  named,
  needed,
  nullable,
  number,
  optional,
  type Refusal,
  type Schema,
  shape,
  table,
  text,
  tuple,
  type Value,
  where,
} from '../../../src/core/schema/schema';

/** A place that notes what is reported, with its path. */
function placeOf(reported: string[], path: readonly (string | number)[] = []): Place {
  return {
    key: String(path.filter((part) => typeof part === 'string').at(-1) ?? ''),
    at: (...below) => placeOf(reported, [...path, ...below]),
    report: ({ message, at = [] }: Refusal) => void reported.push(`${[...path, ...at].join('.')}: ${message}`),
  };
}

function read<T>(schema: Schema<T>, value: Json): { readonly value: T; readonly reported: readonly string[] } {
  const reported: string[] = [];
  return { value: readValue(schema, value, placeOf(reported)), reported };
}

const PERSON = table('A person.', {
  name: needed(text('The name.')),
  age: count('The age.', 0, { default: 18 }),
  role: text('The role.', { enum: ['cook', 'guest'], refusal: 'unknown role: {0}' }),
  tags: list(text('A tag.', { check: (tag) => (tag === '' ? { message: 'an empty tag', fix: '' } : undefined) })),
});

/** Schemas of every kind, nested. */
const anySchema: fc.Arbitrary<Schema> = fc.letrec<{ schema: Schema }>((tie) => ({
  schema: fc.oneof(
    { maxDepth: 3 },
    fc.constantFrom<Schema>(text(), flag(), count('', 1), amount(), text('', { enum: ['a', 'b'] })),
    fc.constantFrom<Schema>(number(), constant(1), constant('a'), constant(true)),
    tie('schema').map((items) => list(items)),
    fc.array(tie('schema'), { maxLength: 3 }).map((items) => tuple(...items)),
    fc.constantFrom<Schema>(
      either(text(), list(text())),
      nullable(count('', 1)),
      where(text('unsaid'), (word) => word !== 'a'),
    ),
    tie('schema').map((members) => named('', members)),
    fc.dictionary(fc.constantFrom('a', 'b', 'c'), tie('schema').map(optional), { minKeys: 1 }).map((one) => shape(one)),
    fc
      .dictionary(fc.constantFrom('a', 'b', 'c'), tie('schema').map(needed), { minKeys: 1 })
      .map((one) => table('', one)),
  ),
})).schema;

const anyValue = fc.letrec<{ value: Json }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    fc.constantFrom<Json>('a', 'c', '', 0, 1, -1, 0.5, true, null),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom('a', 'b', 'c', 'd'), tie('value'), { maxKeys: 3, noNullPrototype: true }),
  ),
})).value as fc.Arbitrary<Json>;

describe('a schema', () => {
  it('gives the type of what it reads', () => {
    const { value, reported } = read(PERSON, { name: 'Ann', tags: ['x'] });
    const person: Value<typeof PERSON> = value;
    const age: number = person.age;
    assert.deepEqual([reported, person, age], [[], { name: 'Ann', age: 18, tags: ['x'] }, 18]);
  });

  it('reports what is wrong at its place, each thing once', () => {
    assert.deepEqual(read(PERSON, { age: -1, role: 'king', tags: ['', 3] }).reported, [
      ': missing field `name`',
      'age: `age` must be a whole number of at least 0',
      'role: unknown role: king',
      'tags: `tags` must be a list of strings',
    ]);
    assert.deepEqual(read(PERSON, { name: 'Ann', tags: ['x', ''] }).reported, ['tags.1: an empty tag']);
  });

  it('asks a check only for what is right in itself', () => {
    let asked = 0;
    const check = (): undefined => {
      asked += 1;
    };
    const counted = table('', { a: count() }, { check });
    read(counted, { a: 'x' });
    read(counted, { a: 1 });
    assert.equal(asked, 1);
  });

  it('reads what its guard accepts, and what its JSON schema allows, and nothing else', () => {
    fc.assert(
      fc.property(anySchema, anyValue, (schema, value) => {
        const isRight = read(schema, value).reported.length === 0;
        assert.equal(accepts(schema, value), isRight);
        // JSON schema does not say what a check says.
        if (!JSON.stringify(schema).includes('unsaid'))
          assert.equal(findSchemaMismatch(jsonSchemaOf(schema) as JsonRecord, value) === undefined, isRight);
      }),
      { numRuns: 2000 },
    );
  });

  it('reads again what it has read', () => {
    fc.assert(
      fc.property(anySchema, anyValue, (schema, value) => {
        const { value: known, reported } = read(schema, value);
        if (reported.length === 0) assert.deepEqual(read(schema, known as Json), { value: known, reported: [] });
      }),
    );
  });

  it('says of a list how many values it has, and of what can be one value only which', () => {
    assert.deepEqual(read(table('', { at: tuple(text(), count()) }), { at: ['a'] }).reported, [
      'at: `at` must be a list with 2 values',
    ]);
    assert.deepEqual(read(table('', { version: constant(1) }), { version: 2 }).reported, [
      'version: `version` must be 1',
    ]);
  });
});

describe('a document', () => {
  const NOTE = shape({ version: constant(1), at: tuple(text(), count()), tag: optional(text()) });

  it('is read where it is what its schema asks for, and as a whole', () => {
    const whole = { version: 1, at: ['a', 2], later: true };
    const note: Value<typeof NOTE> | undefined = parseDocument(NOTE, JSON.stringify(whole));
    const at: readonly [string, number] | undefined = note?.at;
    assert.deepEqual([note, at], [whole, ['a', 2]]);
  });

  it('is none of another version, of a wrong member, cut off, or of something else', () => {
    const texts = [
      '{"version":2,"at":["a",2]}',
      '{"version":1,"at":["a",2,3]}',
      '{"version":1,"at":["a"]}',
      '{"version":1,"at":["a","2"]}',
      '{"version":1,"at":["a",2],"tag":3}',
      '{"version":1,"at":["a",2]',
      '["version"]',
      'null',
      '',
      '['.repeat(100_000),
    ];
    for (const text of texts) assert.equal(parseDocument(NOTE, text), undefined, text.slice(0, 40));
  });

  it('takes no member from what all objects have', () => {
    assert.equal(parseDocument(shape({ constructor: named('', text()) }), '{}'), undefined);
  });

  it('may have members that are left out', () => {
    const members = JSON.parse('{"a":"x","b":3,"__proto__":"y"}') as JsonRecord;
    assert.deepEqual(Object.entries(acceptedMembers(text(), members)), [
      ['a', 'x'],
      ['__proto__', 'y'],
    ]);
  });
});
