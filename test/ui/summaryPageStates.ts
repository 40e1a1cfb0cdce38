import type { RunSummary, SummaryCase } from '../../src/contracts/pages/runSummary';

const LINE = 'system: 2026-11-22 → 2026-11-23';

export function cases(
  outcome: SummaryCase['outcome'],
  count: number,
  detail: string,
  name = outcome,
): readonly SummaryCase[] {
  return Array.from({ length: count }, (_, at) => ({
    id: `file:///project/cases/${name}_${at}.toml`,
    name: `${name}_${at}`,
    path: `cases/${name}_${at}.toml`,
    outcome,
    detail,
  }));
}

const DATED = cases('drifted', 12, LINE, 'dated' as never);
const MODEL = cases('drifted', 2, 'model: gpt-4.1-mini → gpt-5', 'summarise' as never);

export const SUMMARY: RunSummary = {
  title: 'Run Summary',
  line: '29 cases: 11 passed, 14 drifted, 1 failed, 2 to review, 1 cancelled.',
  canRun: true,
  cases: [
    ...DATED,
    ...MODEL,
    ...cases('failed', 1, 'expected output to contain `12 December`, got `I will look into it.`'),
    ...cases('review', 2, 'Output differs from the baseline (and 1 more)'),
    ...cases('unchecked', 1, 'Nothing checked: no assertions, no baseline · 2 of 2 requests exact'),
    ...cases('cancelled', 1, ''),
    ...cases('passed', 10, 'Matches baseline · 2 assertions · 2 of 2 requests exact'),
  ],
  causes: [
    {
      title: '12 cases drifted because dates changed',
      line: LINE,
      mask: 'Mask Dates',
      written: { text: 'mask = ["date"]', place: 'to [llm.replay] of each case' },
      cost: '31 live calls, about $0.04',
      ids: DATED.map(({ id }) => id),
    },
    {
      title: '2 cases drifted in the same way',
      line: 'model: gpt-4.1-mini → gpt-5',
      cost: '6 live calls',
      ids: MODEL.map(({ id }) => id),
    },
  ],
};
