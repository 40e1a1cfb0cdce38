import assert from 'node:assert/strict';
import { diffText } from '../../../src/core/diff/diffText';
import { diffMarkdown } from '../../../src/core/export/diffMarkdown';

describe('a diff as Markdown', () => {
  it('strikes out and underlines what changed, in colours', () => {
    const markdown = diffMarkdown(diffText('order 17', 'order 18'));
    assert.match(
      markdown,
      /^\n<pre>order <del><span [^>]*removed[^>]*>17<\/span><\/del><ins><span [^>]*inserted[^>]*>18</,
    );
  });

  it('contains no markup, link or empty line of what was recorded', () => {
    const markdown = diffMarkdown(diffText('a', 'b\n\n</pre><img src=x>\n\n[Click](command:quit) &amp; "q"'));
    assert.match(markdown, /^\n<pre>[^\n]*<\/pre>\n\n$/);
    assert.doesNotMatch(markdown, /<img|&amp;|<\/pre>./);
  });

  it('is nothing where it is too long to be read', () => {
    assert.equal(diffMarkdown([{ type: 'added', text: '&'.repeat(16_001) }]), '');
  });
});
