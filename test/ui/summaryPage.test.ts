import assert from 'node:assert/strict';
import { type MaskPreview, type RunSummary, summaryPage } from '../../src/contracts/pages/runSummary';
import { SEES_ALL, violationsAtAnyZoom } from '../harness/axe';
import { useReportPages } from '../harness/pages/reportPages';
import { THEMES } from '../harness/pages/transcriptPages';
import { cases, SUMMARY } from './summaryPageStates';

/** Looked over by axe only with `TAPEDECK_AXE=all`. */
const RARE: Readonly<Record<string, Partial<RunSummary>>> = {
  'drifts, and the edit that masks them': {},
  'runs that have not ended': { cases: cases('running', 3, ''), causes: [], line: '3 cases are running.' },
  'nothing but passed cases': {
    cases: cases('passed', 12, 'Matches baseline'),
    causes: [],
    line: '12 cases: 12 passed.',
  },
  'no cases': { cases: [], causes: [], line: '' },
  'Restricted Mode': { canRun: false },
};

describe('the summary of a run', () => {
  const open = useReportPages('summary', summaryPage, {
    previewMasks: [
      { path: 'cases/dated_0.toml', removed: [], added: ['mask = ["date"]'] },
      { path: 'cases/dated_1.toml', removed: ['mask = ["uuid"]'], added: ['mask = ["uuid", "date"]'] },
    ] satisfies readonly MaskPreview[],
  });

  it('groups drifts by their cause, and fixes each group with one action', async () => {
    const { page, calls, shoot } = await open(SUMMARY);
    const dated = page.getByRole('region', { name: '12 cases drifted because dates changed' });
    await dated.getByText('system: 2026-11-22 → 2026-11-23').waitFor();
    assert.equal(await dated.getByRole('listitem').count(), 8);
    await dated.getByRole('button', { name: 'Show All 12 Cases' }).click();
    assert.equal(await dated.getByRole('listitem').count(), 12);
    await dated.getByRole('button', { name: 'Mask Dates in 12 Cases…' }).click();
    await dated.getByRole('button', { name: 'Write to 2 Files and Replay' }).waitFor();
    assert.deepEqual(calls.splice(0), [['previewMasks', { ids: SUMMARY.causes[0]?.ids }]]);
    assert.deepEqual(await dated.locator('pre ins').allTextContents(), [
      'mask = ["date"]\n',
      'mask = ["uuid", "date"]\n',
    ]);
    assert.deepEqual(await violationsAtAnyZoom(page), []);
    await shoot('summary-preview');
    await page.keyboard.press('Enter');
    await page
      .getByRole('region', { name: '2 cases drifted' })
      .getByRole('button', { name: /^Re-record 2/ })
      .click();
    await page.getByRole('button', { name: 'dated_3', exact: true }).click();
    await page.getByRole('button', { name: 'Review review_1' }).click();
    await page.getByRole('button', { name: 'Accept Baseline' }).click();
    const [dates, models] = SUMMARY.causes;
    assert.deepEqual(calls, [
      ['mask', { ids: dates?.ids }],
      ['record', { ids: models?.ids }],
      ['openCase', { id: 'file:///project/cases/dated_3.toml' }],
      ['review', { id: 'file:///project/cases/review_1.toml' }],
      ['acceptBaselines', { ids: ['file:///project/cases/unchecked_0.toml'] }],
    ]);
  });

  it('follows the runs, and announces their outcome', async () => {
    const { page, show } = await open(SUMMARY);
    const passed = cases('passed', 12, 'Matches baseline');
    show({ ...SUMMARY, line: '12 cases: 12 passed.', cases: passed, causes: [] });
    await page.getByRole('status').getByText('12 cases: 12 passed.').waitFor();
    assert.equal(await page.locator('.card').count(), 0);
    await page.getByText('12 passed', { exact: true }).click();
    await page.getByRole('button', { name: 'passed_3' }).waitFor();
  });

  it('runs nothing in Restricted Mode', async () => {
    const { page } = await open({ ...SUMMARY, canRun: false });
    for (const name of [/^Mask Dates/, 'Replay Again', 'Accept Baseline'])
      assert.equal(await page.getByRole('button', { name }).isDisabled(), true);
  });

  for (const theme of SEES_ALL ? THEMES : [])
    for (const [state, summary] of Object.entries(RARE))
      it(`finds nothing in ${theme}: ${state}`, async () => {
        const { page } = await open({ ...SUMMARY, ...summary }, { theme });
        assert.deepEqual(await violationsAtAnyZoom(page), []);
        const masks = page.getByRole('button', { name: /^Mask/ }).first();
        if (!(await masks.isVisible()) || (await masks.isDisabled())) return;
        await page.getByRole('button', { name: 'Show All 12 Cases' }).click();
        await masks.click();
        await page.locator('.preview').waitFor();
        assert.deepEqual(await violationsAtAnyZoom(page), []);
      });

  for (const theme of THEMES)
    it(`looks at home in ${theme}, and axe finds nothing`, async () => {
      const { page, shoot } = await open(SUMMARY, { theme });
      await page.getByText('10 passed').click();
      assert.deepEqual(await violationsAtAnyZoom(page), []);
      await shoot(`summary-${theme}`);
      await page.setViewportSize({ width: 450, height: 900 });
      assert.deepEqual(await violationsAtAnyZoom(page), []);
      await shoot(`summary-narrow-${theme}`);
    });
});
