import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import { resolve } from 'node:path';
import { useReviewPages } from '../harness/pages/reviewPageRig';
import type { PageTheme } from '../harness/pages/reviewPages';
import themes from '../harness/pages/reviewPageThemes.json';
import { comparison, manyChanges, recordingReview, tapeReview } from './reviewPageTapes';

const SCREENSHOTS = resolve(__dirname, '../screenshots/actual');
/** One red and one blue pixel. */
const RED = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==';
const BLUE = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==';

describe('the review of a tape, in a browser', function () {
  this.timeout(60_000);
  const open = useReviewPages();

  it('says what changed in words and numbers, first of all', async () => {
    const { page } = await open(tapeReview());
    await page.getByText('Compared with the last commit · 1 accepted · 1 rejected').waitFor();
    const numbers = (await page.locator('.measures').innerText()).replace(/\s+/g, ' ');
    assert.equal(numbers, 'interactions 4 +1 tool calls 2 tokens in 1,310 +9% cost $0.0047 +13% latency 2.3 s −33%');
    await page.getByText('2 of 4').waitFor();
  });

  it('lists the changes by interaction, and what is decided about them', async () => {
    const { page } = await open(tapeReview());
    assert.deepEqual(await page.locator('.interaction-row').allInnerTexts(), [
      'Interaction 1',
      'Interaction 2',
      'Interaction 3',
      'Interaction 4',
    ]);
    const states = await page.locator('.change').evaluateAll((rows) => rows.map((row) => row.className));
    assert.deepEqual(states, [
      'change pending',
      'change pending',
      'change rejected',
      'change accepted',
      'change pending',
    ]);
    await page.locator('.change.rejected').click();
    await page.getByText('no fees without asking').waitFor();
  });

  it('shows a recording as one item: what is decided with its result, and what only the result has', async () => {
    const { page } = await open(recordingReview());
    await page.getByRole('heading', { name: '3 changes in order' }).waitFor();
    await page.getByText('Tape and result, compared with the last commit and the baseline').waitFor();
    assert.deepEqual(await page.locator('.interaction-row').allInnerTexts(), ['Interaction 2', 'Result of the run']);
    await page.getByText('Also applies to the result of the run: Text of message 2').waitFor();
    await page.keyboard.press('n');
    await page.getByText('Also applies to the result of the run: Output, Response').waitFor();
    await page.screenshot({ path: resolve(SCREENSHOTS, 'review-recording.png') });
    await page.keyboard.press('n');
    assert.deepEqual(await page.locator('.sides span').allTextContents(), ['Baseline', 'This run']);
    await page.screenshot({ path: resolve(SCREENSHOTS, 'review-recording-result.png') });
  });

  it('does not offer to stage what was staged, also where a decided change is shown', async () => {
    const state = tapeReview();
    const changes = state.changes.map((one) => ({ ...one, decision: 'accepted' as const }));
    const { page } = await open({ ...state, changes, queue: { position: 1, total: 1, othersOpen: 0 } });
    await page.locator('.change').first().click();
    const stage = page.locator('.summary').getByRole('button', { name: 'Stage', exact: true });
    await stage.click();
    await stage.waitFor({ state: 'detached' });
  });

  it('shows a comparison of any two tapes, in which there is nothing to decide', async () => {
    const { page, host } = await open(comparison());
    await page.getByText('refund.tape.json, compared with refund.tape.json in 3f2a1c9').waitFor();
    await page.getByRole('heading', { name: '3 changes in refund.tape.json' }).waitFor();
    for (const name of ['Accept', 'Reject', 'Undo', 'Accept All', 'Stage'])
      assert.equal(await page.getByRole('button', { name }).count(), 0, name);
    assert.equal(await page.locator('.note, .queue-navigation, .foot kbd').count(), 0);
    assert.doesNotMatch((await page.locator('.change-list').textContent()) ?? '', /pending/);
    for (const key of ['a', 'r', 'z', 'Shift+A']) await page.keyboard.press(key);
    await page.keyboard.press('n');
    await page.locator('.change[aria-current="true"]', { hasText: 'Arguments of refund' }).waitFor();
    assert.deepEqual(await page.locator('.sides span').allTextContents(), [
      'refund.tape.json in 3f2a1c9',
      'refund.tape.json',
    ]);
    assert.deepEqual(
      host.calls.map(([method]) => method).filter((method) => method !== 'texts'),
      [],
    );
    host.change({ changes: [] });
    await page.getByRole('heading', { name: 'No differences' }).waitFor();
  });

  it('marks what was looked at, and unmarks it', async () => {
    const { page } = await open(tapeReview());
    await page.keyboard.press('n');
    await page.locator('.change.viewed').waitFor();
    await page.keyboard.press('p');
    await page.keyboard.press('v');
    await page.locator('.change.viewed').first().locator('.title', { hasText: 'Arguments of refund' }).waitFor();
  });

  it('decides about an interaction, with the note that was written', async () => {
    const { page, host } = await open(
      tapeReview({ changes: manyChanges(10), queue: { position: 1, total: 1, othersOpen: 0 } }),
    );
    await page.keyboard.press('e');
    await page.keyboard.type('as agreed');
    await page.keyboard.press('Enter');
    await page.keyboard.press('i');
    await page.getByText('5 changes in refund.tape.json').waitFor();
    assert.deepEqual(host.calls, [
      ['decide', { verdict: 'accepted', changes: ['c0', 'c1', 'c2', 'c3', 'c4'], stamp: 'run-2', reason: 'as agreed' }],
    ]);
  });

  it('finds changes, lists one kind of them, and accepts only what is listed', async () => {
    const { page, titles, decided } = await open(tapeReview());
    await page.keyboard.press('/');
    await page.keyboard.type('working days');
    await page.getByText('1 of 5').waitFor();
    assert.deepEqual(await titles(), ['Answer']);
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Context 1' }).click();
    assert.deepEqual(await titles(), ['Text of message 1']);
    await page.keyboard.press('A');
    await page.locator('main[aria-busy="false"]').waitFor();
    assert.deepEqual(decided(), [['accepted', ['system']]]);
  });

  it('goes on to the next file behind the last change, and when the last one is decided', async () => {
    const { page, host, selected } = await open(tapeReview());
    host.others = [{ caseUri: 'other', caseName: 'other.tape.json', stamp: 'o', changes: manyChanges(2) }];
    await page.locator('.change').last().click();
    await page.keyboard.press('n');
    await page.getByText('2 changes in other.tape.json').waitFor();
    host.others = [tapeReview({ stamp: 'again' })];
    await page.keyboard.press('A');
    await page.getByText('3 changes in refund.tape.json').waitFor();
    assert.equal(await selected(), 'Text of message 1');
    assert.deepEqual(
      host.calls.filter(([method]) => method === 'go').map(([, to]) => to),
      [{ to: 'next' }, { to: 'open' }],
    );
  });

  it('ends with what comes next: another file, or the commit', async () => {
    const { page, host } = await open(tapeReview({ queue: { position: 1, total: 3, othersOpen: 2 } }));
    host.change({ changes: [], hidden: [], queue: { position: 1, total: 3, othersOpen: 2 } });
    await page.locator('.calm').getByRole('button', { name: 'Next File' }).click();
    host.change({ queue: { position: 0, total: 3, othersOpen: 0 }, stageable: 2 });
    await page.getByText('All 3 files are reviewed.').waitFor();
    await page.getByRole('button', { name: 'Stage All Accepted' }).click();
    await page.getByRole('button', { name: 'Stage All Accepted' }).waitFor({ state: 'detached' });
    assert.equal(await page.locator('.hints').textContent(), 'N nextZ undo');
    await page.getByRole('button', { name: 'Open Source Control' }).click();
    for (let i = 0; i < 50 && host.calls.length < 3; i++) await page.waitForTimeout(20);
    assert.deepEqual(host.calls, [
      ['go', { to: 'open' }],
      ['stageAll', undefined],
      ['openSourceControl', undefined],
    ]);
    host.change({ queue: { position: 0, total: 0, othersOpen: 0 }, canUndo: false, stageable: 0 });
    await page.getByRole('button', { name: 'Undo' }).waitFor({ state: 'detached' });
    assert.equal(await page.locator('.hints').textContent(), '');
  });

  it('fetches long texts when their change is looked at', async () => {
    const changes = manyChanges(3).map((change) => ({
      ...change,
      before: '',
      after: '',
      deferred: { preview: 'long' },
    }));
    const { page, host, textIn } = await open(tapeReview({ changes: [] }));
    host.texts.set('c1', { before: 'a long text', after: 'a longer text' });
    host.change({ changes });
    await page.locator('.change').nth(1).click();
    await page.getByText('a longer text').waitFor();
    assert.equal(await textIn('original'), 'a long text');
  });

  it('shows two pictures side by side, and loads none from elsewhere', async () => {
    const picture = (base64: string) => JSON.stringify({ type: 'image', mime: 'image/png', base64 });
    const far = JSON.stringify({ type: 'image', url: 'https://pictures.example/x.png' });
    const media = { title: 'Media', subject: 'media', language: 'json' } as const;
    const [first, second] = manyChanges(2);
    assert.ok(first && second);
    const changes = [
      { ...first, ...media, before: picture(RED), after: picture(BLUE) },
      { ...second, ...media, before: picture(RED), after: far },
    ];
    const { page } = await open(tapeReview({ changes }));
    const pictures = page.locator('.media-sides img');
    await pictures.nth(1).waitFor();
    assert.deepEqual(
      await pictures.evaluateAll((all) => all.map((one) => (one as HTMLImageElement).naturalWidth)),
      [1, 1],
    );
    await page.keyboard.press('n');
    await page.locator('.media-sides', { hasText: 'pictures.example' }).waitFor();
    assert.equal(await pictures.count(), 1);
  });

  it('says when tapes were compared coarsely', async () => {
    const { page } = await open(tapeReview({ notices: ['Their interactions are compared by position.'] }));
    await page.locator('.notice', { hasText: 'compared by position' }).waitFor();
  });

  describe('with 500 changes', () => {
    const changes = manyChanges(500);

    it('has on the page what is in view, and goes through all of them', async () => {
      const { page, incidents, selected } = await open(tapeReview({ changes }));
      await page.getByText('500 changes in refund.tape.json').waitFor();
      const rows = page.locator('.change');
      assert.ok((await rows.count()) < 60, `${await rows.count()} rows`);
      for (let press = 0; press < 60; press++) await page.keyboard.press('n');
      assert.equal(await selected(), 'Answer');
      await page.locator('.interaction-row', { hasText: 'Interaction 13' }).waitFor();
      assert.ok(await page.locator('.change[aria-current="true"]').isVisible());
      await page.locator('.change-list').evaluate((list) => list.scrollTo(0, list.scrollHeight));
      await page.locator('.interaction-row', { hasText: 'Interaction 100' }).waitFor();
      assert.ok((await rows.count()) < 60);
      assert.deepEqual(incidents.errors, []);
    });

    it('decides and filters among them', async () => {
      const { page, decided } = await open(tapeReview({ changes, queue: { position: 1, total: 1, othersOpen: 0 } }));
      await page.getByRole('button', { name: 'Numbers 100' }).click();
      await page.getByText('100 of 500').waitFor();
      await page.keyboard.press('A');
      await page.getByText('400 changes in refund.tape.json').waitFor();
      assert.equal((decided()[0] as [string, string[]])[1].length, 100);
    });

    it('comes back after a reload where it was left', async () => {
      const caseUri = 'file:///project/tapes/refund.tape.json';
      const stored = { caseUri, sideBySide: true, selected: 'c433', viewed: ['c432', 'c434'] };
      const { page } = await open(tapeReview({ changes }), { stored });
      const row = page.locator('.change[aria-current="true"]');
      await row.waitFor();
      assert.ok(await row.isVisible());
      await page.locator('.interaction-row', { hasText: 'Interaction 87' }).waitFor();
      await page.locator('.change.viewed').nth(1).waitFor();
      assert.equal(await page.locator('.change.viewed').count(), 2);
      await page.keyboard.press('n');
      await page.waitForFunction('storedState.selected !== "c433"');
      assert.deepEqual(await page.evaluate('storedState'), {
        ...stored,
        selected: 'c434',
        viewed: ['c432', 'c434', 'c433'],
      });
    });
  });

  describe('screenshots', () => {
    before(() => void mkdirSync(SCREENSHOTS, { recursive: true }));
    for (const theme of Object.keys(themes) as PageTheme[])
      it(theme, async () => {
        const { page, incidents, diffShown } = await open(tapeReview(), { theme });
        await page.keyboard.press('n');
        await diffShown();
        await page.screenshot({ path: `${SCREENSHOTS}/review-tape-${theme}.png` });
        assert.deepEqual(incidents.errors, []);
      });
  });
});
