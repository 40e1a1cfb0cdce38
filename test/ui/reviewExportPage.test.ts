import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Browser, Page } from 'playwright-core';
import { clipChange } from '../../src/core/export/clipChange';
import { type PageReview, REVIEW_PAGE_LIMITS, reviewPage } from '../../src/core/export/reviewHtml';
import { violations } from '../harness/axe';
import { launchBrowser } from '../harness/pages/transcriptPages';
import { inFolder } from '../harness/support';
import { HOSTILE_TEXTS } from './hostileContent';
import { marksOfContent } from './inertPage';
import { FIRST_RUN } from './reviewPageChanges';
import { tapeReview } from './reviewPageTapes';

const { changes, hidden } = tapeReview();
const DOT = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==';
const [first] = changes;

const REVIEWS: readonly PageReview[] = [
  {
    path: 'tapes/refund_question.tape.json',
    kind: 'tape',
    against: 'the last commit',
    changes: changes.map(({ deferred: _, ...change }) => change),
    hidden,
    notices: ['Their interactions are compared by position.'],
    measures: [
      { name: 'interactions', before: 2, after: 3 },
      { name: 'tokens in', before: 1204, after: 1310 },
      { name: 'cost', before: 0.0011, after: 0.0013 },
      { name: 'latency', before: 1200 },
    ],
  },
  {
    path: 'cases/greeting.toml',
    kind: 'run',
    against: 'the baseline',
    changes: [
      { ...FIRST_RUN, decision: 'open' },
      ...(first === undefined
        ? []
        : [
            {
              ...first,
              id: 'media',
              subject: 'media' as const,
              before: '',
              after: JSON.stringify({ type: 'image', mime: 'image/png', base64: DOT }),
              decision: 'rejected' as const,
              reason: 'not this picture',
            },
          ]),
    ],
    hidden: [],
    notices: [],
    measures: [],
  },
];

const kept = (change: PageReview['changes'][number]) => ({ ...change, ...clipChange(change, REVIEW_PAGE_LIMITS.text) });

describe('a review as a page', function () {
  this.timeout(240_000);
  let browser: Browser;
  before(async () => {
    browser = await launchBrowser();
  });
  after(() => browser.close());

  /** Opens a page from the disk, without a network. */
  async function opened(
    reviews: readonly PageReview[],
    test: (page: Page, requests: readonly string[]) => Promise<void>,
  ) {
    await inFolder(async (folder) => {
      const path = join(folder, 'review.html');
      const clipped = reviews.map((review) => ({ ...review, changes: review.changes.map(kept) }));
      await writeFile(path, reviewPage('sample', clipped).html);
      const context = await browser.newContext({ offline: true });
      const page = await context.newPage();
      const requests: string[] = [];
      const problems: string[] = [];
      page.on('request', (request) => requests.push(request.url()));
      page.on('console', (message) => problems.push(message.text()));
      page.on('pageerror', (error) => problems.push(String(error)));
      try {
        await page.goto(pathToFileURL(path).href);
        await test(page, requests);
        assert.deepEqual(problems, []);
      } finally {
        await context.close();
      }
    });
  }

  it('has nothing for axe to find, in light and dark, wide and narrow', async () => {
    await opened(REVIEWS, async (page) => {
      // axe is a script of the test's own, for which the page has no permission.
      for (const colorScheme of ['light', 'dark'] as const)
        for (const width of [1200, 400]) {
          await page.emulateMedia({ colorScheme });
          await page.setViewportSize({ width, height: 800 });
          assert.deepEqual(await violations(page), [], `${colorScheme}, ${width}`);
          const wide = await page.evaluate(
            () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
          );
          assert.ok(wide <= 1, `it is ${wide} pixels wider than its window`);
          const folder = process.env.TAPEDECK_PICTURES;
          if (folder)
            await page.screenshot({ path: join(folder, `review-${colorScheme}-${width}.png`), fullPage: true });
        }
    });
  });

  it('is read with the keyboard, and printed whole', async () => {
    await opened(REVIEWS, async (page) => {
      const focused = () => page.evaluate(() => document.activeElement?.textContent ?? '');
      await page.keyboard.press('Tab');
      assert.equal(await focused(), 'tapes/refund_question.tape.json');
      await page.keyboard.press('Tab');
      assert.equal(await focused(), 'cases/greeting.toml');
      await page.keyboard.press('Enter');
      assert.match(page.url(), /#file-2$/);
      await page.locator('summary').first().focus();
      const change = page.locator('details').first();
      await page.keyboard.press('Enter');
      assert.equal(await change.getAttribute('open'), null);
      const text = await change
        .locator('pre')
        .first()
        .innerText({ timeout: 1000 })
        .catch(() => '');
      await page.emulateMedia({ media: 'print' });
      const lines = await page.evaluate(() => document.body.innerText);
      assert.ok(text.length === 0 || lines.includes(text.slice(0, 40)));
      for (const shown of ['Review of sample', 'pending', 'rejected', 'Reason: not this picture', '+ ', '- '])
        assert.ok(lines.includes(shown), shown);
      assert.ok(await change.locator('.content').first().isVisible(), 'what is closed is printed as well');
    });
  });

  it('is inert, whatever was recorded', async () => {
    assert.ok(first !== undefined);
    const base = first;
    const texts = Object.values(HOSTILE_TEXTS);
    const hostile = texts.map((text, index) => ({
      ...base,
      id: String(index),
      title: text.slice(0, 400),
      reason: text.slice(0, 400),
      decision: 'accepted' as const,
      subject: index % 3 === 0 ? ('media' as const) : ('text' as const),
      before: index % 3 === 0 ? JSON.stringify({ mime: text, base64: DOT, url: text }) : text,
      after: index % 3 === 0 ? JSON.stringify({ mime: 'image/png', base64: text }) : `${text} after`,
      recording: index % 5 === 0 ? [{ title: text, text, language: 'plaintext' as const }] : [],
    }));
    const reviews = texts.map((text, index) => ({
      path: `${text.slice(0, 300)}.json`,
      kind: 'tape',
      against: text.slice(0, 100),
      changes: hostile.slice(index, index + 1),
      hidden: hostile.slice(index, index + 1).map((change) => ({ ...change, rules: [text.slice(0, 100)] })),
      notices: [text.slice(0, 300)],
      measures: [],
    }));
    await opened(reviews, async (page, requests) => {
      await page.locator('section > details').evaluateAll((all) => {
        for (const one of all) one.setAttribute('open', '');
      });
      await page.mouse.move(400, 300);
      await page.waitForLoadState('load');
      assert.deepEqual(await marksOfContent(page), []);
      assert.equal(requests.filter((url) => !url.startsWith('data:')).length, 1, requests.join('\n').slice(0, 1000));
    });
  });

  it('says what it has no room for, and stays below its limit', () => {
    assert.ok(first !== undefined);
    const many = Array.from({ length: 30 }, (_, id) => ({
      ...first,
      id: String(id),
      before: 'a '.repeat(400),
      after: 'b',
    }));
    const review = { ...REVIEWS[0], changes: many, hidden: [], notices: [] } as PageReview;
    const limits = { text: 500, texts: 6000, page: 9000 };
    const { html, leftOut } = reviewPage('sample', [review], limits);
    assert.ok(leftOut > 10 && leftOut < 30);
    assert.ok(Buffer.byteLength(html) < limits.page + 6000, String(html.length));
    assert.match(html, /To keep this page small, the texts of \d+ changes, and \d+ changes are left out\./);
    assert.match(html, /The page ends here: it is too large for \d+ more changes\./);
  });
});
