import assert from 'node:assert/strict';
import type { StabilityReport } from '../../src/contracts/engine/stability';
import { stabilityPage } from '../../src/contracts/pages/stabilityPage';
import { SEES_ALL, violationsAtAnyZoom } from '../harness/axe';
import { useReportPages } from '../harness/pages/reportPages';
import { THEMES } from '../harness/pages/transcriptPages';
import { REPORT } from './stabilityPageStates';

/** Looked over by axe only with `TAPEDECK_AXE=all`. */
const RARE: Readonly<Record<string, Partial<StabilityReport>>> = {
  'all values': {},
  'takes of which all but one failed': { takes: 1, varying: [], snippets: [], assertions: [] },
  'a case that can have no rules': { snippets: [] },
};

describe('the stability of a case', () => {
  const open = useReportPages('stability', stabilityPage);

  it('shows which take has which value, how often, and the rules to add', async () => {
    const { page, calls } = await open(REPORT);
    const rows = page.getByRole('row');
    assert.deepEqual((await rows.nth(2).getByRole('cell').allTextContents()).join(''), 'AAABA');
    assert.deepEqual((await rows.nth(3).getByRole('cell').allTextContents()).join(''), '–––AA');
    const response = page.getByRole('article').filter({ hasText: 'different in all 5 takes' });
    assert.equal(await response.getByRole('listitem').count(), 3);
    await response.getByRole('button', { name: 'Show All 5 Values' }).click();
    assert.equal(await response.getByRole('listitem').count(), 5);
    await page.getByText('held in 2 of 5 takes').waitFor();
    await page.getByText('Added to cases/refund_question.toml').waitFor();
    await page.getByRole('button', { name: 'Add to Case' }).click();
    await page.getByRole('button', { name: 'cases/refund_question.toml' }).click();
    await page.getByText('In tapedeck.toml, rules apply to all 14 cases of the project').waitFor();
    await page.getByRole('button', { name: 'Add to Project Instead' }).click();
    assert.deepEqual(calls, [
      ['addRules', 'case'],
      ['openCase', undefined],
      ['addRules', 'project'],
    ]);
  });

  it('offers rules for the project, with the number of its cases, where the case can have none', async () => {
    const { page, calls } = await open({ ...REPORT, snippets: [] });
    await page.getByText('Added to tapedeck.toml').waitFor();
    await page.getByText('rules apply to all 14 cases of the project').waitFor();
    assert.equal(await page.getByRole('button', { name: 'Add to Case' }).count(), 0);
    await page.getByRole('button', { name: 'Add to Project' }).click();
    assert.deepEqual(calls, [['addRules', 'project']]);
  });

  it('says that nothing varies', async () => {
    const { conclusion: _, everywhere: __, ...rest } = REPORT;
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
        const all = page.getByRole('button', { name: 'Show All 5 Values' });
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
