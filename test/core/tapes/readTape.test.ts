import assert from 'node:assert/strict';
import { interactionAt, readTape } from '../../../src/core/tapes/readTape';
import { tapeFileFromText } from '../../../src/core/tapes/tapeFile';
import { ordersTape } from '../../ui/transcriptPageTapes';
import { wireTape } from '../../ui/wireTape';

describe('the interaction at a place of a file', () => {
  const at = (text: string, words: string): number | undefined => {
    const interactions = readTape(tapeFileFromText(text))?.interactions ?? [];
    return interactionAt(interactions, text.lastIndexOf(words));
  };

  it('is the one whose text is there', () => {
    assert.equal(at(ordersTape(), 'I could not find order 9999'), 2);
    assert.equal(at(ordersTape(), '"prompt_tokens": 1204'), 0);
    assert.equal(at(wireTape(), '"Tuesday "'), 1);
    assert.equal(at(wireTape(), 'You are welcome.'), 4);
  });

  it('is the last before, between two and at the end; none before the first', () => {
    const text = ordersTape();
    const interactions = readTape(tapeFileFromText(text))?.interactions ?? [];
    assert.equal(interactionAt(interactions, text.length), 2);
    assert.equal(interactionAt(interactions, (interactions[1]?.source.start ?? 0) - 1), 0);
    assert.equal(interactionAt(interactions, 0), undefined);
    assert.equal(interactionAt([], 10), undefined);
  });
});
