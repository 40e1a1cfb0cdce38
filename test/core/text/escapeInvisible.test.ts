import assert from 'node:assert/strict';
import { escapeInvisible, escapeInvisibleDeep } from '../../../src/core/text/escapeInvisible';

describe('escapeInvisible', () => {
  it('escapes characters that are invisible or change the writing direction', () => {
    assert.equal(
      escapeInvisible('a\u202Eb\u0007c\u200Bd\u{E0041}e\uFEFF'),
      'a\\u202eb\\u0007c\\u200bd\\u{e0041}e\\ufeff',
    );
    assert.equal(escapeInvisible('line\r\nnext\ttab'), 'line\nnext\ttab');
    assert.equal(escapeInvisible('👩‍🚀 می‌خواهم é'), '👩‍🚀 می‌خواهم é');
  });

  it('escapes texts in plain data, and keeps unchanged values', () => {
    const data = { list: [{ text: 'a\u202E' }, { text: 'b' }], media: { base64: '\u202E' }, count: 1 };
    const made = escapeInvisibleDeep(data);
    assert.deepEqual(made, { list: [{ text: 'a\\u202e' }, { text: 'b' }], media: { base64: '\u202E' }, count: 1 });
    assert.equal(made.list[1], data.list[1]);
    assert.equal(escapeInvisibleDeep(made), made);
  });
});
