import assert from 'node:assert/strict';
import { type Schema as PeerSchema, Validator } from '@cfworker/json-schema';
import * as fc from 'fast-check';
import type { Json, JsonRecord } from '../../../../src/core/json/json';
import { findSchemaMismatch } from '../../../../src/core/json/schema/findSchemaMismatch';

/** As Pydantic writes it for nested models. */
const ORDER: JsonRecord = {
  $defs: {
    Item: {
      properties: {
        sku: { pattern: '^[A-Z]{2}-\\d+$', title: 'Sku', type: 'string' },
        count: { minimum: 1, type: 'integer' },
      },
      required: ['sku'],
      title: 'Item',
      type: 'object',
    },
    Status: { enum: ['open', 'shipped'], title: 'Status', type: 'string' },
    Card: {
      properties: { kind: { const: 'card', type: 'string' }, last4: { type: 'string' } },
      required: ['kind', 'last4'],
      type: 'object',
    },
    Cash: { properties: { kind: { const: 'cash', type: 'string' } }, required: ['kind'], type: 'object' },
    Node: {
      properties: {
        next: { anyOf: [{ $ref: '#/$defs/Node' }, { type: 'null' }], default: null },
        id: { type: 'integer' },
      },
      required: ['id'],
      type: 'object',
    },
  },
  properties: {
    items: { items: { $ref: '#/$defs/Item' }, minItems: 1, type: 'array', uniqueItems: true },
    status: { $ref: '#/$defs/Status', default: 'open' },
    payment: {
      discriminator: { mapping: { card: '#/$defs/Card', cash: '#/$defs/Cash' }, propertyName: 'kind' },
      oneOf: [{ $ref: '#/$defs/Card' }, { $ref: '#/$defs/Cash' }],
    },
    chain: { $ref: '#/$defs/Node' },
    note: { anyOf: [{ type: 'string' }, { type: 'null' }], default: null },
  },
  required: ['items'],
  title: 'Order',
  type: 'object',
  additionalProperties: false,
} satisfies JsonRecord;

