import assert from 'node:assert/strict';
import { KEY_BINDINGS } from '../../webview-ui/review/session/reviewKeys';
import { TRANSCRIPT_COMMANDS } from '../../webview-ui/transcript/commands';

/** What a letter does in both pages: the two commands mean the same. */
const SAME = new Set([
  'next next',
  'previous previous',
  'nextInteraction next',
  'previousInteraction previous',
  'filter nextGroup',
  'find find',
  'help help',
]);

describe('the keys of the pages', () => {
  it('mean the same in the transcript and in the review', () => {
    const both = TRANSCRIPT_COMMANDS.flatMap(({ id, keys }) =>
      KEY_BINDINGS.filter((other) => other.keys.some((key) => keys.some((own) => own === key))).map(
        ({ action }) => `${id} ${action}`,
      ),
    );
    assert.deepEqual(
      both.filter((pair) => !SAME.has(pair)),
      [],
    );
  });

  it('change a tape with a modifier or a named key only', () => {
    const edits = TRANSCRIPT_COMMANDS.filter((row) => 'menu' in row && ['change', 'redact', 'fork'].includes(row.menu));
    const letters = edits.flatMap(({ keys }) => keys.filter((key: string) => key.length === 1));
    assert.ok(edits.length > 5);
    assert.deepEqual(letters, []);
  });
});
