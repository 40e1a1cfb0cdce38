import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { summariseTape, type TapeSummary, tapeFactSentence, tapeFactWords } from '../../../src/core/cases/tapeSummary';
import { tapeFileFromText } from '../../../src/core/tapes/tapeFile';
import { projectFolder } from '../../corpus';

const DAY = 86_400_000;
const SUMMARY: TapeSummary = {
  formatLabel: 'Tapedeck tape',
  interactions: 3,
  models: ['gpt-4o-mini', 'gpt-4o'],
  recordedAt: 0,
  toolCalls: 1,
  tokens: 1234,
  cost: 0.00214,
  firstExchange: [],
};

describe('a tape in short', () => {
  it('has its facts and its first exchange', () => {
    const path = 'media/sample/tapes/order_status.tape.json';
    const summary = summariseTape(tapeFileFromText(readFileSync(join(projectFolder, path), 'utf8'), path));
    assert.equal(summary?.interactions, 2);
    assert.deepEqual(
      summary.firstExchange.map(({ who }) => who),
      ['User', 'Assistant'],
    );
    assert.match(summary.firstExchange[0]?.text ?? '', /^Where is my order 4711\?$/);
    assert.match(summary.firstExchange[1]?.text ?? '', /lookup_order\(\{"order":"4711"\}\)/);
  });

  it('says only what is known', () => {
    assert.deepEqual(tapeFactWords(SUMMARY, 5 * DAY), [
      '3 interactions',
      'gpt-4o-mini and 1 other',
      '$0.0021',
      '5 days ago',
    ]);
    const { cost: _, recordedAt: __, ...bare } = SUMMARY;
    assert.deepEqual(tapeFactWords({ ...bare, models: [], interactions: 1 }, 0), ['1 interaction']);
    assert.equal(
      tapeFactSentence(SUMMARY, 5 * DAY),
      '3 interactions · gpt-4o-mini, gpt-4o · 1 tool call · 1,234 tokens · $0.0021 · recorded 5 days ago',
    );
    assert.equal(tapeFactSentence({ ...bare, models: [], toolCalls: 0, tokens: 0 }, 0), '3 interactions');
    assert.deepEqual(tapeFactWords({ ...SUMMARY, models: [], cost: 0.00000012 }, DAY)[1], 'less than $0.0001');
  });

  it('is nothing where a file is no tape', () => {
    assert.equal(summariseTape(tapeFileFromText('{', 'a.json')), undefined);
  });
});
