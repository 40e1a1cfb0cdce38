import assert from 'node:assert/strict';
import { rustFloat } from '../../../src/core/testDsl/rustFloat';

/** As MoFA's test-dsl printed them. */
const PRINTED: readonly (readonly [number, string])[] = [
  [1, '1.0'],
  [0, '0.0'],
  [-0, '-0.0'],
  [-2.5, '-2.5'],
  [1000, '1000.0'],
  [123456789.12345679, '123456789.12345679'],
  [1e15, '1000000000000000.0'],
  [1e16, '1e+16'],
  [1e21, '1e+21'],
  [1.5e300, '1.5e+300'],
  [0.00001, '0.00001'],
  [0.000001, '1e-6'],
  [1e-7, '1e-7'],
  [5e-324, '5e-324'],
];

describe('rustFloat', () => {
  for (const [value, text] of PRINTED)
    it(`writes ${text}`, () => {
      assert.equal(rustFloat(value), text);
      assert.ok(Object.is(Number(text), value));
    });
});
