import * as assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { openFile } from '../harness/keyboard';
import { expandRow, lens, openTapedeck, treeRow } from '../harness/sidebar';
import { stopAtFailure } from '../harness/stopAtFailure';
import { endAfterAll, type Story, startStory } from '../harness/story';
import { shoot, webviewFrame } from '../harness/vscode/workbench.mjs';

const AGENT = `let prompt = '';
for await (const piece of process.stdin) prompt += piece;
const messages = [{ role: 'system', content: 'You help customers, and are brief.' }, { role: 'user', content: prompt }];
const answer = await fetch(process.env.OPENAI_BASE_URL + '/chat/completions', {
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({ model: 'gpt-4.1', temperature: 0.7, messages }),
});
if (!answer.ok) throw new Error(await answer.text());
console.log((await answer.json()).choices[0].message.content);
`;
const REQUEST = {
  model: 'gpt-4o',
  temperature: 0,
  messages: [
    { role: 'system', content: 'You help customers.' },
    { role: 'user', content: 'Where is order 17?' },
  ],
};
const RESPONSE = {
  id: 'x',
  choices: [{ index: 0, message: { role: 'assistant', content: 'On its way.' }, finish_reason: 'stop' }],
};
const TAPE = `interactions:
- request:
    body: '${JSON.stringify(REQUEST)}'
    headers: {content-type: [application/json]}
    method: POST
    uri: https://api.openai.com/v1/chat/completions
  response:
    body: {string: '${JSON.stringify(RESPONSE)}'}
    headers: {content-type: [application/json]}
    status: {code: 200, message: OK}
version: 1
`;
const PROJECT = {
  'own.toml': `name = "own"
prompt = "Where is order 17?"
[agent]
command = ["node", "agent.mjs"]
[llm]
tape = "own.yaml"
`,
  'built_in.toml': `name = "built_in"
prompt = "Where is order 18?"
[llm]
model = "gpt-4.1"
tape = "own.yaml"
[llm.replay]
match = "exact"
`,
  'own.yaml': TAPE,
  'agent.mjs': AGENT,
  'tapedeck.toml': '',
};
const LINE = 'model: gpt-4o → gpt-4.1; system: added, ", and are brief"; parameter temperature: 0 → 0.7';

/** A reader who has never seen a notation of diffs learns from every place why a case is red, whatever its agent is. */
describe('why a case is red', () => {
  stopAtFailure();
  let story: Story;
  let page: Page;

  before(async () => {
    story = await startStory({ project: PROJECT });
    page = story.page;
  });
  endAfterAll(() => story, 'why-red-story');

  const toast = (text: string) => page.locator('.notification-toast').filter({ hasText: text });
  const transcript = () => webviewFrame(page);

  it('is said beside the case, in the notice, and in the tree', async () => {
    await openTapedeck(story);
    await openFile(page, 'own.toml');
    await lens(story, 'Replay').click();
    await page.locator('.test-error-content-widget').getByText(LINE).waitFor();
    await toast(`own drifted: ${LINE}`).waitFor();
    await treeRow(story, LINE).waitFor();
    await shoot(page, 'why-red-1-gutter');
  });

  it('is shown in the peek view as the diff of the request, with all its parts', async () => {
    await page.locator('.test-error-content-widget').click();
    const peek = page.locator('.peekview-widget');
    await peek.locator('del').first().waitFor();
    const texts = (selector: string) => peek.locator(selector).allTextContents();
    assert.deepEqual([await texts('del'), await texts('ins')], [['4o'], ['4.1', '.7', ', and are brief']]);
    assert.doesNotMatch(await peek.innerText(), /\[-|\{\+|more change/);
    await shoot(page, 'why-red-2-peek');
    await page.keyboard.press('Escape');
  });

  it('is shown in the transcript, with the diff open', async () => {
    await expandRow(story, 'own', 'own.yaml');
    await treeRow(story, 'own.yaml').click();
    const card = transcript().getByRole('region', { name: 'Drift of own' });
    await card.getByText(LINE).waitFor();
    await card.locator('del').first().waitFor();
    assert.ok(await card.locator('del').first().isVisible());
    assert.doesNotMatch(await card.innerText(), /\[-|\{\+/);
    await shoot(page, 'why-red-3-transcript');
  });

  it('is said as well of an agent that is built in', async () => {
    await openFile(page, 'built_in.toml');
    await lens(story, 'Replay').click();
    await toast('user: 17 → 18').waitFor();
    await treeRow(story, 'built_in').getByText('user: 17 → 18').waitFor();
    await shoot(page, 'why-red-4-built-in');
  });

  it('stays at the line of its case when an edit makes the result outdated', async () => {
    const glyph = page.locator('[class*="testing-run-glyph"]');
    await glyph.first().waitFor();
    const tops = await page.evaluateHandle(() => {
      const seen = new Set<number>();
      setInterval(() => {
        for (const one of document.querySelectorAll('[class*="testing-run-glyph"]'))
          seen.add(Math.round(one.getBoundingClientRect().top));
      }, 16);
      return seen;
    });
    await page.keyboard.press('Control+End');
    await page.keyboard.type('\n# edited\n');
    await page.locator('[class*="testing-run-glyph"].retired').first().waitFor();
    assert.equal(await tops.evaluate(({ size }) => size), 1);
  });
});
