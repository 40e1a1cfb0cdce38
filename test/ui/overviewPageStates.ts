import type { ShownOverview } from '../../src/contracts/pages/overviewPage';
import type { Overview } from '../../src/core/search/overview';

const NOW = Date.parse('2026-03-01T12:00:00Z');
const DAY = 86_400_000;

const OVERVIEW: Overview = {
  tapes: 1204,
  interactions: 8020,
  cost: 31.204,
  unpriced: 12,
  models: [
    {
      model: 'gpt-4o',
      tapes: 800,
      interactions: 5100,
      failed: 31,
      cost: 29.1,
      newest: NOW - 2 * DAY,
      query: 'model:=gpt-4o',
    },
    {
      model: 'claude-sonnet-4-5',
      tapes: 204,
      interactions: 1900,
      failed: 0,
      cost: 2.104,
      newest: NOW - DAY,
      query: 'model:=claude-sonnet-4-5',
    },
    { model: 'llama3.1:8b-instruct-q4_K_M', tapes: 3, interactions: 12, failed: 1 },
  ],
  ages: [
    { age: 'week', tapes: 12, interactions: 90, query: 'age:<7d' },
    { age: 'month', tapes: 190, interactions: 2100, query: 'age:>=7d age:<30d' },
    { age: 'quarter', tapes: 401, interactions: 3030, query: 'age:>=30d age:<90d' },
    { age: 'year', tapes: 0, interactions: 0, query: 'age:>=90d age:<365d' },
    { age: 'older', tapes: 500, interactions: 2600, query: 'age:>=365d' },
    { age: 'unknown', tapes: 101, interactions: 200 },
  ],
  formats: [
    { format: 'vcrpy cassette', tapes: 1003, interactions: 7000, query: 'format:="vcrpy cassette"' },
    { format: 'Tapedeck tape', tapes: 201, interactions: 1020, query: 'format:="Tapedeck tape"' },
  ],
  dearest: [
    { path: '/p/tests/cassettes/long_research.yaml', value: 4.2 },
    { path: '/p/tapes/a/very/deep/folder/of/recordings/with/a/long/name/refund_question.tape.json', value: 0.013 },
  ],
  oldest: [{ path: '/p/tests/cassettes/first.yaml', value: NOW - 800 * DAY }],
  orphans: { tapes: 14, first: [{ path: '/p/tapes/alone.tape.json', value: 1 }], query: 'is:orphan' },
  secrets: { tapes: 2, first: [{ path: '/p/tests/cassettes/leak.yaml', value: 3 }], query: 'has:secrets' },
  problems: { tapes: 1, first: [{ path: '/p/tests/cassettes/broken.yaml', value: 1 }], query: 'has:problems' },
  skipped: { tapes: 1, first: [{ path: '/p/tests/cassettes/locked.yaml', value: 1 }] },
};

const LISTS = ['dearest', 'oldest'] as const;
const COUNTED = ['orphans', 'secrets', 'problems', 'skipped'] as const;

export function shownOverview(part: Partial<Overview> = {}): ShownOverview {
  const overview = { ...OVERVIEW, ...part };
  const tapes = [...LISTS.map((name) => overview[name]), ...COUNTED.map((name) => overview[name].first)].flat();
  return { overview, now: NOW, names: Object.fromEntries(tapes.map(({ path }) => [path, path.slice(3)])) };
}

const NONE = { tapes: 0, first: [] };

/** Of tapes that nothing is wrong with. */
export const FINE: Partial<Overview> = { orphans: NONE, secrets: NONE, problems: NONE, skipped: NONE };

export const EMPTY: Partial<Overview> = {
  ...FINE,
  ...{ tapes: 0, interactions: 0, cost: 0, unpriced: 0, models: [], ages: [], formats: [], dearest: [], oldest: [] },
};
