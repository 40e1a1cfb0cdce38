import * as assert from 'node:assert/strict';
import type { ShownHeld } from '../../src/contracts/transcript/transcriptHolds';
import { violationsAtAnyZoom } from '../harness/axe';
import { THEMES, usePages } from '../harness/pages/transcriptPages';
import { HELD } from './heldRequest';
import { wireTape } from './wireTape';

const RELEASED = { session: 's', held: 3 };

describe('a transcript whose requests are held', () => {
  const open = usePages();

  it('has a breakpoint on each interaction, by mouse and by key', async () => {
    const fixture = await open(wireTape());
    const { page, calls } = fixture;
    assert.equal(await page.locator('.breakpoint').count(), 0, 'none where nothing can stop');
    fixture.hold({ breakpoints: [1], held: [] });
    const toggle = page.getByRole('button', { name: 'Breakpoint on Interaction 2' });
    await toggle.waitFor();
    assert.equal(await toggle.getAttribute('aria-pressed'), 'true');
    await toggle.click();
    await page.locator('article[data-interaction="0"]').first().focus();
    await page.keyboard.press('F9');
    const wanted = [1, 0].map((interaction) => ['toggleBreakpoint', { interaction }]);
    await page.waitForFunction(() => true);
    assert.deepEqual(calls, wanted);
    fixture.hold({ breakpoints: [], held: [] });
    await page.locator('.breakpoint[aria-pressed="false"]').nth(1).waitFor();
  });

  it('shows what is held against the recorded request, and what can be done', async () => {
    const fixture = await open(wireTape());
    const { page, calls } = fixture;
    fixture.hold({ breakpoints: [1], held: [HELD, { ...HELD, id: 4 }] });
    const bar = page.getByRole('region', { name: 'Held request' });
    await bar.getByText('differs from interaction 2').waitFor();
    await bar.getByText('and 1 more').waitFor();
    assert.deepEqual(await bar.locator('ins').allTextContents(), ['added: <b>', 'added: </b>', 'added: 1043']);
    assert.deepEqual(await page.locator('.held-mark').allTextContents(), ['Held']);
    await bar.getByRole('button', { name: 'Continue', exact: true }).click();
    await fixture.settled();
    assert.deepEqual(calls, [['releaseHeld', { ...RELEASED, release: { type: 'continue' } }]]);
    fixture.hold({ breakpoints: [1], held: [{ ...HELD, id: 4 }] });
    await bar.getByText('and 1 more').waitFor({ state: 'detached' });
    await bar.getByRole('button', { name: 'Step to Next' }).click();
    fixture.hold({ breakpoints: [1], held: [{ ...HELD, id: 5 }] });
    await bar.getByRole('button', { name: 'Stop' }).click();
    await fixture.settled();
    const types = calls.slice(1).map(([, params]) => params);
    assert.deepEqual(types, [
      { session: 's', held: 4, release: { type: 'step' } },
      { session: 's', held: 5, release: { type: 'stop' } },
    ]);
    fixture.hold({ breakpoints: [1], held: [] });
    await bar.waitFor({ state: 'detached' });
  });

  it('edits the response: its parts, or its whole body, each only while it is valid', async () => {
    const fixture = await open(wireTape());
    const { page, calls } = fixture;
    fixture.hold({ breakpoints: [], held: [HELD] });
    const bar = page.getByRole('region', { name: 'Held request' });
    await bar.getByRole('button', { name: 'Edit Response…' }).click();
    const send = bar.getByRole('button', { name: 'Continue with This Response' });
    await bar.getByLabel('Arguments of find_order').fill('{');
    await bar.getByText('Not valid JSON').waitFor();
    assert.ok(await send.isDisabled());
    await bar.getByLabel('Arguments of find_order').fill('{"id":1043}');
    await bar.getByLabel('Response', { exact: true }).fill('It was lost.');
    await send.click();
    await bar.getByRole('button', { name: 'Edit Whole Body' }).click();
    await bar.getByLabel('Body').fill('{"choices":[1]}');
    await bar.getByLabel('HTTP status').fill('429');
    await page.keyboard.press('Control+Enter');
    await fixture.settled();
    const edits = [
      { type: 'response-text', interaction: 1, text: 'It was lost.' },
      { type: 'arguments', interaction: 1, call: 0, json: '{"id":1043}' },
    ];
    const status = [{ type: 'status', interaction: 1, status: 429 }];
    assert.deepEqual(calls, [
      ['releaseHeld', { ...RELEASED, release: { type: 'respond', edits } }],
      ['releaseHeld', { ...RELEASED, release: { type: 'respond', edits: status, body: '{"choices":[1]}' } }],
    ]);
  });

  it('asks for the response of a recording before it is edited', async () => {
    const fixture = await open(wireTape());
    const { page, calls } = fixture;
    const asking: ShownHeld = { ...HELD, mode: 'record', continues: 'sent', response: null };
    fixture.hold({ breakpoints: null, held: [asking] });
    const bar = page.getByRole('region', { name: 'Held request' });
    await bar.getByRole('button', { name: 'Edit Response…' }).click();
    await fixture.settled();
    assert.deepEqual(calls, [['releaseHeld', { ...RELEASED, release: { type: 'ask' } }]]);
    fixture.hold({ breakpoints: null, held: [{ ...HELD, id: 4, mode: 'record', stage: 'response' }] });
    await bar.getByLabel('Response', { exact: true }).waitFor();
    assert.equal(await page.locator('.breakpoint').count(), 0);
  });

  for (const theme of THEMES)
    it(`looks at home in ${theme}, and is accessible`, async () => {
      const fixture = await open(wireTape(), { theme, height: 1100 });
      const { page } = fixture;
      fixture.hold({ breakpoints: [1], held: [HELD] });
      const bar = page.getByRole('region', { name: 'Held request' });
      await bar.waitFor();
      await fixture.shoot(`transcript-hold-${theme}`);
      assert.deepEqual(await violationsAtAnyZoom(page), []);
      await bar.getByRole('button', { name: 'Edit Response…' }).click();
      await bar.getByLabel('HTTP status').waitFor();
      await fixture.shoot(`transcript-hold-edit-${theme}`);
      assert.deepEqual(await violationsAtAnyZoom(page), []);
    });
});
