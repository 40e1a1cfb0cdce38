import assert from 'node:assert/strict';
import fc from 'fast-check';
import { stringify } from 'smol-toml';
import { isRecord, type Json, type JsonRecord } from '../../../src/core/json/json';
import { findSchemaMismatch } from '../../../src/core/json/schema/findSchemaMismatch';
import { CONFIG } from '../../../src/core/project/configSchema';
import { readConfig } from '../../../src/core/project/readConfig';
import { jsonSchemaOf } from '../../../src/core/schema/describe';
import { isTable, type Schema } from '../../../src/core/schema/schema';

/** Texts that mean something, by the key that they are for; the schema only says that they are texts. */
const MEANINGFUL: Readonly<Record<string, readonly string[]>> = {
  base_url: ['https://models.example/v1', 'http://127.0.0.1:1/'],
  mask: ['uuid', 'date', '/messages/0/content'],
  patterns: ['a+', 'build-[0-9]+'],
  pattern: ['b'],
};

/** Values that a schema allows, and, with `mayBeWrong`, some that it does not. */
function anyValue(schema: Schema, key: string, mayBeWrong: boolean): fc.Arbitrary<Json> {
  const right = rightValue(schema, key, mayBeWrong);
  return mayBeWrong ? fc.oneof({ weight: 12, arbitrary: right }, { weight: 1, arbitrary: ANYTHING }) : right;
}

const ANYTHING: fc.Arbitrary<Json> = fc.constantFrom<Json>(
  'text',
  3,
  -1,
  0.5,
  true,
  [],
  ['text'],
  [3],
  {},
  { input: 1 },
);

function rightValue(schema: Schema, key: string, mayBeWrong: boolean): fc.Arbitrary<Json> {
  const { type, items, minimum = 0 } = schema;
  if (type === 'array' && items !== undefined) return fc.array(anyValue(items, key, mayBeWrong), { maxLength: 3 });
  if (isTable(schema)) return tableOf(schema, mayBeWrong);
  if (type === 'boolean') return fc.boolean();
  if (type === 'integer') return fc.integer({ min: minimum, max: 100_000 });
  if (type === 'number') return fc.constantFrom(0, 0.5, 2);
  return fc.constantFrom(...(schema.enum ?? MEANINGFUL[key] ?? ['text']));
}

function tableOf({ properties, additionalProperties, required = [] }: Schema, mayBeWrong: boolean) {
  if (properties === undefined)
    return fc.dictionary(
      fc.constantFrom('openai', 'a.b', 'c d'),
      anyValue(additionalProperties ?? NEVER, '', mayBeWrong),
      {
        maxKeys: 2,
      },
    );
  const members = Object.entries(properties).map(([key, member]) => [key, anyValue(member, key, mayBeWrong)] as const);
  const requiredKeys = mayBeWrong ? [] : [...required];
  return fc.record(Object.fromEntries(members), { requiredKeys, noNullPrototype: true });
}

const NEVER: Schema = { description: '' };

/** What the schema cannot say: this kind of provider has an address. */
function withAddress(config: Json): JsonRecord {
  if (!isRecord(config) || !isRecord(config.provider)) return isRecord(config) ? config : {};
  const { provider } = config;
  const needsOne = provider.kind === 'open_ai_compatible' && provider.base_url === undefined;
  return needsOne ? { ...config, provider: { ...provider, base_url: 'https://models.example/v1' } } : config;
}

function errorsOf(config: JsonRecord): readonly string[] {
  const { problems } = readConfig(stringify(config));
  return problems.filter(({ severity }) => severity === 'error').map(({ message }) => message);
}

/** Texts of which only the reader knows what they mean. */
function isMeaningless(message: string): boolean {
  return /^(?:unknown mask|`base_url` is not)/.test(message);
}

describe('the schema of tapedeck.toml', () => {
  it('allows only what the reader reads', () => {
    fc.assert(
      fc.property(tableOf(CONFIG, false), (generated) => {
        const config = withAddress(generated as Json);
        assert.equal(findSchemaMismatch(jsonSchemaOf(CONFIG) as JsonRecord, config), undefined);
        const { value, problems } = readConfig(stringify(config));
        assert.deepEqual(problems, []);
        assert.ok(value);
      }),
    );
  });

  it('refuses exactly what the reader refuses', () => {
    fc.assert(
      fc.property(tableOf(CONFIG, true), (generated) => {
        const config = withAddress(generated as Json);
        const mismatch = findSchemaMismatch(jsonSchemaOf(CONFIG) as JsonRecord, config);
        const errors = errorsOf(config).filter((message) => !isMeaningless(message));
        assert.equal(
          mismatch !== undefined,
          errors.length > 0,
          `${stringify(config)}\n${mismatch}\n${errors.join('\n')}`,
        );
      }),
      { numRuns: 500 },
    );
  });
});
