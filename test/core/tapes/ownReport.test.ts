import assert from 'node:assert/strict';
import { isOwnReport } from '../../../src/core/tapes/ownReport';

describe('a report of our own', () => {
  it('is told by its first member, and no tape is taken for one', () => {
    assert.ok(isOwnReport('{\n  "ok": false,\n  "summary": {}\n}'));
    assert.ok(isOwnReport('{"ok":true}'));
    assert.ok(!isOwnReport('{"interactions": [], "ok": true}'));
    assert.ok(!isOwnReport('{"ok": "yes"}'));
    assert.ok(!isOwnReport('[{"ok": true}]'));
  });
});
