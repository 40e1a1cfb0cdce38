import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { SearchedInteraction } from '../../../src/core/model/found';
import { FactMatcher } from '../../../src/core/search/matchFacts';
import { type Overview, OverviewSum } from '../../../src/core/search/overview';
import { parseQuery } from '../../../src/core/search/parseQuery';
import type { Query } from '../../../src/core/search/query';
import type { TapeFacts } from '../../../src/core/search/tapeFacts';

const NOW = Date.parse('2026-03-01T12:00:00Z');
const DAY = 86_400_000;

function call(fields: Partial<SearchedInteraction> = {}): SearchedInteraction {
  return { kind: 'llm', tools: [], isFailed: false, ...fields };
}

function facts(interactions: readonly SearchedInteraction[], fields: Partial<TapeFacts> = {}): TapeFacts {
  const sketch = new Uint8Array(4);
  return {
    format: 'vcrpy',
    formatLabel: 'vcrpy cassette',
    problems: 0,
    secrets: 0,
    isPlain: true,
    sketch,
    interactions,
    ...fields,
  };
}

interface Tape {
  readonly facts: TapeFacts;
  readonly isOrphan?: boolean;
}

function sumOf(tapes: readonly Tape[]): Overview {
  const sum = new OverviewSum(NOW);
  for (const [at, { facts, isOrphan = false }] of tapes.entries())
    sum.add({ path: `/p/${at}`, facts, isOrphan, hide: (name) => name.replace('secret', '***') });
  return sum.overview;
}

describe('the sum of all tapes', () => {
  it('has models by what they cost, with failures, the date of the last recording, and a query', () => {
    const { models, cost, unpriced, tapes, interactions } = sumOf([
      {
        facts: facts([
          call({ model: 'cheap', cost: 0.01, recordedAt: NOW - DAY }),
          call({ model: 'dear', cost: 2 }),
          call({ model: 'cheap', cost: 0.02, isFailed: true, recordedAt: NOW - 9 * DAY }),
        ]),
      },
      {
        facts: facts([
          call({ model: 'my secret model' }),
          call({ model: 'cheap', cost: 0.01 }),
          call({ kind: 'http' }),
        ]),
      },
    ]);
    assert.deepEqual([tapes, interactions, unpriced, cost.toFixed(2)], [2, 6, 1, '2.04']);
    assert.deepEqual(
      models.map(({ model, tapes, interactions, failed, query }) => [model, tapes, interactions, failed, query]),
      [
        ['dear', 1, 1, 0, 'model:=dear'],
        ['cheap', 2, 3, 1, 'model:=cheap'],
        ['my *** model', 1, 1, 0, 'model:="my *** model"'],
      ],
    );
    assert.equal(models[1]?.newest, NOW - DAY);
    assert.equal(models[2]?.cost, undefined);
  });

  it('names the tapes to look at, those with the most first, and no more than ten', () => {
    const many = Array.from({ length: 14 }, (_, at) => ({
      facts: facts([], { problems: at }),
      isOrphan: at % 2 === 0,
    }));
    const { problems, orphans, secrets } = sumOf([...many, { facts: facts([call()], { secrets: 3 }) }]);
    assert.deepEqual(
      [problems.tapes, problems.first.length, problems.first[0]],
      [13, 10, { path: '/p/13', value: 13 }],
    );
    assert.deepEqual([orphans.tapes, orphans.first[0]?.path, orphans.query], [7, '/p/0', 'is:orphan']);
    assert.deepEqual(secrets, { tapes: 1, first: [{ path: '/p/14', value: 3 }], query: 'has:secrets' });
  });

  it('names the dearest tapes and those that were recorded first', () => {
    const { dearest, oldest } = sumOf([
      { facts: facts([call({ cost: 1, recordedAt: NOW - 3 * DAY }), call({ cost: 0.5 })]) },
      { facts: facts([call({ recordedAt: NOW - 400 * DAY })]) },
      { facts: facts([call({ cost: 9 })]) },
    ]);
    assert.deepEqual(dearest, [
      { path: '/p/2', value: 9 },
      { path: '/p/0', value: 1.5 },
    ]);
    assert.deepEqual(oldest, [
      { path: '/p/1', value: NOW - 400 * DAY },
      { path: '/p/0', value: NOW - 3 * DAY },
    ]);
  });

  it('counts of models, formats, and ages what a search for their query finds', () => {
    const interaction = fc.record(
      {
        kind: fc.constantFrom('llm' as const, 'http' as const),
        tools: fc.constant([]),
        isFailed: fc.boolean(),
        model: fc.constantFrom('gpt-4o', 'gpt-4o-mini', 'GPT 4', 'a"b', ''),
        askedModel: fc.constantFrom('gpt-4o', 'an-alias'),
        recordedAt: fc.oneof(
          fc.integer({ min: NOW - 800 * DAY, max: NOW }),
          fc.constantFrom(...[7, 30, 90, 365].map((days) => NOW - days * DAY)),
        ),
      },
      { requiredKeys: ['kind', 'tools', 'isFailed'] },
    );
    const tape = fc
      .tuple(fc.array(interaction, { maxLength: 8 }), fc.constantFrom('vcrpy cassette', 'Langfuse trace'))
      .map(([interactions, formatLabel]) => ({ facts: facts(interactions as SearchedInteraction[], { formatLabel }) }));
    fc.assert(
      fc.property(fc.array(tape, { maxLength: 8 }), (tapes) => {
        const { models, ages, formats, interactions } = sumOf(tapes);
        for (const { query, ...sum } of [...models, ...ages])
          if (query !== undefined) assert.deepEqual(found(tapes, query), [sum.tapes, sum.interactions], query);
        for (const { query, ...sum } of formats) assert.equal(found(tapes, query ?? '')[0], sum.tapes);
        assert.equal(
          ages.reduce((all, age) => all + age.interactions, 0),
          interactions,
        );
      }),
    );
  });

  function found(tapes: readonly Tape[], query: string): [tapes: number, interactions: number] {
    const parsed = parseQuery(query) as Query;
    assert.ok('terms' in parsed, query);
    const matcher = new FactMatcher(parsed, NOW);
    const hits = tapes.flatMap(({ facts }, at) => matcher.match(facts, { path: `/p/${at}` }) ?? []);
    return [hits.length, hits.reduce((sum, { interactions }) => sum + interactions.length, 0)];
  }
});
