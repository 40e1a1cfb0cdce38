import * as assert from 'node:assert/strict';
import { firstMatchFrom, placeMatches, stepMatch } from '../../../../webview-ui/transcript/find/matches';
import { openersOf } from '../../../../webview-ui/transcript/find/useFind';
import { interactions } from '../transcriptFixtures';

describe('find', () => {
  const views = interactions(['user', 'assistant'], ['assistant']);

  it('knows the messages of what the host has found, and drops what is not there any more', () => {
    const found = [
      { interaction: 0, entry: 0, part: 'text', nth: 1 },
      { interaction: 1, entry: 0, part: 'call0.result', nth: 0 },
      { interaction: 7, entry: 0, part: 'text', nth: 0 },
    ];
    assert.deepEqual(placeMatches(found, views), [
      { interaction: 0, key: '0.0', part: 'text', nth: 1 },
      { interaction: 1, key: '1.response', part: 'call0.result', nth: 0 },
    ]);
  });

  it('begins where the reader is, and goes round', () => {
    const matches = placeMatches(
      [0, 1].map((interaction) => ({ interaction, entry: 0, part: 'text', nth: 0 })),
      views,
    );
    assert.deepEqual(
      [0, 1, 2].map((from) => firstMatchFrom(matches, from)),
      [0, 1, 0],
    );
    assert.equal(stepMatch(3, 2, 1), 0);
    assert.equal(stepMatch(3, 0, -1), 2);
    assert.equal(stepMatch(0, 0, 1), 0);
  });

  it('knows what to open for a match to be seen', () => {
    assert.deepEqual(openersOf('text'), ['entry', 'text']);
    assert.deepEqual(openersOf('call12.result'), ['entry', 'call12', 'call12.result']);
  });
});
