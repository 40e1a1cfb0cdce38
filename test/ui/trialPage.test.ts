import assert from 'node:assert/strict';
import { type ShownTrial, trialPage } from '../../src/contracts/pages/trialPage';
import { SEES_ALL, violationsAtAnyZoom } from '../harness/axe';
import { useReportPages } from '../harness/pages/reportPages';
import { THEMES } from '../harness/pages/transcriptPages';
import { HOSTILE_TEXTS } from './hostileContent';
import { cellOf, MODELS, shown, trialOf } from './trialPageStates';

const SMALL = trialOf(6, 3, 5);
const LARGE = trialOf(20, 5, 5);

function withoutSamples(after: number): ShownTrial['trial'] {
  const cells = SMALL.cells.map(({ casePath, model, samples }, at) =>
    cellOf(casePath, model, at < after ? samples : at === after ? samples.slice(0, 2) : []),
  );
  return { ...SMALL, cells, isComplete: false };
}

/** Looked over by axe only with `TAPEDECK_AXE=all`. */
const RARE: Readonly<Record<string, ShownTrial>> = {
  'samples that are missing': shown(withoutSamples(7) ?? SMALL),
  'samples that are recorded': shown(withoutSamples(7) ?? SMALL, { progress: { done: 37, of: 90, running: [] } }),
  'no trial': { folder: 'file:///project', current: [], canRun: true, notice: 'There is no trial yet.' },
  'Restricted Mode': shown(SMALL, { canRun: false, notice: 'Restricted Mode.' }),
};

