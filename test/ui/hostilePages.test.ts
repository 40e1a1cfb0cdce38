import * as assert from 'node:assert/strict';
import type { Browser } from 'playwright-core';
import { launchBrowser, TranscriptFixture } from '../harness/pages/transcriptPages';
import { HOSTILE_TEXTS } from './hostileContent';

/** The traces on a page of content that was treated as more than text. */
const FORBIDDEN = [
  ...[
    'script:not([nonce], #translation)',
    'iframe',
    'frame',
    'object',
    'embed',
    'form',
    'base',
    'audio',
    'video',
    'svg:not(.icon)',
    'math',
  ],
  ...[
    'a',
    'img',
    'picture',
    'link:not([href$="transcript.css"])',
    'meta[http-equiv]:not([content^="default-src"])',
    '#root style',
  ],
  ...[
    '[onload]',
    '[onclick]',
    '[onerror]',
    '[onfocus]',
    '[onmouseover]',
    '[ontoggle]',
    '#root [src]',
    '#root [srcset]',
    '#root [href]',
  ],
  ...['[style*="url("]', '[style*="fixed"]', '[formaction]', '[srcdoc]', 'noscript', 'template', 'input[autofocus]'],
].join(',');

const INVISIBLE =
  '[\\u0000-\\u0008\\u000B-\\u001F\\u007F-\\u009F\\u200B\\u200E\\u200F\\u202A-\\u202E\\u2060-\\u2069\\uFEFF]';

/** A tape of HTTP with the text in every place that takes one. Lone surrogates are escaped, because UTF-8 cannot carry them. */
function hostileTape(text: string): string {
  const message = (role: string): unknown => ({ role, content: text, name: text });
  const call = { id: text, type: 'function', function: { name: text, arguments: JSON.stringify({ [text]: text }) } };
  const request = {
    model: text,
    messages: [message('system'), message('user'), message(text), { role: 'tool', tool_call_id: text, content: text }],
    tools: [{ type: 'function', function: { name: text, description: text, parameters: { [text]: text } } }],
    user: text,
  };
  const answer = { role: 'assistant', content: text, reasoning_content: text, refusal: text, tool_calls: [call] };
  const entry = (status: number, body: unknown, url = 'https://api.openai.com/v1/chat/completions'): unknown => ({
    RequestUri: url,
    RequestMethod: 'POST',
    RequestHeaders: { 'Content-Type': 'application/json', 'X-Hostile': text },
    RequestBody: request,
    StatusCode: status,
    ResponseHeaders: { 'Content-Type': 'application/json', 'X-Hostile': text },
    ResponseBody: body,
  });
  return JSON.stringify({
    Entries: [
      entry(200, { id: text, model: text, choices: [{ index: 0, message: answer, finish_reason: text }] }),
      entry(400, { error: { message: text, type: text, code: text } }),
      entry(
        200,
        { text, ['__proto__']: text },
        `https://other.example/${encodeURIComponent(text.slice(0, 200).replace(/\p{Surrogate}/gu, ''))}`,
      ),
    ],
    Variables: {},
  });
}

describe('hostile tapes', () => {
  let browser: Browser;

  before(async () => {
    browser = await launchBrowser();
  });
  after(() => browser.close());

  it('are at least sixty', () => assert.ok(Object.keys(HOSTILE_TEXTS).length >= 60));

  for (const [name, text] of Object.entries(HOSTILE_TEXTS)) {
    it(`run nothing, load nothing and show themselves as text: ${name}`, async () => {
      const fixture = await TranscriptFixture.open(browser, hostileTape(text));
      const { page } = fixture;
      try {
        await page.locator('article').first().waitFor();
        // Verbose shows everything there is.
        await page.keyboard.press('3');
        await page.locator('article .message-body').first().waitFor();
        for (const link of await page.locator('button.link[data-href], [role="link"]').all()) await link.click();
        await page.mouse.move(400, 300);
        await page.mouse.move(420, 420);
        await page.keyboard.press('x');
        await page.locator('.source').first().waitFor();
        await page.keyboard.press('F2');
        await page.locator('.response-editor').waitFor();
        await page.waitForTimeout(50);
        const found = await page.evaluate(
          ({ forbidden, invisible }) => {
            const text = document.body.innerText + document.title;
            const labels = [...document.querySelectorAll('[aria-label], [title]')].map(
              (element) => `${element.getAttribute('aria-label')}${element.getAttribute('title')}`,
            );
            return {
              pwned: 'pwned' in window || 'pwned' in Object.prototype,
              forbidden: [...document.querySelectorAll(forbidden)].map((element) => element.outerHTML.slice(0, 200)),
              invisible: new RegExp(invisible).exec(text + labels.join(''))?.[0] ?? '',
              roots: [...document.body.children].map((element) => element.id || element.tagName),
            };
          },
          { forbidden: FORBIDDEN, invisible: INVISIBLE },
        );
        assert.deepEqual(
          found.forbidden.filter((html) => !html.startsWith('<form class="response-editor"')),
          [],
        );
        const roots = ['translation', 'root'];
        assert.deepEqual({ ...found, forbidden: [] }, { pwned: false, forbidden: [], invisible: '', roots });
        assert.deepEqual(fixture.incidents, []);
        for (const [method, params] of fixture.calls) {
          assert.equal(method, 'openLink');
          assert.match((params as { url: string }).url, /^(?:https?|mailto):/);
        }
        assert.equal(page.url(), 'https://tapedeck.test/');
        assert.equal(page.context().pages().length, 1);
      } finally {
        await fixture.close();
      }
    });
  }
});
