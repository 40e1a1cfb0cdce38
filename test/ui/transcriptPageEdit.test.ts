import * as assert from 'node:assert/strict';
import type { Locator, Page } from 'playwright-core';
import { type PageOptions, THEMES, type TranscriptFixture, usePages } from '../harness/pages/transcriptPages';
import { ordersTape } from './transcriptPageTapes';

describe('editing on the transcript page', () => {
  const openPage = usePages();
  let fixture: TranscriptFixture;
  let page: Page;

  async function open(text: string, options: PageOptions = {}): Promise<void> {
    fixture = await openPage(text, options);
    page = fixture.page;
    await page.locator('article').first().waitFor();
  }

  const article = (interaction: number): Locator => page.locator(`article[data-interaction="${interaction}"]`).first();
  const editor = (): Locator => page.locator('form.response-editor');
  const notice = (): Locator => page.getByRole('status');

  it('changes an answer in its place by keyboard, and says so', async () => {
    await open(ordersTape());
    await article(2).focus();
    await page.keyboard.press('F2');
    const text = editor().getByLabel('Response');
    await text.waitFor();
    assert.ok(await text.evaluate((field) => field === document.activeElement));
    await page.keyboard.press('Control+A');
    await page.keyboard.type('Order 9999 ships j k / today.');
    await fixture.shoot('transcript-edit-answer');
    await page.keyboard.press('Control+Enter');
    await page.getByText('Order 9999 ships j k / today.').waitFor();
    await editor().waitFor({ state: 'detached' });
    await notice().getByText('Changed the response of interaction 3.').waitFor();
    const before = 'I could not find order 9999. Could you check its number?';
    assert.equal(
      fixture.text,
      ordersTape().replace(`"response": "${before}"`, '"response": "Order 9999 ships j k / today."'),
    );
    assert.equal(await page.evaluate(() => document.activeElement?.getAttribute('data-interaction')), '2');
  });

  it('changes nothing when it is cancelled', async () => {
    await open(ordersTape());
    await article(2).focus();
    await page.keyboard.press('F2');
    await editor().getByLabel('Response').fill('never');
    await page.keyboard.press('Escape');
    await editor().waitFor({ state: 'detached' });
    assert.equal(fixture.text, ordersTape());
    assert.deepEqual(fixture.calls, []);
  });

  it('checks JSON and numbers while they are typed, and applies all fields as one change', async () => {
    await open(ordersTape());
    await article(0).focus();
    await page.keyboard.press('F2');
    const args = editor().getByLabel('Arguments of lookup_order');
    await args.fill('{"order_id": 1043, ');
    await editor().getByText('Not valid JSON').waitFor();
    assert.ok(await editor().getByRole('button', { name: 'Apply' }).isDisabled());
    await fixture.shoot('transcript-edit-invalid');
    await args.fill('{"order_id": 1043, "fields": ["status"]}');
    await editor().getByLabel('Tokens out').fill('x');
    await editor().getByText('a whole number').waitFor();
    await editor().getByLabel('Tokens out').fill('90');
    await page.keyboard.press('Enter');
    await editor().waitFor({ state: 'detached' });
    const { interactions } = JSON.parse(fixture.text);
    assert.deepEqual(interactions[0].tool_calls[0].arguments, { order_id: 1043, fields: ['status'] });
    assert.deepEqual(interactions[0].usage, { prompt_tokens: 1204, completion_tokens: 90, total_tokens: 1294 });
    assert.equal(fixture.calls.length, 1);
  });

  it('keeps what was typed when the page is hidden and shown again', async () => {
    await open(ordersTape());
    await article(2).focus();
    await page.keyboard.press('F2');
    await editor().getByLabel('Response').fill('half a thou');
    await page.reload();
    assert.equal(await editor().getByLabel('Response').inputValue(), 'half a thou');
  });

  it('has a menu of every interaction, by keyboard', async () => {
    await open(ordersTape());
    await article(1).focus();
    await page.keyboard.press('.');
    const menu = page.getByRole('menu');
    await menu.waitFor();
    const focused = (): Promise<string> => page.evaluate(() => document.activeElement?.textContent ?? '');
    assert.match(await focused(), /^Edit Response/);
    await page.keyboard.press('ArrowUp');
    assert.match(await focused(), /^Export/);
    await page.keyboard.press('Home');
    await page.keyboard.press('ArrowDown');
    assert.match(await focused(), /^Duplicate/);
    await page.keyboard.press('Escape');
    await menu.waitFor({ state: 'detached' });
    await page.keyboard.press('Enter');
    await menu.waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await notice().getByText('Duplicated interaction 2').waitFor();
    assert.equal(JSON.parse(fixture.text).interactions.length, 4);
  });

  it('duplicates, moves and deletes by keys', async () => {
    await open(ordersTape());
    await article(0).focus();
    await page.keyboard.press('Alt+ArrowDown');
    await notice().getByText('Moved interaction 1 down').waitFor();
    await page.waitForFunction(() => document.activeElement?.getAttribute('data-interaction') === '1');
    await page.keyboard.press('Alt+ArrowUp');
    await notice().getByText('Moved interaction 2 up').waitFor();
    assert.equal(fixture.text, ordersTape());
    await page.waitForFunction(() => document.activeElement?.getAttribute('data-interaction') === '0');
    await page.keyboard.press('Delete');
    await notice().getByText('Deleted interaction 1').waitFor();
    assert.equal(JSON.parse(fixture.text).interactions.length, 2);
  });

  it('takes an interaction back that was only begun, with Escape', async () => {
    await open(ordersTape());
    const original = fixture.text;
    await article(0).focus();
    await page.keyboard.press('Alt+Enter');
    await editor().getByLabel('Response').waitFor();
    await page.keyboard.type('All of');
    await page.keyboard.press('Escape');
    await notice().getByText('Removed the new interaction 2').waitFor();
    assert.equal(fixture.text, original);
    await page.locator('article[data-interaction="0"]:focus').waitFor();
  });

  it('changes nothing by a letter', async () => {
    await open(ordersTape());
    const original = fixture.text;
    await article(0).focus();
    for (const key of 'adrzinpgGARIeb') await page.keyboard.press(key);
    assert.equal(fixture.text, original);
    assert.deepEqual(
      fixture.calls.filter(([method]) => method === 'edit' || method === 'fork'),
      [],
    );
  });

  it('adds an empty interaction, and its answer can be typed at once', async () => {
    await open(ordersTape());
    await article(0).focus();
    await page.keyboard.press('Alt+Enter');
    await editor().getByLabel('Response').waitFor();
    await notice().getByText('Added interaction 2').waitFor();
    await fixture.shoot('transcript-edit-added');
    await page.keyboard.type('All of it.');
    await page.keyboard.press('Control+Enter');
    await page.getByText('All of it.').waitFor();
    const { interactions } = JSON.parse(fixture.text);
    assert.equal(interactions.length, 4);
    assert.equal(interactions[1].response, 'All of it.');
    assert.deepEqual(
      interactions[1].request.messages.map(({ role, content }: Record<string, unknown>) => [role, content]),
      [['user', 'New request']],
    );
  });

  describe('redacting a value', () => {
    const SECRET = 'NP-88231';
    const dialog = (): Locator => page.getByRole('dialog');

    async function ask(): Promise<void> {
      await open(ordersTape());
      fixture.secret = SECRET;
      await article(1).focus();
      await page.keyboard.press('.');
      await page.getByRole('menuitem', { name: 'Redact' }).press('Enter');
      await dialog().waitFor();
    }

    it('shows each place before anything is changed, without the value', async () => {
      await ask();
      const count = ordersTape().split(SECRET).length - 1;
      assert.ok(count > 2);
      await dialog()
        .getByRole('heading', { name: `Redact ${count} occurrences in` })
        .waitFor();
      assert.equal(await dialog().locator('mark').count(), count);
      assert.deepEqual([...new Set(await dialog().locator('mark').allTextContents())], ['REDACTED-1']);
      assert.ok(!(await dialog().innerText()).includes(SECRET));
      assert.equal(fixture.text, ordersTape());
    });

    it('changes all of them when it is confirmed, by keyboard', async () => {
      await ask();
      await page.keyboard.press('Enter');
      await dialog().waitFor({ state: 'detached' });
      await notice().getByText('Replaced the value with a placeholder everywhere').waitFor();
      assert.equal(fixture.text, ordersTape().replaceAll(SECRET, 'REDACTED-1'));
      assert.notEqual(await page.evaluate(() => document.activeElement?.tagName), 'BODY');
    });

    it('changes nothing when it is not', async () => {
      for (const key of ['Escape', 'Tab Enter']) {
        await ask();
        for (const press of key.split(' ')) await page.keyboard.press(press);
        await dialog().waitFor({ state: 'detached' });
        assert.equal(fixture.text, ordersTape());
        assert.deepEqual(
          fixture.calls.map(([method]) => method),
          ['planRedaction'],
        );
        await fixture.close();
      }
    });
  });

  it('says of a format that is only read that it is, and why', async () => {
    const codex = [
      { timestamp: '2025-01-01T00:00:00Z', type: 'session_meta', payload: { id: 'x', cli_version: '1' } },
      {
        timestamp: '2025-01-01T00:00:01Z',
        type: 'response_item',
        payload: { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'hi' }] },
      },
      {
        timestamp: '2025-01-01T00:00:02Z',
        type: 'response_item',
        payload: { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'hello' }] },
      },
    ];
    await open(`${codex.map((line) => JSON.stringify(line)).join('\n')}\n`);
    await page.getByText('Read-only').waitFor();
    await article(0).focus();
    await page.keyboard.press('F2');
    await notice().getByText('can only read this format').waitFor();
    await page.getByRole('button', { name: 'Dismiss' }).click();
    await page.keyboard.press('.');
    await page.getByRole('menuitem', { name: /Delete/, disabled: true }).waitFor();
    await fixture.shoot('transcript-edit-read-only');
  });

  for (const theme of THEMES) {
    it(`looks at home in ${theme}`, async () => {
      await open(ordersTape(), { theme });
      await article(0).focus();
      await page.keyboard.press('F2');
      await editor().getByLabel('Arguments of lookup_order').waitFor();
      await fixture.shoot(`transcript-edit-${theme}`);
      await page.keyboard.press('Escape');
      await editor().waitFor({ state: 'detached' });
      await page.keyboard.press('.');
      await page.getByRole('menu').waitFor();
      await fixture.shoot(`transcript-menu-${theme}`);
      fixture.secret = 'NP-88231';
      await page.getByRole('menuitem', { name: 'Redact' }).press('Enter');
      await page.getByRole('dialog').waitFor();
      await fixture.shoot(`transcript-redact-${theme}`);
    });
  }
});