describe('the page of a trial', () => {
  const open = useReportPages('trial', trialPage);

  it('shows each case with each model: how often it passed, what it took, and the totals', async () => {
    const { page } = await open(shown(SMALL));
    const table = page.getByRole('table', { name: '6 cases by 3 models' });
    assert.deepEqual(
      await Promise.all(['columnheader', 'rowheader'].map((role) => table.getByRole(role as 'columnheader').count())),
      [5, 7],
    );
    const cell = table
      .getByRole('row', { name: /^refund_question/ })
      .getByRole('cell')
      .nth(3);
    assert.deepEqual(await cell.locator('.pass-rate, .measure').allTextContents(), [
      '4 of 5 passed 80%',
      'no changes 0–1',
      '1,090 tokens 1,070–1,110',
      '$0.0086 $0.0076–$0.0095',
      '2.0 s 2.0 s–2.1 s',
    ]);
    const totals = table.getByRole('row', { name: /^All 6 cases/ }).getByRole('cell');
    assert.match((await totals.nth(1).textContent()) ?? '', /^25 of 30 passed 83%/);
    await page.getByText('3 models, 5 samples of each case · all 90 samples recorded').waitFor();
  });

  it('names a missing price in each cell of a model, and in its totals', async () => {
    const { page } = await open(shown(trialOf(2, MODELS.length, 2)));
    const unpriced = page.getByText('no price', { exact: true });
    assert.equal(await unpriced.count(), 3);
    assert.equal(await page.locator('tr.totals td:last-child').getByText('no price').count(), 1);
  });

  it('is used from the keyboard alone: cells, samples, order, adopting', async () => {
    const { page, calls } = await open(shown(SMALL));
    const { keyboard } = page;
    const active = () => page.evaluate('document.activeElement.textContent');
    await page.getByRole('button', { name: 'refund_question', exact: true }).focus();
    for (const key of ['ArrowRight', 'ArrowDown', 'ArrowRight']) await keyboard.press(key);
    assert.match(String(await active()), /^order_status, gpt-5\.4-nano: \d of 5 passed/);
    await keyboard.press('Enter');
    const dialog = page.getByRole('dialog', { name: 'order_status with gpt-5.4-nano' });
    await dialog.getByRole('listitem').nth(4).waitFor();
    await dialog.getByRole('button', { name: 'Compare Sample 2' }).focus();
    await keyboard.press('Enter');
    await dialog.waitFor({ state: 'detached' });
    assert.match(String(await active()), /^order_status, gpt-5\.4-nano/);
    await keyboard.press('Control+Home');
    await keyboard.press('Enter');
    await page.getByRole('button', { name: 'claude-haiku-4-5', exact: true }).press('Enter');
    const sorted = page.getByRole('columnheader', { name: /claude-haiku-4-5/ });
    assert.equal(await sorted.getAttribute('aria-sort'), 'ascending');
    const rates = await page.locator('tbody tr:not(.totals) td:last-child .pass-rate').allTextContents();
    assert.deepEqual(rates, [...rates].sort());
    await page.getByRole('button', { name: 'Adopt gpt-5.4-nano…' }).press('Enter');
    const { casePath } = SMALL.cases[1] ?? { casePath: '' };
    assert.deepEqual(calls, [
      ['compare', { casePath, model: 'gpt-5.4-nano', sample: 2 }],
      ['openCase', { casePath: SMALL.cases[0]?.casePath }],
      ['adopt', { model: 'gpt-5.4-nano' }],
    ]);
  });

  it('shows one measure, beside that of the tape, and sorts by it', async () => {
    const { page } = await open(shown(SMALL));
    await page.getByRole('button', { name: 'Cost' }).press('Enter');
    await page.getByRole('button', { name: 'gpt-4o-mini', exact: true }).press('Enter');
    assert.equal(
      await page
        .getByRole('columnheader', { name: /gpt-4o-mini/ })
        .last()
        .getAttribute('aria-sort'),
      'descending',
    );
    const first = page.locator('tbody tr:not(.totals)').first().locator('td').nth(1).locator('.measure');
    assert.match((await first.textContent()) ?? '', /^\$0\.0013 .* \+94%$/);
    assert.equal(await first.count(), 1);
  });

  it('opens the comparison of a single sample at once, and tells why another has none', async () => {
    const single = trialOf(2, 5, 1);
    const error = { sample: 1, verdict: 'error', failure: '429 Too Many Requests', durationMs: 12 } as const;
    const cells = single.cells.map((cell) =>
      cell.model === MODELS[4] ? cellOf(cell.casePath, cell.model, [error]) : cell,
    );
    const { page, calls } = await open(shown({ ...single, cells }));
    await page.getByRole('button', { name: /^refund_question, gpt-4o-mini/ }).click();
    await page.getByRole('button', { name: /^refund_question, local\/own-model: 0 of 1 passed 1 error/ }).click();
    await page.getByRole('dialog').getByText('429 Too Many Requests').waitFor();
    assert.equal(await page.getByRole('dialog').getByRole('button').count(), 1);
    assert.deepEqual(calls, [['compare', { casePath: single.cases[0]?.casePath, model: MODELS[0], sample: 1 }]]);
    assert.equal(await page.getByRole('button', { name: `Adopt ${MODELS[4]}…` }).isDisabled(), true);
  });

  it('follows the recording, is cancelled, and goes on', async () => {
    const part = withoutSamples(7) ?? SMALL;
    const running = [{ casePath: SMALL.cases[2]?.casePath ?? '', model: MODELS[1] ?? '', sample: 3 }];
    const { page, calls, show } = await open(shown(part, { progress: { done: 37, of: 90, running } }));
    assert.equal(await page.getByRole('progressbar', { name: 'Samples recorded' }).getAttribute('value'), '37');
    await page.getByText('recording 3 more…').waitFor();
    assert.equal(
      await page
        .getByRole('button', { name: /^Adopt/ })
        .first()
        .isDisabled(),
      true,
    );
    await page.getByRole('button', { name: 'Cancel', exact: true }).click();
    show(shown(part));
    await page.getByRole('status').getByText('The recording ended before all samples were recorded.').waitFor();
    await page.getByRole('button', { name: 'Record Missing Samples…' }).click();
    show(shown(part, { progress: { done: 89, of: 90, running: [] } }));
    show(shown(SMALL));
    await page.getByRole('status').getByText('All samples are recorded.').waitFor();
    assert.deepEqual(
      calls,
      [
        ['cancel', null],
        ['goOn', null],
      ].map(([method]) => [method, undefined]),
    );
  });

  it('says why there is nothing to show, and runs nothing in Restricted Mode', async () => {
    const notice = 'This workspace is in Restricted Mode.';
    const { page, show } = await open({ folder: 'file:///project', current: [], canRun: false, notice });
    await page.getByRole('status').getByText(notice).waitFor();
    assert.equal(await page.getByRole('table').count(), 0);
    show(shown(withoutSamples(3) ?? SMALL, { canRun: false }));
    assert.equal(await page.getByRole('button', { name: 'Record Missing Samples…' }).isDisabled(), true);
    for (const adopt of await page.getByRole('button', { name: /^Adopt/ }).all())
      assert.equal(await adopt.isDisabled(), true);
  });

  it('keeps the headers where twenty cases and five models scroll', async () => {
    const { page } = await open(shown(LARGE), { width: 800 });
    const grid = page.getByRole('region', { name: 'Results' });
    await grid.evaluate((element) => element.scrollTo(700, 900));
    const box = await grid.boundingBox();
    const corner = await page.getByRole('columnheader', { name: 'Case' }).boundingBox();
    assert.deepEqual(
      [Math.round(corner?.x ?? 0), Math.round(corner?.y ?? 0)],
      [Math.round(box?.x ?? 0) + 1, Math.round(box?.y ?? 0) + 1],
    );
    assert.equal(await page.evaluate('document.documentElement.scrollHeight <= innerHeight'), true);
  });

  it('shows hostile names and messages as text', async () => {
    const texts = Object.values(HOSTILE_TEXTS).filter((text) => text.length < 1000);
    const cases = texts.map((name, at) => ({ casePath: `${at}.toml`, name, refusal: name }));
    const sample = (failure: string) => ({ sample: 1, verdict: 'failed' as const, failure, durationMs: 1 });
    const models = texts.slice(0, 3);
    const cells = cases.flatMap(({ casePath, name }) => models.map((model) => cellOf(casePath, model, [sample(name)])));
    const { page } = await open(
      shown({ models, samples: 1, cases, cells, isComplete: true }, { notice: texts.join(' ') }),
    );
    await page.locator('.trial-cell').nth(4).click();
    await page.getByRole('dialog').waitFor();
    assert.equal(await page.evaluate('"pwned" in window'), false);
    assert.equal(await page.locator('#root :is(script, iframe, img, a, form, style, object)').count(), 0);
  });

  for (const theme of SEES_ALL ? THEMES : [])
    for (const [state, one] of Object.entries(RARE))
      it(`finds nothing in ${theme}: ${state}`, async () => {
        const { page } = await open(one, { theme });
        assert.deepEqual(await violationsAtAnyZoom(page), []);
      });

  for (const theme of THEMES)
    it(`looks at home in ${theme}, and axe finds nothing`, async () => {
      const { page, shoot } = await open(shown(LARGE), { theme, width: 1600 });
      assert.deepEqual(await violationsAtAnyZoom(page), []);
      await shoot(`trial-${theme}`);
      await page.setViewportSize({ width: 900, height: 700 });
      await shoot(`trial-900-${theme}`);
      await page.getByRole('button', { name: /^refund_question, local/ }).click();
      await page.getByRole('dialog').waitFor();
      assert.deepEqual(await violationsAtAnyZoom(page), []);
      await shoot(`trial-samples-${theme}`);
      await page.keyboard.press('Escape');
      await page.setViewportSize({ width: 400, height: 900 });
      assert.deepEqual(await violationsAtAnyZoom(page), []);
      await shoot(`trial-narrow-${theme}`);
    });
});
