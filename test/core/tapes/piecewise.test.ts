import assert from 'node:assert/strict';
import { piecewiseFormat } from '../../../src/core/tapes/piecewise';
import { formats } from '../../../src/core/tapes/registry';

describe('A format that is read in pieces', () => {
  it('is known as far as finding requests needs it, without being loaded', async () => {
    const found = await Promise.all(
      formats.map(async (format) => {
        const piecewise = await piecewiseFormat(format.id);
        if (piecewise === undefined) return [];
        const { id, storedFields, requestKey, digestRequest, servesInOrder } = format;
        const whole = { id, storedFields, requestKey, digestRequest, servesInOrder };
        assert.deepEqual({ ...whole, ...piecewise.format }, whole);
        for (const name of Object.keys(whole)) if (!(name in piecewise.format)) assert.ok(!(name in format), name);
        return [id];
      }),
    );
    assert.deepEqual(found.flat(), ['tapedeck']);
  });
});