describe('a JSON schema', () => {
  const cases: readonly [schema: Record<string, Json>, good: Json, bad: Json][] = [
    [{ type: 'integer' }, 3, 3.5],
    [{ type: ['string', 'null'] }, null, 1],
    [{ const: { a: [1] } }, { a: [1] }, { a: [2] }],
    [{ enum: ['a', 2] }, 2, 'b'],
    [{ properties: { a: { type: 'number' } }, additionalProperties: false }, { a: 1 }, { a: 1, b: 2 }],
    [{ additionalProperties: { type: 'string' } }, { x: 'y' }, { x: 1 }],
    [{ items: { minimum: 2 }, minItems: 1, maxItems: 2 }, [2, 3], [1]],
    [{ minLength: 2, maxLength: 3, pattern: '^a' }, 'abc', 'bcd'],
    [{ exclusiveMinimum: 0, exclusiveMaximum: 1 }, 0.5, 1],
    [{ anyOf: [{ type: 'string' }, { type: 'number' }] }, 1, true],
    [{ oneOf: [{ minimum: 1 }, { minimum: 2 }] }, 1, 3],
    [{ allOf: [{ minimum: 1 }, { maximum: 2 }] }, 2, 3],
    [{ not: { type: 'string' } }, 1, 'a'],
    [{ $ref: '#/$defs/a', $defs: { a: { type: 'string' } } }, 'x', 1],
    [{ $ref: '#/definitions/a~1b%25', definitions: { 'a/b%': { minimum: 2 } } }, 2, 1],
    [{ $ref: '#part', $defs: { a: { $anchor: 'part', type: 'string' } } }, 'x', 1],
    [{ $ref: 'part.json', $defs: { a: { $id: 'part.json', type: 'string' } } }, 'x', 1],
    [
      {
        $id: 'https://a.example/x/root',
        $ref: 'part#/$defs/n',
        $defs: { p: { $id: 'part', $defs: { n: { type: 'null' } } } },
      },
      null,
      1,
    ],
    [
      {
        $schema: 'http://json-schema.org/draft-07/schema#',
        properties: { a: { $ref: '#/definitions/s', minimum: 9 } },
        definitions: { s: { type: 'number' } },
      },
      { a: 1 },
      { a: 'x' },
    ],
    [
      // biome-ignore lint/suspicious/noThenProperty: it is a keyword
      { if: { properties: { kind: { const: 'a' } } }, then: { required: ['a'] }, else: { required: ['b'] } },
      { kind: 'a', a: 1 },
      { kind: 'b' },
    ],
    [
      { uniqueItems: true },
      [1, '1', { a: 1, b: 2 }, { a: 1 }],
      [
        { a: 1, b: 2 },
        { b: 2, a: 1 },
      ],
    ],
    [{ prefixItems: [{ type: 'string' }], items: { type: 'number' } }, ['a', 1, 2], ['a', 'b']],
    [{ items: [{ type: 'string' }], additionalItems: false }, ['a'], ['a', 1]],
    [{ contains: { const: 1 }, minContains: 2, maxContains: 3 }, [1, 1], [1, 2]],
    [{ patternProperties: { '^n_': { type: 'number' } }, additionalProperties: false }, { n_a: 1 }, { x: 1 }],
    [{ propertyNames: { maxLength: 2 } }, { ab: 1 }, { abc: 1 }],
    [{ dependentRequired: { card: ['address'] } }, { card: 1, address: 2 }, { card: 1 }],
    [{ dependentSchemas: { card: { required: ['address'] } } }, { address: 2 }, { card: 1 }],
    [{ dependencies: { a: ['b'], c: { required: ['d'] } } }, { a: 1, b: 1 }, { c: 1 }],
    [{ minProperties: 1, maxProperties: 2 }, { a: 1 }, {}],
    [{ multipleOf: 0.1 }, 0.3, 0.35],
    [{ $schema: 'http://json-schema.org/draft-04/schema#', minimum: 1, exclusiveMinimum: true }, 2, 1],
    [{ allOf: [{ properties: { a: true } }], unevaluatedProperties: false }, { a: 1 }, { a: 1, b: 1 }],
    [
      { anyOf: [{ prefixItems: [true] }, { prefixItems: [true, { const: 2 }] }], unevaluatedItems: false },
      [1, 2],
      [1, 3],
    ],
    [
      { $dynamicAnchor: 'n', properties: { next: { $dynamicRef: '#n' }, id: { type: 'integer' } }, required: ['id'] },
      { id: 1, next: { id: 2 } },
      { id: 1, next: {} },
    ],
    [
      ORDER,
      { items: [{ sku: 'AB-1', count: 2 }], payment: { kind: 'cash' }, chain: { id: 1, next: { id: 2, next: null } } },
      { items: [{ sku: 'ab-1' }] },
    ],
  ];
  for (const [schema, good, bad] of cases) {
    it(`takes ${JSON.stringify(good)} and not ${JSON.stringify(bad)} for ${JSON.stringify(schema).slice(0, 80)}`, () => {
      assert.equal(findSchemaMismatch(schema, good), undefined);
      assert.equal(typeof findSchemaMismatch(schema, bad), 'string');
    });
  }

  it('leaves out what is beside a reference in draft 7 and before, its id as well', () => {
    const definitions = {
      string: { $id: 'http://example.test/base/foo.json', type: 'string' },
      number: { $id: 'http://example.test/foo.json', type: 'number' },
    };
    const schemaOf = ($schema: string) => ({
      $schema,
      $id: 'http://example.test/base.json',
      definitions,
      allOf: [{ $id: 'http://example.test/base/', $ref: 'foo.json' }],
    });
    const [old, now] = ['http://json-schema.org/draft-07/schema#', 'https://json-schema.org/draft/2020-12/schema'];
    assert.equal(findSchemaMismatch(schemaOf(old), 1), undefined);
    assert.match(findSchemaMismatch(schemaOf(old), 'a') ?? '', /number/);
    assert.equal(findSchemaMismatch(schemaOf(now), 'a'), undefined);
  });

  it('names the place and the reason', () => {
    const mismatches: readonly (readonly [Json, string])[] = [
      [{ items: [{ sku: 'AB-1', count: 0 }] }, '$.items[0].count is less than 1: 0'],
      [{ items: [{ sku: 'x' }] }, '$.items[0].sku does not match /^[A-Z]{2}-\\d+$/: "x"'],
      [{ items: [{ sku: 'AB-1' }, { sku: 'AB-1' }] }, '$.items[0] and [1] are equal: {"sku":"AB-1"}'],
      [
        { items: [{ sku: 'AB-1' }], payment: { kind: 'card' } },
        '$.payment matches 0 schemas in oneOf instead of 1: $.payment has no last4; $.payment.kind is not "cash": "card"',
      ],
      [
        { items: [{ sku: 'AB-1' }], note: 7 },
        '$.note matches none of the schemas in anyOf: $.note is not of type string: 7; $.note is not of type null: 7',
      ],
      [{ items: [{ sku: 'AB-1' }], 'not e': 1 }, '$["not e"] is not allowed'],
    ];
    for (const [value, text] of mismatches) assert.equal(findSchemaMismatch(ORDER, value), text);
  });

  it('ignores annotations, and refuses what is misspelt, broken, or elsewhere', () => {
    assert.equal(findSchemaMismatch({ 'x-order': 1, nullable: true, format: 'email', meta: {} }, 'a'), undefined);
    const refused: readonly (readonly [JsonRecord, RegExp])[] = [
      [{ requird: ['a'] }, /^the schema uses `requird`: did you mean `required`\?$/],
      [{ minLenght: 1 }, /did you mean `minLength`/],
      [{ type: 'strin' }, /^`type` of the schema cannot be "strin"/],
      [{ required: true }, /^`required` of the schema must be a list, not true$/],
      [{ minimum: '1' }, /^`minimum` of the schema must be a number/],
      [{ properties: [] }, /^`properties` of the schema must be an object/],
      [{ allOf: [1] }, /^a schema must be an object, not 1$/],
      [
        { $ref: 'https://json.example/schema.json' },
        /`https:\/\/json.example\/schema.json`, which is not part of it, and nothing is fetched$/,
      ],
      [{ $ref: 'file:///etc/passwd' }, /nothing is fetched/],
      [{ $ref: '#/$defs/none' }, /`#\/\$defs\/none`, which does not exist$/],
      [{ $ref: '#/__proto__' }, /does not exist/],
      [{ pattern: '(' }, /invalid pattern/],
      [{ pattern: '(a)\\1' }, /pattern with/],
    ];
    for (const [schema, message] of refused)
      assert.match(findSchemaMismatch(schema, 1) ?? findSchemaMismatch(schema, 'a') ?? '', message);
  });

  it('ends soon, whatever a stranger wrote', () => {
    const doubling = Object.fromEntries(
      Array.from({ length: 40 }, (_, at) => [
        `d${at}`,
        { allOf: [{ $ref: `#/$defs/d${at + 1}` }, { $ref: `#/$defs/d${at + 1}` }] },
      ]),
    );
    const deep = (levels: number): JsonRecord => (levels === 0 ? {} : { not: deep(levels - 1) });
    const hostile: readonly (readonly [JsonRecord, Json, RegExp])[] = [
      [{ $ref: '#' }, 1, /endlessly/],
      [{ $defs: { a: { $ref: '#/$defs/b' }, b: { $ref: '#/$defs/a' } }, $ref: '#/$defs/a' }, 1, /endlessly/],
      [{ $ref: '#/$defs/d0', $defs: { ...doubling, d40: true } }, 1, /takes too long/],
      [deep(450), 1, /too deep/],
      [{ pattern: '^(a+)+$' }, `${'a'.repeat(50_000)}b`, /does not match/],
      [
        { items: { pattern: '^(a|a)*$' } },
        Array.from({ length: 2000 }, () => `${'a'.repeat(3000)}b`),
        /does not match|too long/,
      ],
      [{ uniqueItems: true }, [...Array.from({ length: 50_000 }, (_, at) => at), 7], /are equal/],
    ];
    const started = process.cpuUsage();
    for (const [schema, value, message] of hostile) assert.match(findSchemaMismatch(schema, value) ?? '', message);
    assert.ok(process.cpuUsage(started).user < 30_000_000);
  });

  it('decides as another validator does', () => {
    const leaf = fc.oneof(
      fc.constantFrom<Json>(null, true, false, 0, 1, 2, 3.5, -1, '', 'a', 'ab', 'abc', 'b1'),
      fc.integer({ min: -3, max: 6 }),
    );
    const value = fc.letrec<{ value: Json }>((tie) => ({
      value: fc.oneof(
        { maxDepth: 3, depthIdentifier: 'value' },
        leaf,
        fc.array(tie('value'), { maxLength: 4 }),
        fc.dictionary(fc.constantFrom('a', 'b', 'c', 'n_1'), tie('value'), { maxKeys: 4 }) as fc.Arbitrary<Json>,
      ),
    })).value;
    const few = fc.integer({ min: 0, max: 3 });
    const schema = fc.letrec<{ schema: Json }>((tie) => {
      const keywords = {
        type: fc.constantFrom('string', 'number', 'integer', 'object', 'array', 'null', 'boolean'),
        enum: fc.array(leaf, { minLength: 1, maxLength: 4 }),
        const: leaf,
        minimum: few,
        maximum: few,
        exclusiveMinimum: few,
        multipleOf: fc.constantFrom(1, 2, 0.5),
        minLength: few,
        maxLength: few,
        pattern: fc.constantFrom('^a', 'b$', '\\d', '^(a|b)+$'),
        minItems: few,
        maxItems: few,
        uniqueItems: fc.boolean(),
        required: fc.uniqueArray(fc.constantFrom('a', 'b', 'c'), { maxLength: 2 }),
        minProperties: few,
        maxProperties: few,
        properties: fc.dictionary(fc.constantFrom('a', 'b', 'c'), tie('schema'), { maxKeys: 3 }),
        patternProperties: fc.dictionary(fc.constantFrom('^n_', '[ab]'), tie('schema'), { maxKeys: 1 }),
        additionalProperties: tie('schema'),
        propertyNames: tie('schema'),
        dependentRequired: fc.constant({ a: ['b'] }),
        dependentSchemas: fc.dictionary(fc.constantFrom('a', 'b'), tie('schema'), { maxKeys: 1 }),
        prefixItems: fc.array(tie('schema'), { minLength: 1, maxLength: 2 }),
        items: tie('schema'),
        contains: tie('schema'),
        allOf: fc.array(tie('schema'), { minLength: 1, maxLength: 2 }),
        anyOf: fc.array(tie('schema'), { minLength: 1, maxLength: 3 }),
        oneOf: fc.array(tie('schema'), { minLength: 1, maxLength: 3 }),
        not: tie('schema'),
        if: tie('schema'),
        // biome-ignore lint/suspicious/noThenProperty: it is a keyword
        then: tie('schema'),
        else: tie('schema'),
        $ref: fc.constantFrom('#/$defs/x', '#/$defs/y'),
      };
      const some = fc
        .uniqueArray(fc.constantFrom(...Object.keys(keywords)), { minLength: 1, maxLength: 3 })
        .chain((names) =>
          fc.record(
            Object.fromEntries(
              names.map((name) => [
                name,
                (keywords as Record<string, fc.Arbitrary<unknown>>)[name] as fc.Arbitrary<unknown>,
              ]),
            ),
          ),
        );
      return { schema: fc.oneof({ maxDepth: 3, depthIdentifier: 'schema' }, fc.boolean(), some as fc.Arbitrary<Json>) };
    }).schema;
    const root = fc.record({ body: schema, x: schema, y: schema });
    let decided = 0;
    fc.assert(
      fc.property(root, value, ({ body, x, y }, instance) => {
        const whole: JsonRecord = { allOf: [body], $defs: { x, y } };
        const mismatch = findSchemaMismatch(whole, instance);
        if (mismatch?.includes('endlessly')) return;
        const peer = new Validator(structuredClone(whole) as PeerSchema, '2020-12', false);
        assert.equal(mismatch === undefined, peer.validate(instance).valid, `${mismatch}`);
        decided += 1;
      }),
      { numRuns: 3000 },
    );
    assert.ok(decided > 2000, `${decided}`);
  });
});
