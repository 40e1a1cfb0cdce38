import assert from 'node:assert/strict';
import { readCase } from '../../../src/core/cases/toml/readCase';
import { formatMask } from '../../../src/core/match/masks';
import { addMasks } from '../../../src/core/project/addMasks';
import { applySplices } from '../../../src/core/text/splice';

const CASE = 'name = "a"\nprompt = "p"\n\n[llm]\ntape = "t.json" # the tape\n\n[assert]\ncontains = "x"\n';

function masked(text: string, ...masks: string[]): string {
  const splice = addMasks(text, masks);
  return splice === undefined ? text : applySplices(text, [splice]);
}

describe('adding masks to a case', () => {
  it('writes a table of its own where there is none, and adds to the list where there is one', () => {
    const once = masked(CASE, 'date');
    assert.ok(once.startsWith(CASE.trimEnd()), 'all else stays');
    const twice = masked(once, 'date', '/metadata/user');
    assert.match(twice, /\[llm\.replay\]\nmask = \["date", "\/metadata\/user"\]/);
    assert.deepEqual(readCase(twice).value?.llm.replay?.masks.map(formatMask), ['date', '/metadata/user']);
  });

  it('keeps what the case says of the replay otherwise', () => {
    const text = masked(`${CASE}\n[llm.replay]\nmatch = "exact" # all of it\n`, 'uuid');
    assert.match(text, /match = "exact" # all of it\nmask = \["uuid"\]/);
  });

  it('does nothing where they are declared already, or the case is not in order', () => {
    assert.equal(addMasks(masked(CASE, 'date'), ['date']), undefined);
    assert.equal(addMasks('name = ', ['date']), undefined);
  });
});
