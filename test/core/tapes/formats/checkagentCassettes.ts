import fc from 'fast-check';

/**
 * Texts of CheckAgent cassettes as people and programs may write them: values of any type in any field, numbers in all
 * spellings, fields that are missing, unknown or repeated. About half of them CheckAgent refuses.
 */

const space = fc.constantFrom('', ' ', '\n  ');
const text = fc.oneof(
  { weight: 200, arbitrary: fc.string({ unit: 'grapheme', maxLength: 12 }).map((value) => JSON.stringify(value)) },
  { weight: 1, arbitrary: fc.constant('"\\ud800"') },
);
const escaped = fc
  .string({ unit: 'grapheme', maxLength: 6 })
  .map((value) => JSON.stringify(value).replace(/[^ -~]/g, (char) => `\\u${hex(char)}`));
const number = fc.oneof(
  fc.constantFrom('0', '-0', '-0.0', '1', '1.0', '12', '10.50', '1e3', '1E+2', '1e-7', '5e-324', '1e22', '1e16'),
  fc.constantFrom('0.1', '123456789012345680.0', '12345678901234567890', '-9007199254740993', '1e400', '2.5'),
  fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => JSON.stringify(value)),
  fc.bigInt().map(String),
);
const literal = fc.constantFrom('true', 'false', 'null');

const { value } = fc.letrec<{ value: string }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    text,
    escaped,
    number,
    literal,
    fc.array(tie('value'), { maxLength: 3 }).map((items) => `[${items.join(', ')}]`),
    objectOf(tie('value')),
  ),
}));

function objectOf(member: fc.Arbitrary<string>): fc.Arbitrary<string> {
  const key = fc.oneof(text, fc.constantFrom('"a"', '"A"', '"_"', '"10"', '"9"', '"😀"', '"\\uffff"', '"é"'));
  return fc
    .array(fc.tuple(key, space, member), { maxLength: 4 })
    .map((members) => `{${members.map(([name, gap, item]) => `${name}:${gap}${item}`).join(',')}}`);
}

const whole = fc.constantFrom(
  '0',
  '1',
  '2',
  '3.0',
  '"4"',
  '" 5 "',
  '"1_0"',
  '"6.0"',
  'true',
  '1e2',
  '12345678901234567890',
);
const notWhole = fc.constantFrom('1.5', '"x"', '"1e3"', '[]', '{}', '""', '1e22', '"0x1"', 'null', '1e400');
const float = fc.oneof(number, fc.constantFrom('"1.5"', '"1_0"', '".5"', '"1."', 'true', '"1e3"', '" 2 "'));
const notFloat = fc.constantFrom('"x"', '[]', '{}', '""', '"_1"', '"1__0"');
const object = objectOf(value);

/** Mostly of the right type. */
const mostly = (right: fc.Arbitrary<string>, wrong: fc.Arbitrary<string>): fc.Arbitrary<string> =>
  fc.oneof({ weight: 60, arbitrary: right }, { weight: 1, arbitrary: wrong });
const orNull = (right: fc.Arbitrary<string>): fc.Arbitrary<string> => fc.oneof(right, fc.constant('null'));
const notText = fc.constantFrom('1', 'null', '[]', '{}', 'true');

/** An object with some of these members, in any order, and perhaps one that nobody knows. */
function record(
  members: Readonly<Record<string, fc.Arbitrary<string>>>,
  required: readonly string[] = [],
): fc.Arbitrary<string> {
  return fc.record(members, { requiredKeys: [] }).chain((chosen) => {
    const needed = required.filter((key) => !(key in chosen)).map((key) => members[key]?.map((item) => [key, item]));
    const added = fc.tuple(...needed.flatMap((one) => one ?? []));
    return fc.tuple(added, fc.boolean(), value).map(([more, unknown, item]) => {
      const all = [...Object.entries(chosen), ...more, ...(unknown ? [['unknown', item]] : [])];
      return `{${all.map(([key, one]) => `"${key}": ${one}`).join(', ')}}`;
    });
  });
}

const request = record(
  {
    kind: mostly(fc.constantFrom('"llm"', '"tool"', '"other"'), notText),
    method: mostly(fc.oneof(text, fc.constant('"chat.completions.create"')), notText),
    model: mostly(orNull(text), fc.constant('1')),
    body: mostly(object, fc.constantFrom('[]', '"x"', 'null')),
  },
  ['kind'],
);
const response = record({
  status: mostly(fc.constantFrom('"ok"', '"error"'), notText),
  body: value,
  prompt_tokens: mostly(orNull(whole), notWhole),
  completion_tokens: mostly(orNull(whole), notWhole),
  duration_ms: mostly(orNull(float), notFloat),
});
const interaction = record(
  {
    id: mostly(fc.constantFrom('""', '"mine"', '"0123456789abcdef"'), notText),
    sequence: mostly(whole, notWhole),
    request: mostly(request, notText),
    response: mostly(response, notText),
    metadata: mostly(object, fc.constantFrom('null', '[]')),
  },
  ['request', 'response'],
);
const meta = record({
  checkagent_version: mostly(text, notText),
  recorded_at: mostly(text, notText),
  content_hash: mostly(fc.constantFrom('""', '"0000"'), notText),
  test_id: mostly(fc.constantFrom('"tests/a.py::test one[x]"', '""'), notText),
});

export const cassetteText: fc.Arbitrary<string> = record(
  {
    meta,
    interactions: mostly(
      fc.array(interaction, { maxLength: 3 }).map((items) => `[${items.join(', ')}]`),
      notText,
    ),
  },
  ['meta', 'interactions'],
);

function hex(char: string): string {
  return char.charCodeAt(0).toString(16).padStart(4, '0');
}
