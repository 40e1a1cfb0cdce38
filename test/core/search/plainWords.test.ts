import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { hasPlainWords, plainPatterns } from '../../../src/core/search/plainWords';
import { queryPattern } from '../../../src/core/transcript/searchTranscript';

const mayFind = (file: string, query: string) => plainPatterns(query).every((pattern) => pattern.test(file));

describe('the words of a tape in the text of its file', () => {
  it('are plain where they are written as they are shown, also in strings of JSON and behind escapes', () => {
    const text = 'Where is order 1204?\nIt was shipped:\tyesterday, au café';
    for (const file of [text, JSON.stringify(text), JSON.stringify(JSON.stringify(text)), 'Where\\x20is\\u0020order'])
      assert.ok(hasPlainWords(file, [file === text ? text : file.includes('1204') ? text : 'Where is order']), file);
  });

  it('are not plain where a stream is in pieces, or a body is packed', () => {
    const pieces = ['It was ship', 'ped yester', 'day'].map((content) => `data: ${JSON.stringify({ content })}\n\n`);
    assert.ok(!hasPlainWords(pieces.join(''), ['It was shipped yesterday']));
    assert.ok(!hasPlainWords(Buffer.from('It was shipped').toString('base64'), ['It was shipped']));
  });

  it('tell of every text that the pattern of a search finds', () => {
    const unit = fc.constantFrom(...'abAB ſ s K k 1 9 n u \\ " \n \t é 中 * - .'.split(' '), ' ');
    const text = fc.string({ unit, maxLength: 40 });
    const written = fc.constantFrom<(text: string) => string>(
      (one) => one,
      (one) => JSON.stringify(one),
      (one) => JSON.stringify(JSON.stringify(one)),
      (one) =>
        JSON.stringify(one).replace(/[^ -~]/g, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`),
    );
    let plain = 0;
    fc.assert(
      fc.property(text, fc.string({ unit, maxLength: 3 }), written, (shown, query, write) => {
        const file = write(shown);
        if (!hasPlainWords(file, [shown])) return;
        plain += 1;
        if (queryPattern(query)?.test(shown)) assert.ok(mayFind(file, query));
      }),
      { numRuns: 20_000 },
    );
    assert.ok(plain > 5000, `${plain} were plain`);
  });
});
