import assert from 'node:assert/strict';
import { overviewPage } from '../../src/contracts/pages/overviewPage';
import { SEES_ALL, violationsAtAnyZoom } from '../harness/axe';
import { useReportPages } from '../harness/pages/reportPages';
import { THEMES } from '../harness/pages/transcriptPages';
import { EMPTY, FINE, shownOverview } from './overviewPageStates';

/** Looked over by axe only with `TAPEDECK_AXE=all`. */
const RARE = {
  'tapes that nothing is wrong with': FINE,
  'no tapes': EMPTY,
  'tapes without models and dates': { models: [], oldest: [], dearest: [] },
};

describe('the overview of all tapes', () => {
  const open = useReportPages('overview', overviewPage);

  it('sums up tapes, models, ages, costs, and formats', async () => {
    const { page } = await open(shownOverview());
    await page.getByText('1,204 tapes · 8,020 interactions · $31.20 to record · 12 model calls without').waitFor();
    const cells = (name: string) => page.getByRole('row', { name }).getByRole('cell').allTextContents();
    assert.deepEqual(await cells('gpt-4o'), ['5,100', '800', '31', '$29.10', '2 days ago']);
    assert.deepEqual(await cells('llama3.1'), ['12', '3', '1', '–', '–']);
    assert.deepEqual((await cells('More than 365 days')).slice(0, 2), ['2,600', '500']);
    assert.deepEqual(await cells('vcrpy cassette'), ['7,000', '1,003']);
    const row = page.getByRole('listitem').filter({ hasText: 'long_research.yaml' });
    assert.match((await row.textContent()) ?? '', /tests\/cassettes\/long_research\.yaml\$4\.20/);
    await page.getByRole('listitem').filter({ hasText: 'first.yaml' }).getByText('2 years ago').waitFor();
  });

  it('leads to the tapes that it names, and to a search for each number', async () => {
    const { page, calls } = await open(shownOverview());
    const press = (name: string) => page.getByRole('button', { name, exact: true }).press('Enter');
    await press('tests/cassettes/leak.yaml');
    await press('gpt-4o');
    await press('30 to 90 days');
    await press('Tapedeck tape');
    const orphans = page.locator('.card').filter({ hasText: '14 tapes that nothing uses' });
    await orphans.getByRole('button', { name: 'Search for Them' }).press('Enter');
    assert.deepEqual(calls, [
      ['openTape', { path: '/p/tests/cassettes/leak.yaml' }],
      ['search', { query: 'model:=gpt-4o' }],
      ['search', { query: 'age:>=30d age:<90d' }],
      ['search', { query: 'format:="Tapedeck tape"' }],
      ['search', { query: 'is:orphan' }],
    ]);
    // Of what there is none of, there is nothing to search for.
    assert.equal(await page.getByRole('button', { name: '90 to 365 days' }).count(), 0);
  });

  it('says where nothing is wrong, and where there is nothing', async () => {
    const { page } = await open(shownOverview(FINE));
    await page.getByRole('heading', { name: 'Nothing needs attention' }).waitFor();
    const none = await open(shownOverview(EMPTY));
    await none.page.getByText('There are no tapes in this workspace.').waitFor();
    assert.equal(await none.page.getByRole('table').count(), 0);
  });

  it('reads again when the user asks, or runs the command again', async () => {
    const state = shownOverview();
    const { page, show } = await open(state);
    await page.getByText('1,204 tapes').waitFor();
    const { overview } = state;
    Object.assign(state, { overview: { ...overview, tapes: 1205 } });
    await page.getByRole('button', { name: 'Refresh' }).press('Enter');
    await page.getByText('1,205 tapes').waitFor();
    show({ ...state, overview: { ...overview, tapes: 1206 } });
    await page.getByText('1,206 tapes').waitFor();
  });

  it('says why it could not be read, and tries again', async () => {
    let isCancelled = true;
    const { page } = await open(() => {
      if (isCancelled) throw new Error('the search was cancelled');
      return shownOverview();
    });
    await page.getByText('the search was cancelled').waitFor();
    isCancelled = false;
    await page.getByRole('button', { name: 'Try Again' }).press('Enter');
    await page.getByText('1,204 tapes').waitFor();
  });

  for (const theme of SEES_ALL ? THEMES : [])
    for (const [state, part] of Object.entries(RARE))
      it(`finds nothing in ${theme}: ${state}`, async () => {
        const { page } = await open(shownOverview(part), { theme });
        assert.deepEqual(await violationsAtAnyZoom(page), []);
      });

  for (const theme of THEMES)
    it(`looks at home in ${theme}, and axe finds nothing`, async () => {
      const { page, shoot } = await open(shownOverview(), { theme });
      await page.getByText('1,204 tapes').waitFor();
      assert.deepEqual(await violationsAtAnyZoom(page), []);
      await shoot(`overview-${theme}`);
      await page.setViewportSize({ width: 450, height: 900 });
      assert.deepEqual(await violationsAtAnyZoom(page), []);
      await shoot(`overview-narrow-${theme}`);
    });
});
