import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import type { RunMode } from '../../../src/core/model/artifact';
import type { Change, ChangeWeight } from '../../../src/core/model/change';
import { summariseChanges } from '../../../src/core/review/compare/describeChange';
import { withDecisions } from '../../../src/core/review/decisions';
import { changeExcerpt, clipSide, deferTexts } from '../../../src/core/review/deferTexts';
import { pairMeasures, runMeasures } from '../../../src/core/review/measures';
import { PLAIN } from '../../webview-ui/review/reviewFixtures';
import { artifactOf } from '../cases/artifacts';

const titled = (title: string, weight: ChangeWeight = 'behaviour') => ({ title, weight });
const changeOf = (id: string, before: string, after: string): Change => ({
  ...PLAIN,
  id,
  title: id,
  before,
  after,
  language: 'plaintext',
});

describe('what changed, in a few words', () => {
  it('names what matters most first, and counts what happened often', () => {
    const changes = [
      titled('Tokens', 'accounting'),
      titled('Model', 'context'),
      titled('Response'),
      titled('Response'),
    ];
    assert.equal(summariseChanges(changes), 'Response ×2, Model, 1 more');
  });
  it('is short where little changed, and empty where nothing did', () => {
    assert.equal(summariseChanges([titled('Output')]), 'Output');
    assert.equal(summariseChanges([]), '');
  });
});

describe('texts that are left for later', () => {
  it('are those that are long, and those for which there is no room any more', () => {
    const changes = [
      changeOf('a', 'xx', 'yy'),
      changeOf('b', 'x'.repeat(20), ''),
      changeOf('c', 'xx', 'zz'),
      changeOf('d', 'x', 'y'),
    ];
    const deferred = deferTexts(changes, { first: 3, each: 10, all: 6 });
    assert.deepEqual(
      deferred.map(({ id, before, deferred: later }) => [id, before, later?.preview]),
      [
        ['a', 'xx', undefined],
        ['b', '', 'x'.repeat(20)],
        ['c', '', 'zz'],
        ['d', 'x', undefined],
      ],
    );
  });
  it('are not those of the first change, unless it is very long', () => {
    const long = [changeOf('a', 'x'.repeat(50), ''), changeOf('b', 'x'.repeat(50), '')];
    const isDeferred = (first: number) =>
      deferTexts(long, { first, each: 10, all: 20 }).map(({ deferred }) => !!deferred);
    assert.deepEqual(
      [isDeferred(50), isDeferred(49)],
      [
        [false, true],
        [true, true],
      ],
    );
  });
  it('keep everything else, and never exceed their budget', () => {
    const texts = fc.array(fc.tuple(fc.string({ maxLength: 40 }), fc.string({ maxLength: 40 })), { maxLength: 20 });
    fc.assert(
      fc.property(texts, (pairs) => {
        const changes = pairs.map(([before, after], index) => changeOf(String(index), before, after));
        const result = deferTexts(changes, { first: 0, each: 30, all: 100 });
        const spent = result.reduce((sum, { before, after }) => sum + before.length + after.length, 0);
        assert.ok(spent <= 100);
        for (const [index, one] of result.entries()) {
          const whole = changes[index];
          if (one.deferred === undefined) assert.deepEqual(one, whole);
          else
            assert.deepEqual(
              { ...one, before: whole?.before, after: whole?.after, deferred: undefined },
              { ...whole, deferred: undefined },
            );
        }
      }),
    );
  });
});

describe('an excerpt', () => {
  it('begins a little before the first difference', () => {
    const start = 'The same beginning, which is rather long, ';
    assert.equal(changeExcerpt(`${start}then this`, `${start}and then that`), '…which is rather long, and then that');
  });
  it('is of the earlier text where nothing was added, and in one line', () => {
    assert.equal(changeExcerpt('one\n\ntwo', 'one'), 'one two');
    assert.equal(clipSide(`a\n${'b'.repeat(200)}`), `a ${'b'.repeat(118)}…`);
  });
});

describe('the numbers of two recordings', () => {
  it('stand side by side in a fixed order, and leave out what neither tells', () => {
    assert.deepEqual(pairMeasures({ cost: 1, interactions: 2 }, { interactions: 3, latency: 5 }), [
      { name: 'interactions', before: 2, after: 3 },
      { name: 'cost', before: 1 },
      { name: 'latency', after: 5 },
    ]);
  });

  it('have a latency only where both runs reached a model', () => {
    const run = (mode: RunMode, duration_ms: number) => artifactOf({ duration_ms, tapedeck: { mode } });
    const names = (before: RunMode, after: RunMode) =>
      runMeasures(run(before, 5), run(after, 1120)).map(({ name }) => name);
    assert.deepEqual(names('record', 'replay'), ['tool calls']);
    assert.deepEqual(names('record', 'live'), ['tool calls', 'latency']);
  });
});

describe('changes with decisions', () => {
  it('are open while they are pending, whatever was decided before', () => {
    const [a, b, c] = [changeOf('a', '', 'x'), changeOf('b', '', 'x'), changeOf('c', '', 'x')];
    const decided = withDecisions([a, b, c], [a, c], {
      a: { verdict: 'accepted' },
      b: { verdict: 'rejected', reason: 'too long' },
    });
    assert.deepEqual(
      decided.map(({ decision, reason }) => [decision, reason]),
      [
        ['open', undefined],
        ['rejected', 'too long'],
        ['open', undefined],
      ],
    );
  });
});
