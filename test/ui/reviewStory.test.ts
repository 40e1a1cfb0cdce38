import * as assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { engine } from '../harness/builtEngine';
import { pressCommand } from '../harness/keyboard';
import { stopAtFailure } from '../harness/stopAtFailure';
import { endAfterAll, type Story, startStory } from '../harness/story';
import { shoot, webviewFrame } from '../harness/vscode/workbench.mjs';
import { commitCases, firstTake, recordAgain, secondTake, tapeOf } from './reviewStoryCases';

/**
 * Three re-recorded cases, one of them with ignored differences only, are reviewed by keyboard alone, and the accepted
 * files are staged.
 */
describe('a review by the keyboard, from the queue to the index', () => {
  stopAtFailure();
  let story: Story;
  let page: Page;

  before(async () => {
    story = await startStory();
    page = story.page;
    commitCases(story);
    recordAgain(story);
    await watchTheMouse(page);
  });
  endAfterAll(() => story, 'review-story');

  const review = () => webviewFrame(page);
  const heading = (name: RegExp) => review().getByRole('heading', { name });
  const queued = (name: string) =>
    page
      .locator('.pane')
      .filter({ has: page.locator('.pane-header[aria-label^="Review"]') })
      .locator('.monaco-list-row')
      .filter({ hasText: name })
      .first();
  const check = (...args: string[]) => engine(['check', ...args], { cwd: story.workspace });
  const onDisk = (name: Parameters<typeof tapeOf>[0]) => story.read(tapeOf(name));

  /** Focuses the page of the review, so that it receives keys. */
  async function pressInReview(key: string): Promise<void> {
    const hasFocus = () =>
      review()
        .locator('body')
        .evaluate((body) => body.ownerDocument.hasFocus());
    if (!(await hasFocus())) await pressCommand(page, 'View: Focus Active Editor Group');
    for (const end = Date.now() + 15_000; !(await hasFocus()); await page.waitForTimeout(50))
      if (Date.now() > end) throw new Error('the review never has the focus');
    await page.keyboard.press(key);
  }

  it('begins with two pending files and one that is only noise: the command line says so, too', async () => {
    const { code, stdout } = await check();
    assert.equal(code, 1);
    assert.match(stdout, /^tapes\/invoice\.tape\.json \(tape\): 1 pending change\n {2}Response/);
    assert.match(stdout, /tapes\/parcel\.tape\.json \(tape\): 2 pending changes\n {2}Arguments of find_order/);
    assert.match(stdout, /1 file with ignored differences only/);
    story.git('add', '-A');
    const staged = await check('--staged');
    assert.deepEqual([staged.code, staged.stdout], [code, stdout], 'what would be committed is not decided');
    story.git('reset', '-q');
  });

  it('lists them in the queue', async () => {
    await pressCommand(page, 'Tapedeck: Focus on Review View');
    await queued('invoice.tape.json').waitFor();
    await queued('parcel.tape.json').waitFor();
    assert.match((await queued('Ignored Differences').textContent()) ?? '', /1/);
  });

  it('opens the first, and shows what changed in its answer', async () => {
    await pressCommand(page, 'Tapedeck: Review Changes');
    await heading(/1 change in invoice\.tape\.json$/).waitFor();
    await review().locator('.monaco-diff-editor .char-insert, .monaco-diff-editor .line-insert').first().waitFor();
    await shoot(page, 'review-story-1-open');
  });

  it('is read as text by its key, and has its help', async () => {
    await pressInReview('Alt+F2');
    await page.locator('.editor-instance .view-lines').getByText('Compared with the last commit').waitFor();
    await shoot(page, 'review-story-1-as-text');
    await pressCommand(page, 'Tapedeck: Review Changes');
    await heading(/1 change in invoice\.tape\.json$/).waitFor();
    await pressInReview('Alt+F1');
    await review().getByRole('dialog').getByText('Screen Readers').waitFor();
    await pressInReview('Escape');
  });

  it('accepts one, and goes on to the next', async () => {
    await pressInReview('a');
    await heading(/2 changes in parcel\.tape\.json$/).waitFor();
    await queued('invoice.tape.json').filter({ hasText: '1 accepted' }).waitFor();
    assert.equal(onDisk('invoice'), secondTake('invoice'));
    await shoot(page, 'review-story-2-accepted');
  });

  it('rejects the other, and its tape is as it was committed', async () => {
    await pressInReview('n');
    await pressInReview('p');
    await pressInReview('r');
    await heading(/1 change in parcel\.tape\.json$/).waitFor();
    await pressInReview('r');
    await heading(/^Nothing left to review$/).waitFor();
    // The page shows a decision before the host has carried it out.
    await queued('parcel.tape.json').filter({ hasText: '1 rejected' }).waitFor();
    assert.equal(onDisk('parcel'), firstTake('parcel'));
    await shoot(page, 'review-story-3-rejected');
  });

  it('takes that back, and the recording is there again', async () => {
    await pressInReview('z');
    await heading(/1 change in parcel\.tape\.json$/).waitFor();
    await pressInReview('z');
    await heading(/2 changes in parcel\.tape\.json$/).waitFor();
    assert.equal(onDisk('parcel'), secondTake('parcel'));
    await queued('parcel.tape.json').filter({ hasText: 'Arguments of find_order' }).waitFor();
    await shoot(page, 'review-story-4-undone');
  });

  it('decides again', async () => {
    await pressInReview('r');
    await heading(/1 change in parcel\.tape\.json$/).waitFor();
    await pressInReview('r');
    await heading(/^Nothing left to review$/).waitFor();
    await queued('parcel.tape.json').filter({ hasText: '1 rejected' }).waitFor();
    assert.equal(onDisk('parcel'), firstTake('parcel'));
  });

  it('stages what was accepted, and nothing else', async () => {
    await pressCommand(page, 'Tapedeck: Stage Accepted');
    await page
      .locator('.notification-toast')
      .filter({ hasText: `Staged ${tapeOf('invoice')}` })
      .waitFor();
    assert.equal(story.git('diff', '--cached', '--name-only'), `${tapeOf('invoice')}\n`);
    assert.equal(story.git('show', `:${tapeOf('invoice')}`), secondTake('invoice'));
    assert.equal(story.git('status', '--porcelain'), `M  ${tapeOf('invoice')}\n M ${tapeOf('returns')}\n`);
    await shoot(page, 'review-story-5-staged');
  });

  it('leaves nothing to decide, in the index and out of it', async () => {
    const staged = await check('--staged');
    assert.equal(staged.code, 0);
    assert.match(staged.stdout, /^no pending changes; 1 accepted(?:; \d+ differences? ignored by rules)?\n$/);
    const all = await check();
    assert.equal(all.code, 0);
    assert.match(
      all.stdout,
      /^no pending changes; 1 accepted; 1 file with ignored differences only; \d+ differences? ignored by rules\n$/,
    );
    assert.equal(await page.locator('body[data-mouse-used]').count(), 0, 'no mouse was used');
  });
});

/** Fails the story on any click, so that it uses the keyboard alone. */
async function watchTheMouse(page: Page): Promise<void> {
  await page.evaluate(() =>
    document.addEventListener('mousedown', () => document.body.setAttribute('data-mouse-used', ''), true),
  );
}
