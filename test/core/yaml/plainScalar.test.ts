import assert from 'node:assert/strict';
import { pyyamlType, resolvePlain } from '../../../src/core/yaml/plainScalar';

/** The results of `yaml.safe_load` in PyYAML 6. */
describe('the type of an unquoted scalar in PyYAML', () => {
  const types = {
    null: ['', '~', 'null', 'Null', 'NULL'],
    boolean: ['yes', 'No', 'TRUE', 'off', 'On'],
    integer: ['0', '-1', '+1', '1_000', '0b11', '017', '0x1F', '12:30', '190:20:30'],
    float: ['1.5', '1.', '.5', '-1.5e+3', '1_0.0', '.inf', '-.INF', '.NaN', '1:30.5'],
    date: ['2026-02-15', '2026-02-15T10:00:00Z', '2026-2-5 1:00:00', '2001-12-14t21:59:43.10-05:00'],
    string: ['1e5', '1e-5', '1.5e3', '08', '0o17', 'y', 'n', 'nULL', '2026-2-15', '12:99', '-.nan', '0x', '1-2', 'a'],
  } as const;
  for (const [type, scalars] of Object.entries(types))
    for (const scalar of scalars) it(`${type}: ${scalar}`, () => assert.equal(pyyamlType(scalar), type));
});

describe('the value of an unquoted scalar', () => {
  it('is a number wherever a writer means one, and a string where Psych leaves one unquoted', () => {
    const typeOf = (text: string) => resolvePlain(text).type;
    assert.deepEqual(['1.5', '1_0.5', '.5', '1e5', '1.0e+21'].map(typeOf), Array(5).fill('number'));
    assert.deepEqual(['1.01_000', '.5_0', '-.5', '1.2.3'].map(typeOf), Array(4).fill('string'));
  });
});
