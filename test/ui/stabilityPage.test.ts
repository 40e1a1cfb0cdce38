import assert from 'node:assert/strict';
import { type StabilityReport, stabilityGuards } from '../../src/protocol/stability';
import { SEES_ALL, violationsAtAnyZoom } from '../harness/axe';
import { useReportPages } from '../harness/pages/reportPages';
import { THEMES } from '../harness/pages/transcriptPages';

const REPORT: StabilityReport = {
  name: 'refund_question',
  casePath: 'cases/refund_question.toml',
  takes: 5,
  folder: '.tapedeck/stability/cases/refund_question',
  summary: 'refund_question: 3 things vary in 5 takes.',
  failed: [{ take: 5, message: 'the provider responded with 429 Too Many Requests' }],
  varying: [
    {
      title: 'Response',
      place: 'interaction 2, also in output_text',
      often: 'different in all 5 takes',
      values: ['You can return it until 12 December.', 'Yes, until 12 December.', 'Of course.', 'Yes.', 'Sure.'].map(
        (text, at) => ({ text, takes: [at] }),
      ),
    },
    {
      title: 'Arguments of check_return',
      place: 'interaction 1',
      often: 'differs in 1 of 5 takes',
      values: [
        { text: '{\n  "order": "4711"\n}', takes: [0, 1, 2, 4] },
        { text: '{\n  "order": "4711",\n  "verbose": true\n}', takes: [3] },
      ],
    },
    {
      title: 'Call of lookup_order',
      place: 'interaction 2',
      often: 'differs in 2 of 5 takes',
      values: [
        { text: null, takes: [0, 1, 2] },
        { text: '{"order":"4711"}', takes: [3, 4] },
      ],
    },
  ],
  assertions: [
    { text: 'contains "12 December"', held: 2 },
    { text: 'tool_called "check_return"', held: 5 },
  ],
  ignored: ['date 3', 'uuid 1'],
  snippets: [
    {
      file: 'project',
      how: 'add',
      table: 'normalise',
      toml: '[normalise]\npresets = ["uuid"]\nignore = ["output_text"]\n',
    },
    { file: 'case', how: 'below', table: 'assert', toml: 'tool_order = ["check_return"]\n' },
  ],
  conclusion:
    'Still different with these rules: Call of lookup_order. The agent or its model behaves differently each time: a temperature of 0 or a seed may stabilise it.',
};

/** Looked over by axe only with `TAPEDECK_AXE=all`. */
const RARE: Readonly<Record<string, Partial<StabilityReport>>> = {
  'all values': {},
  'nothing that varies': { failed: [], varying: [], snippets: [], assertions: [], ignored: [] },
  'takes of which all but one failed': { takes: 1, varying: [], snippets: [], assertions: [] },
  'variations that no rule covers': { snippets: [] },
};

describe('the stability of a case', () => {
  const open = useReportPages('stability', stabilityGuards);

  it('shows which take has which value, how often, and the rules to add', async () => {
    const { page, calls } = await open(REPORT);
    const rows = page.getByRole('row');
    assert.deepEqual((await rows.nth(2).getByRole('cell').allTextContents()).join(''), 'AAABA');
    assert.deepEqual((await rows.nth(3).getByRole('cell').allTextContents()).join(''), '–––BB');
    const response = page.getByRole('article').filter({ hasText: 'different in all 5 takes' });
    assert.equal(await response.getByRole('listitem').count(), 3);
    await response.getByRole('button', { name: 'Show all 5 values' }).click();
    assert.equal(await response.getByRole('listitem').count(), 5);
    await page.getByText('held in 2 of 5 takes').waitFor();
    await page.getByRole('button', { name: 'Add to files' }).click();
    await page.getByRole('button', { name: 'cases/refund_question.toml' }).click();
    assert.deepEqual(
      calls.map(([method]) => method),
      ['addRules', 'openCase'],
    );
  });

  it('says that nothing varies', async () => {
    const { conclusion: _, ...rest } = REPORT;
    const { page } = await open({ ...rest, failed: [], varying: [], snippets: [], assertions: [], ignored: [] });
    await page.getByText('Equal in all 5 takes').waitFor();
    await page.getByRole('heading', { name: 'Nothing varies' }).waitFor();
    assert.equal(await page.getByRole('table').count(), 0);
    assert.deepEqual(await violationsAtAnyZoom(page), []);
  });

  for (const theme of SEES_ALL ? THEMES : [])
    for (const [state, part] of Object.entries(RARE))
      it(`finds nothing in ${theme}: ${state}`, async () => {
        const { page } = await open({ ...REPORT, ...part }, { theme });
        const all = page.getByRole('button', { name: 'Show all 5 values' });
        if (await all.isVisible()) await all.click();
        assert.deepEqual(await violationsAtAnyZoom(page), []);
      });

  for (const theme of THEMES)
    it(`looks at home in ${theme}, and axe finds nothing`, async () => {
      const { page, shoot } = await open(REPORT, { theme });
      assert.deepEqual(await violationsAtAnyZoom(page), []);
      await shoot(`stability-${theme}`);
      await page.setViewportSize({ width: 450, height: 900 });
      assert.deepEqual(await violationsAtAnyZoom(page), []);
      await shoot(`stability-narrow-${theme}`);
    });
});
