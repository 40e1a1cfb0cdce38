import assert from 'node:assert/strict';
import { type DiffBlock, plainDiff } from '../../../../src/core/diff/plainDiff';
import { textGist } from '../../../../webview-ui/review/diff/changeGist';

/** One line per block, with differences in brackets. */
function drawn(blocks: readonly DiffBlock[]): readonly string[] {
  return blocks.map((block) => {
    if (block.kind === 'folded') return `~${block.lines}`;
    const text = block.pieces.map((piece) => (piece.marked ? `[${piece.text}]` : piece.text)).join('');
    return `${{ same: ' ', removed: '-', added: '+' }[block.kind]}${text.replace(/\n$/, '')}`;
  });
}

const numbered = (from: number, to: number): string =>
  Array.from({ length: to - from + 1 }, (_, index) => `line ${from + index}`).join('\n');

describe('plainDiff', () => {
  it('shows equal texts as unchanged', () => assert.deepEqual(drawn(plainDiff('a\nb', 'a\nb')), [' a\nb']));

  it('marks the words that differ in lines that were replaced', () => {
    const drawing = drawn(plainDiff('The refund takes 5 days.', 'The refund takes 7 days.'));
    assert.deepEqual(drawing, ['-The refund takes [5] days.', '+The refund takes [7] days.']);
  });

  it('shows an appended line as one added line', () => {
    assert.deepEqual(drawn(plainDiff('a', 'a\nb')), [' a', '+b']);
    assert.deepEqual(textGist('one', 'one\nb').size, { added: 1, removed: 0 });
  });

  it('sees a newline at the end, and white space', () => {
    assert.deepEqual(textGist('one', 'one\n').size, { added: 1, removed: 0 });
    assert.deepEqual(textGist('one', 'one ').size, { added: 1, removed: 1 });
  });

  it('shows a text that is new, or gone, as a whole', () => {
    assert.deepEqual(drawn(plainDiff('', 'a\nb')), ['+a\nb']);
    assert.deepEqual(drawn(plainDiff('a\nb', '')), ['-a\nb']);
  });

  it('folds what is far from any change, and keeps what is near', () => {
    const before = `${numbered(1, 20)}\nold\n${numbered(21, 40)}`;
    const drawing = drawn(plainDiff(before, before.replace('old', 'new')));
    const expected = ['~17', ` ${numbered(18, 20)}`, '-[old]', '+[new]', ` ${numbered(21, 23)}`, '~17'];
    assert.deepEqual(drawing, expected);
  });

  it('loses no line, whatever is folded', () => {
    const before = numbered(1, 50);
    const after = before.replace('line 10\n', '').replace('line 30', 'line thirty');
    const lines = plainDiff(before, after).reduce((sum, block) => {
      if (block.kind === 'folded') return sum + block.lines;
      const text = block.pieces.map((piece) => piece.text).join('');
      return block.kind === 'added' ? sum : sum + text.replace(/\n$/, '').split('\n').length;
    }, 0);
    assert.equal(lines, 50);
  });

  it('gives up on texts that are too much work, and shows both', () => {
    const random = (seed: number): string =>
      Array.from({ length: 30_000 }, (_, index) => ((index * 7919 + seed * 104_729) % 100_003).toString(36)).join('\n');
    const before = random(1);
    const after = random(2);
    assert.deepEqual(drawn(plainDiff(before, after)), [`-${before}`, `+${after}`]);
    assert.equal(textGist(before, after).size, undefined);
  });
});

describe('changeGist', () => {
  const preview = (before: string, after: string): string => textGist(before, after).preview;

  it('shows both of two words', () => assert.equal(preview('passed', 'failed'), 'passed → failed'));
  it('shows the first line that is new', () => {
    assert.equal(preview('Dear customer,\nno.', 'Dear customer,\n\n  yes, of course.'), 'yes, of course.');
  });
  it('shows what became of a few words of a line, after those before them', () => {
    assert.equal(
      preview('{\n  "amount": 42.5,\n  "to": 1\n}', '{\n  "amount": 40,\n  "to": 1\n}'),
      '"amount": 42.5 → 40',
    );
    assert.equal(
      preview('You get it by Friday at noon.', 'You get it by Monday at noon.'),
      'get it by Friday → Monday',
    );
    assert.equal(preview('a a', 'a a a'), 'a a a', 'a word more is shown as the line that is new');
  });
  it('passes over brackets', () => {
    const before = '[\n  "search"\n]';
    const after = '[\n  "search",\n  {\n    "name": "refund"\n  }\n]';
    assert.equal(preview(before, after), '"name": "refund"');
  });
  it('says what is gone', () => assert.equal(preview('a\nb is gone', 'a'), 'Without b is gone'));
  it('shows white space where only that differs', () => {
    assert.equal(preview('a\n', 'a\n\n'), 'a↵ → a↵↵');
    assert.equal(preview('a line that is longer', '  a line that is longer'), 'a·line·t… → ··a·line·t…');
    assert.equal(preview('We greet you,  all', 'We greet you, all'), '…et·you,··all → …et·you,·all');
  });
  it('shows punctuation where only that differs', () => {
    assert.equal(preview('{\n}\n,', '{\n}\n;'), '{↵}↵, → {↵}↵;');
  });
  it('shows a text that is all new', () => assert.equal(preview('', '\nHello there'), 'Hello there'));
});
