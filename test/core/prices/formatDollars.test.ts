import assert from 'node:assert/strict';
import { formatDollars, formatExactDollars } from '../../../src/core/prices/formatDollars';

describe('an amount of money', () => {
  it('is told as people read it', () => {
    const shown = [0, 0.00000072, 0.0000072, 0.0001, 0.000621, 0.00231, 0.0129, 0.42, 0.5, 1, 12.345, 1204.5];
    assert.deepEqual(shown.map(formatDollars), [
      '$0',
      '<$0.0001',
      '<$0.0001',
      '$0.0001',
      '$0.0006',
      '$0.0023',
      '$0.013',
      '$0.42',
      '$0.50',
      '$1.00',
      '$12.35',
      '$1,204.50',
    ]);
  });

  it('is told to the digit where that is asked for, without an exponent or trailing zeros', () => {
    assert.deepEqual([0.0000072, 0.00000072, 0.000621, 0.5].map(formatExactDollars), [
      '$0.0000072',
      '$0.00000072',
      '$0.000621',
      '$0.50',
    ]);
  });
});
