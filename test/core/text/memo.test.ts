import * as assert from 'node:assert/strict';
import { weakMemo } from '../../../src/core/text/memo';

describe('weakMemo', () => {
  it('creates a value on first use, and only once while it is referenced', () => {
    let made = 0;
    const itemOf = weakMemo(() => ({ number: ++made }));
    assert.equal(made, 0);
    const held = itemOf();
    assert.equal(itemOf(), held);
    assert.equal(made, 1);
  });

  it('starts with an existing value', () => {
    const known = { number: 0 };
    const itemOf = weakMemo(() => ({ number: 1 }), known);
    assert.equal(itemOf(), known);
  });
});
