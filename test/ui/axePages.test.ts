import * as assert from 'node:assert/strict';
import type { Browser, Page } from 'playwright-core';
import { SEES_ALL, violationsAtAnyZoom } from '../harness/axe';
import { launchBrowser, THEMES, TranscriptFixture } from '../harness/pages/transcriptPages';
import { sampleDrift } from './sampleDrift';
import { codeTape, codingTape, EARLIER, hostileTape, ordersTape, tape } from './transcriptPageTapes';
import { wireTape } from './wireTape';

/** The states of the page, and the steps that lead to each. */
const STATES: Readonly<Record<string, (page: Page, fixture: TranscriptFixture) => Promise<void>>> = {
  'the normal view': async () => undefined,
  'the summary': (page) => page.keyboard.press('1'),
  everything: (page) => page.keyboard.press('3'),
  'a search': async (page) => {
    await page.keyboard.press('/');
    await page.keyboard.type('order');
    await page.locator('.find-count').getByText(/of \d/).waitFor();
  },
  'the source of an interaction': async (page) => {
    await page.keyboard.press('x');
    await page.locator('.source').waitFor();
  },
  'the outline': async (page) => {
    await page.keyboard.press('o');
    await page.getByRole('navigation').first().waitFor();
  },
  'a filter': async (page) => {
    await page.keyboard.press('f');
    await page.locator('.filter-bar').waitFor();
  },
  'the keys': (page) => page.keyboard.press('?'),
  'a drift': async (page, fixture) => {
    fixture.drift([sampleDrift(0)]);
    await page.locator('.drift ins').first().waitFor();
  },
  'a drift without a diff': async (page, fixture) => {
    fixture.drift([{ ...sampleDrift(0), diff: [] }]);
    await page.getByText('Show explanation').click();
  },
  'what the tape took before': async (page, fixture) => {
    fixture.sendPreviousTotals(EARLIER);
    await page.locator('.delta').first().waitFor();
  },
  'an open menu': async (page) => {
    await page.keyboard.press('.');
    await page.getByRole('menu').waitFor();
  },
  'what a redaction would change': async (page, fixture) => {
    fixture.secret = 'NP-88231';
    await page.keyboard.press('.');
    await page.getByRole('menuitem', { name: 'Redact' }).press('Enter');
    await page.getByRole('dialog').waitFor();
  },
  'an answer being edited': async (page) => {
    await page.keyboard.press('F2');
    await page.locator('.response-editor').waitFor();
  },
  'a mistake in what is typed': async (page) => {
    await page.keyboard.press('F2');
    await page.getByLabel('Arguments of lookup_order').fill('{');
    await page.locator('.editor-problem').waitFor();
  },
};

/** Further states, in other tapes; in all themes only with `TAPEDECK_AXE=all`. */
const MORE: Readonly<
  Record<string, readonly [tape: string, reach: (page: Page, fixture: TranscriptFixture) => Promise<unknown>]>
> = {
  'the calls of well-known tools': [codingTape(), (page) => page.locator('.edit-lines').waitFor()],
  'code in colours': [
    codeTape(),
    async (page) => {
      await page.keyboard.press('3');
      await page.locator('.markdown .code-keyword').first().waitFor();
      await page.locator('.tool-call .code-keyword').first().waitFor();
    },
  ],
  'the arguments of a well-known tool': [
    codingTape(),
    (page) => page.getByRole('button', { name: 'Show Arguments' }).first().click(),
  ],
  'well-known tools in a summary': [codingTape(), (page) => page.keyboard.press('1')],
  'a filter that nothing matches': [
    ordersTape(),
    async (page) => {
      await page.keyboard.press('f');
      await page.keyboard.type('model:nobody');
      await page.getByText('No messages match').waitFor();
    },
  ],
  'the outline while the conversation has the focus': [
    ordersTape(),
    async (page) => {
      await page.keyboard.press('o');
      await page.locator('article[data-interaction="1"]').first().focus();
      await page.locator('.outline-line').nth(2).hover();
    },
  ],
  'failures, silent changes and other traffic': [wireTape(), (page) => page.keyboard.press('3')],
  'a response that is played': [
    wireTape(),
    async (page) => {
      await page.locator('.play').first().click();
      await page.locator('.played').waitFor();
    },
  ],
  'a run': [
    ordersTape(),
    async (page, fixture) => {
      fixture.play({ mode: 'replay', interaction: 1, summary: 'calls lookup_order' });
      await page.getByText('Now playing').waitFor();
    },
  ],
  'a broken tape': [
    ordersTape(),
    async (page, fixture) => {
      fixture.change(`${ordersTape().slice(0, -40)}`);
      await page.locator('.problems, .still').first().waitFor();
    },
  ],
  'a file that is no tape': [
    ordersTape(),
    async (page, fixture) => {
      fixture.change('{}');
      await page.locator('.still').waitFor();
    },
  ],
};

