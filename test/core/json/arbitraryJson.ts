import fc from 'fast-check';

/** Texts of valid JSON in every spelling the grammar allows: white space, escapes, number lexemes, repeated keys. */
const space = fc.stringMatching(/^[ \t\r\n]{0,3}$/);
const numberText = fc.stringMatching(/^-?(0|[1-9][0-9]{0,24})(\.[0-9]{1,20})?([eE][+-]?[0-9]{1,3})?$/);
const character = fc.oneof(
  fc.stringMatching(/^[ !#-[\]-~]$/),
  fc.constantFrom(
    'é',
    '\u2028',
    '\u{1F600}',
    '\ud83d',
    '\\n',
    '\\"',
    '\\\\',
    '\\/',
    '\\u0000',
    '\\uD83D\\uDE00',
    '\\ud800',
  ),
);
const stringText = fc.array(character, { maxLength: 8 }).map((parts) => `"${parts.join('')}"`);
const keyText = fc.oneof(fc.constantFrom('"a"', '"b"', '"__proto__"', '"constructor"', '""'), stringText);
const scalarText = fc.oneof(fc.constantFrom('null', 'true', 'false'), numberText, stringText);

export const jsonText: fc.Arbitrary<string> = fc
  .letrec<{ value: string; list: string; record: string }>((tie) => ({
    value: fc.oneof({ maxDepth: 4, depthIdentifier: 'json' }, scalarText, tie('list'), tie('record')),
    list: fc
      .array(fc.tuple(space, tie('value'), space), { maxLength: 4, depthIdentifier: 'json' })
      .map((items) => `[${items.map((parts) => parts.join('')).join(',') || ' '}]`),
    record: fc
      .array(fc.tuple(space, keyText, space, fc.constant(':'), space, tie('value'), space), {
        maxLength: 4,
        depthIdentifier: 'json',
      })
      .map((members) => `{${members.map((parts) => parts.join('')).join(',')}}`),
  }))
  .value.chain((value) => fc.tuple(space, space).map(([before, after]) => before + value + after));
