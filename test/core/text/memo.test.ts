import * as assert from 'node:assert/strict';
import { weakMemo } from '../../../src/core/text/memo';

describe('whileUsed', () => {
  it('makes nothing before it is asked, and nothing twice while somebody holds it', () => {
    let made = 0;
    const itemOf = weakMemo(() => ({ number: ++made }));
    assert.equal(made, 0);
    const held = itemOf();
    assert.equal(itemOf(), held);
    assert.equal(made, 1);
  });

  it('begins with a value that is known already', () => {
    const known = { number: 0 };
    const itemOf = weakMemo(() => ({ number: 1 }), known);
    assert.equal(itemOf(), known);
  });
});