/** Looked over only with `TAPEDECK_AXE=all`. */
const RARE: typeof MORE = {
  'two drifts, one of them at an interaction that is gone': [
    ordersTape(),
    async (page, fixture) => {
      fixture.drift([sampleDrift(0), sampleDrift(17)]);
      await page.locator('.drift-strip button').nth(1).waitFor();
    },
  ],
  'a search without results': [
    ordersTape(),
    async (page) => {
      await page.keyboard.press('/');
      await page.keyboard.type('nothing like this');
      await page.locator('.find-count').getByText('No results').waitFor();
    },
  ],
  'an edit that failed': [
    ordersTape(),
    async (page, fixture) => {
      fixture.secret = 'no such value';
      await page.keyboard.press('.');
      await page.getByRole('menuitem', { name: 'Redact' }).press('Enter');
      await page.locator('.notice-failed').waitFor();
    },
  ],
  'a copy that was made': [
    ordersTape(),
    async (page) => {
      await page.keyboard.press('.');
      await page.getByRole('menuitem', { name: /^Copy/ }).first().press('Enter');
      await page.locator('.notice-done').waitFor();
    },
  ],
  'a recording': [
    ordersTape(),
    async (page, fixture) => {
      fixture.play({ mode: 'record', interaction: 1, summary: 'calls lookup_order' });
      await page.getByText('Recording interaction 2').waitFor();
    },
  ],
  'a tape without interactions': [tape('empty', []), async (page) => page.getByText('No interactions yet').waitFor()],
  'text of a recorder that tries everything': [hostileTape(), (page) => page.keyboard.press('3')],
  'text that is written from right to left': [
    tape('rtl', [
      { messages: [{ role: 'user', content: 'أين طلبي رقم 4711؟' }], response: 'طلبك في **الطريق**.', usage: [9, 4] },
    ]),
    (page) => page.keyboard.press('3'),
  ],
  'more problems than are shown': [
    ordersTape(),
    async (page, fixture) => {
      fixture.change(ordersTape().replaceAll('"role"', '"rule"'));
      await page.locator('.problems').waitFor();
      const all = page.getByRole('button', { name: /^Show All \d+ Problems/ });
      if (await all.isVisible()) await all.click();
    },
  ],
};

describe('the transcript page, looked over by axe', () => {
  let browser: Browser;

  before(async () => {
    browser = await launchBrowser();
  });
  after(() => browser.close());

  for (const theme of THEMES) {
    it(`finds nothing in ${theme}: a streamed answer that can be played`, async () => {
      const fixture = await TranscriptFixture.open(browser, wireTape(), { theme });
      const { page } = fixture;
      try {
        await page.getByLabel('Playback speed').waitFor();
        await page.getByLabel('Playback speed').focus();
        await fixture.shoot(`transcript-playback-${theme}`);
        assert.deepEqual(await violationsAtAnyZoom(page), []);
      } finally {
        await fixture.close();
      }
    });

    const more = SEES_ALL ? { ...MORE, ...RARE } : theme === 'light' ? MORE : {};
    for (const [state, [text, reach]] of Object.entries(more)) {
      it(`finds nothing in ${theme}: ${state}`, async () => {
        const fixture = await TranscriptFixture.open(browser, text, { theme });
        const { page } = fixture;
        try {
          await page.locator('article .message-body, .empty').first().waitFor();
          if (await page.locator('article').first().isVisible()) await page.locator('article').first().focus();
          await reach(page, fixture);
          assert.deepEqual(await violationsAtAnyZoom(page), []);
        } finally {
          await fixture.close();
        }
      });
    }

    for (const [state, reach] of Object.entries(STATES)) {
      it(`finds nothing in ${theme}: ${state}`, async () => {
        const fixture = await TranscriptFixture.open(browser, ordersTape(), { theme });
        const { page } = fixture;
        try {
          await page.locator('article').first().waitFor();
          await page.locator('article .message-body').first().waitFor();
          await page.locator('article').first().focus();
          await reach(page, fixture);
          assert.deepEqual(await violationsAtAnyZoom(page), []);
        } finally {
          await fixture.close();
        }
      });
    }
  }
});

describe('the transcript page for those who want nothing to move', () => {
  it('moves nothing', async () => {
    const browser = await launchBrowser();
    const fixture = await TranscriptFixture.open(browser, ordersTape(), { focus: 1 });
    const { page } = fixture;
    try {
      await page.locator('article').first().waitFor();
      await page.evaluate("document.body.classList.add('vscode-reduce-motion', 'vscode-using-screen-reader')");
      fixture.focus(2);
      await page.waitForFunction(() => document.activeElement?.getAttribute('data-interaction') === '2');
      await page.keyboard.press('.');
      await page.getByRole('menu').waitFor();
      const moving =
        'document.getAnimations().filter((one) => one.playState === "running" && one.effect.getTiming().duration > 0).length';
      assert.equal(await page.evaluate(moving), 0);
    } finally {
      await fixture.close();
      await browser.close();
    }
  });
});
