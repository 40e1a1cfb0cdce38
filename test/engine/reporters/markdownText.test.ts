import assert from 'node:assert/strict';
import { differingLines, readSections } from '../../../src/engine/reporters/markdownText';

const json = (value: unknown) => JSON.stringify(value, null, 2);

describe('the cells of a report', () => {
  it('are the lines in which texts differ', () => {
    assert.deepEqual(differingLines('rains', 'snows'), ['rains', 'snows']);
    assert.deepEqual(differingLines(json({ city: 'Bonn', unit: 'C' }), json({ city: 'Köln', unit: 'C' })), [
      '"city": "Bonn",…',
      '"city": "Köln",…',
    ]);
    assert.deepEqual(differingLines('', json({ city: 'Bonn' })), ['', '"city": "Bonn"…']);
    assert.deepEqual(differingLines('one\ntwo', 'one\ntwo\nthree'), ['', 'three']);
    assert.deepEqual(differingLines('same', 'same'), ['same', 'same']);
    const [before, after] = differingLines(`${'word '.repeat(40)}rains`, `${'word '.repeat(40)}snows`);
    assert.match(before, /^….{0,25}rains$/);
    assert.match(after, /^….{0,25}snows$/);
  });
});

describe('the sections of a report', () => {
  it('have the paths of their files, whatever stands beside these', () => {
    const titles = ['a.json (tape)', 'a.json (tape, with the result of cases/a.toml)', 'b&#40;1&#41;.json (run)', 'c'];
    const { sections } = readSections(['head', ...titles.map((title) => `#### ${title}\n\nrows`)].join('\n\n'));
    assert.deepEqual(
      sections.map(({ key }) => key),
      ['a.json', 'a.json', 'b(1).json', 'c'],
    );
  });
});
