import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { pseudo, sourceMessages } from '../../build/l10n.mjs';
import { overviewPage } from '../../src/contracts/pages/overviewPage';
import { summaryPage } from '../../src/contracts/pages/runSummary';
import { stabilityPage } from '../../src/contracts/pages/stabilityPage';
import { trialPage } from '../../src/contracts/pages/trialPage';
import { ENGLISH, useTranslation } from '../../src/core/text/l10n';
import { useReportPages } from '../harness/pages/reportPages';
import { useReviewPages } from '../harness/pages/reviewPageRig';
import { clippedTexts, forgottenTexts, shownTexts, textsIn } from '../harness/pages/shownTexts';
import { type TranscriptFixture, usePages } from '../harness/pages/transcriptPages';
import { HELD } from './heldRequest';
import { EMPTY, FINE, shownOverview } from './overviewPageStates';
import { CHANGES, FIRST_RUN } from './reviewPageChanges';
import { comparison, tapeReview } from './reviewPageTapes';
import { sampleDrift } from './sampleDrift';
import { REPORT } from './stabilityPageStates';
import { SUMMARY } from './summaryPageStates';
import { codingTape, EARLIER, mcpTape, ordersTape } from './transcriptPageTapes';
import { shown as shownTrial, trialOf } from './trialPageStates';
import { wireTape } from './wireTape';

/** Every message, a third longer than in English, as many languages are. */
const MESSAGES = Object.fromEntries(
  sourceMessages().map((message) => [message, pseudo(message + '~'.repeat(Math.ceil(message.length * 0.35)))]),
);
const WIDTHS = [900, 400];

/** Nothing on the page was forgotten, and at no width is a text cut that has no other way to be read. */
async function assertTranslated(page: Page, data: unknown): Promise<void> {
  assert.deepEqual(forgottenTexts(await shownTexts(page), textsIn(data)), [], 'every text is a message, or data');
  const size = page.viewportSize();
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: size?.height ?? 900 });
    assert.deepEqual(await clippedTexts(page), [], `nothing is cut at ${width} px`);
  }
}

/** The parts of a tape, and its text. */
function dataOf(tape: string): unknown {
  return [tape, tape.split('\n').map((line) => parsed(line)), parsed(tape)];
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text, (_, value: unknown) =>
      typeof value === 'string' && /^\s*[[{]/.test(value) ? [value, parsed(value)] : value,
    );
  } catch {
    return text;
  }
}

/** Names that are the same in all languages. */
const NAMES = ['MoFA tape', 'Tapedeck tape', 'vcrpy cassette', 'orders.tape.json', 'tool:lookup_order', 'HTTP 429'];

/** The states of a transcript: its tape, and the steps that lead there. */
const TRANSCRIPTS: Readonly<
  Record<string, readonly [tape: string, reach?: (page: Page, fixture: TranscriptFixture) => Promise<unknown>]>
> = {
  'the normal view': [ordersTape()],
  everything: [wireTape(), (page) => page.keyboard.press('3')],
  'well-known tools': [codingTape(), (page) => page.keyboard.press('3')],
  'MCP servers': [mcpTape(), (page) => page.keyboard.press('3')],
  'the keys': [ordersTape(), (page) => page.keyboard.press('?')],
  'the outline and a filter that nothing matches': [
    ordersTape(),
    async (page) => {
      await page.keyboard.press('o');
      await page.keyboard.press('Escape');
      await page.keyboard.press('f');
      await page.keyboard.type('nobody');
      await page.locator('.empty').waitFor();
    },
  ],
  'a search': [
    ordersTape(),
    async (page) => {
      await page.keyboard.press('/');
      await page.keyboard.type('order');
      await page.getByText('1⟦', { exact: false }).or(page.locator('.find-count:not(:empty)')).first().waitFor();
    },
  ],
  'a drift, and what the tape took before': [
    ordersTape(),
    async (page, fixture) => {
      fixture.drift([sampleDrift(0), { ...sampleDrift(1), diff: [] }]);
      fixture.sendPreviousTotals(EARLIER);
      await page.locator('.delta').first().waitFor();
      await page.locator('.drift summary').first().click();
    },
  ],
  'a run': [
    ordersTape(),
    async (page, fixture) => {
      fixture.play({ mode: 'replay', interaction: 0, summary: '' });
      await page.locator('.playing-mark').waitFor();
    },
  ],
  'a request that is held': [
    wireTape(),
    async (page, fixture) => {
      fixture.hold({ breakpoints: [1], held: [HELD, { ...HELD, id: 4 }] });
      await page.locator('.hold').waitFor();
    },
  ],
  'an open menu': [
    ordersTape(),
    async (page) => {
      await page.keyboard.press('.');
      await page.getByRole('menu').waitFor();
    },
  ],
  'a response that is edited, with a mistake': [
    ordersTape(),
    async (page) => {
      await page.keyboard.press('F2');
      await page.locator('.response-editor textarea').last().fill('{');
      await page.locator('.editor-problem').waitFor();
    },
  ],
  'a redaction': [
    ordersTape(),
    async (page, fixture) => {
      fixture.secret = 'NP-88231';
      await page.keyboard.press('.');
      await page.getByRole('menuitem').nth(6).press('Enter');
      await page.getByRole('dialog').waitFor();
    },
  ],
  'no interactions': ['{"version": 1, "interactions": []}'],
};

