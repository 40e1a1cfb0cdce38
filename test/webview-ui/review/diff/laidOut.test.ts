import assert from 'node:assert/strict';
import type { Change } from '../../../../src/core/model/change';
import { laidOut } from '../../../../webview-ui/review/diff/laidOut';
import { PLAIN } from '../reviewFixtures';

function change(before: string, after: string): Change {
  return { ...PLAIN, id: 'a', title: 'Text of message 4', before, after, language: 'plaintext' };
}

describe('the texts of a change', () => {
  it('are laid out where they are JSON, as the result of a tool', () => {
    const { before, after, language } = laidOut(change('{"order":17,"state":"sent"}', '{"order":17,"state":"lost"}'));
    assert.equal(before, '{\n  "order": 17,\n  "state": "sent"\n}');
    assert.equal(after, '{\n  "order": 17,\n  "state": "lost"\n}');
    assert.equal(language, 'json');
    assert.equal(laidOut(change('', '[1]')).after, '[\n  1\n]');
  });

  it('stay as they are where one is no JSON, or only the layout differs', () => {
    for (const one of [change('{"a":1}', 'sorry'), change('{"a":1}', '{ "a": 1 }'), change('yes', 'no')])
      assert.equal(laidOut(one), one);
  });
});