describe('pages in a language in which a forgotten text stands out', () => {
  before(() => useTranslation({ language: 'qps-ploc', messages: MESSAGES }));
  after(() => useTranslation(ENGLISH));

  describe('a transcript', () => {
    const open = usePages();
    for (const [state, [tape, reach]] of Object.entries(TRANSCRIPTS))
      it(`says everything in it: ${state}`, async () => {
        const fixture = await open(tape);
        await reach?.(fixture.page, fixture);
        await assertTranslated(fixture.page, [dataOf(tape), HELD, sampleDrift(0), NAMES]);
      });
  });

  describe('a review', () => {
    const open = useReviewPages();
    const states: Readonly<Record<string, Parameters<typeof open>>> = {
      'of a run': [{ changes: CHANGES }],
      'of a tape': [tapeReview()],
      'of a first run': [{ changes: [FIRST_RUN], hasBaseline: false }],
      'without anything to decide': [{ changes: [] }],
      'that is a comparison': [comparison()],
      'without an editor for its texts': [{ changes: CHANGES }, { replaced: { 'editor.worker.js': undefined } }],
    };
    for (const [state, options] of Object.entries(states))
      it(`says everything in it: ${state}`, async () => {
        const { page, host } = await open(...options);
        await page.locator('.change-pane, .calm').first().waitFor();
        await assertTranslated(page, host.state);
        await page.keyboard.press('?');
        await page.getByRole('dialog').waitFor();
        await assertTranslated(page, host.state);
      });
  });

  describe('a summary', () => {
    const open = useReportPages('summary', summaryPage, {
      previewMasks: [{ path: 'cases/dated_0.toml', removed: ['mask = []'], added: ['mask = ["date"]'] }],
    });
    it('says everything in it', async () => {
      const { page } = await open(SUMMARY);
      await assertTranslated(page, SUMMARY);
      await page.locator('.card .button').first().click();
      await page.locator('.preview').waitFor();
      await assertTranslated(page, [SUMMARY, ['cases/dated_0.toml', 'mask = []', 'mask = ["date"]']]);
    });
  });

  describe('a report of stability', () => {
    const open = useReportPages('stability', stabilityPage);
    it('says everything in it', async () => {
      for (const report of [REPORT, { ...REPORT, varying: [], failed: [], ignored: [] }]) {
        const { page } = await open(report);
        await assertTranslated(page, report);
      }
    });
  });

  describe('an overview', () => {
    const open = useReportPages('overview', overviewPage);
    it('says everything in it', async () => {
      for (const part of [{}, FINE, EMPTY]) {
        const state = shownOverview(part);
        const { page } = await open(state);
        await page.locator('main[aria-busy=false]').waitFor();
        await assertTranslated(page, state);
      }
    });
  });

  describe('a trial', () => {
    const open = useReportPages('trial', trialPage);
    it('says everything in it', async () => {
      const trial = trialOf(6, 3, 5);
      const state = shownTrial(trial);
      const { page } = await open(state);
      await assertTranslated(page, state);
      await page.locator('.trial-cell').first().click();
      await page.getByRole('dialog').waitFor();
      await assertTranslated(page, state);
    });
  });
});
