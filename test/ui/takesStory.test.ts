import * as assert from 'node:assert/strict';
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { genAi } from '../core/tapes/formats/traceSamples';
import { enterFor, openFile, pressCommand, pressCommandFor, stepTo } from '../harness/keyboard';
import { lens, openTapedeck, treeRow } from '../harness/sidebar';
import { stopAtFailure } from '../harness/stopAtFailure';
import { reloadWithEditor } from '../harness/storedEditors';
import { endAfterAll, type Story, startStory } from '../harness/story';
import { shoot, webviewFrame } from '../harness/vscode/workbench.mjs';

const TAPE = 'tapes/order_status.tape.json';
const TAKES = `.tapedeck/takes/${TAPE}`;

/** The takes of a tape, and one decision on the same change of two tapes, by palette and keys alone. */
describe('takes and shared changes, in a window', () => {
  stopAtFailure();
  let story: Story;
  let taken = '';
  let tape = '';
  before(async () => {
    story = await startStory();
    tape = story.read(TAPE);
    taken = tape.replaceAll('Thursday', 'Wednesday').replaceAll('\n', '\r\n');
    write(`${TAKES}/2026-11-20T14-03-08.117Z.json`, taken);
    write(`${TAKES}/2026-11-12T09-41-55.004Z.json`, tape.replaceAll('Thursday', 'Monday'));
  });
  endAfterAll(() => story, 'takes');

  function write(path: string, text: string): void {
    mkdirSync(dirname(join(story.workspace, path)), { recursive: true });
    writeFileSync(join(story.workspace, path), text);
  }

  const command = (title: string) => pressCommand(story.page, title);

  const take = () => story.page.locator('.pane-body .monaco-list-row[aria-label^="take, replaced"]');

  it('expands a tape to its takes', async () => {
    await openTapedeck(story);
    await openFile(story.page, 'order_status.tape.json');
    await webviewFrame(story.page).locator('article').first().waitFor();
    await treeRow(story, 'order_status.tape.json').and(story.page.locator('.selected')).waitFor();
    await command('Tapedeck: Focus on Cases View');
    await stepTo(treeRow(story, 'order_status.tape.json'));
    await story.page.keyboard.press('ArrowRight');
    await take().nth(1).waitFor();
    const tab = story.page.locator('.tab.active', { hasText: /^order_status \(take of .*2026.*\)\.tape\.json/ });
    await enterFor(take().first(), tab);
    await webviewFrame(story.page).getByText('Wednesday').first().waitFor();
    await webviewFrame(story.page).getByText('Read-only').first().waitFor();
    await shoot(story.page, 'takes-1');
  });

  it('compares a take with its tape', async () => {
    await command('Tapedeck: Compare Take with the Tape…');
    const review = webviewFrame(story.page);
    await review.getByText(/^order_status\.tape\.json, compared with order_status\.tape\.json, replaced /).waitFor();
    await review.locator('.monaco-diff-editor .char-insert').first().waitFor();
    assert.equal(await review.getByRole('button', { name: 'Accept' }).count(), 0);
    await shoot(story.page, 'takes-2');
  });

  it('restores a take byte for byte, and takes that back', async () => {
    const toast = story.page.locator('.notification-toast', { hasText: 'Restored the take' });
    await command('Tapedeck: Focus on Cases View');
    await take().first().and(story.page.locator('.selected')).waitFor();
    await command('Tapedeck: Restore Take…');
    await toast.waitFor();
    assert.equal(story.read(TAPE), taken);
    assert.equal(readdirSync(join(story.workspace, TAKES)).length, 3, 'the tape is a take now');
    await take().nth(2).waitFor();
    await shoot(story.page, 'takes-3');
    await toast.getByRole('button', { name: 'Undo' }).press('Enter');
    await toast.waitFor({ state: 'detached' });
    await take().nth(2).waitFor({ state: 'detached' });
    assert.equal(story.read(TAPE), tape);
    assert.equal(story.git('status', '--porcelain'), '');
  });

  it('deletes a take, after asking', async () => {
    await command('Tapedeck: Focus on Cases View');
    await enterFor(take().first(), story.page.locator('.tab.active', { hasText: /^order_status \(take of / }));
    await command('Tapedeck: Delete Takes…');
    const dialog = story.page.locator('.monaco-dialog-box');
    await dialog.getByText(/^Delete the take of .* of order_status\.tape\.json\?$/).waitFor();
    await dialog.getByRole('button', { name: 'Delete', exact: true }).press('Enter');
    await take().nth(1).waitFor({ state: 'detached' });
    assert.equal(existsSync(join(story.workspace, `${TAKES}/2026-11-20T14-03-08.117Z.json`)), false);
    assert.equal(existsSync(join(story.workspace, `${TAKES}/2026-11-12T09-41-55.004Z.json`)), true);
  });

  it('decides once on the same change of two tapes, and takes that back', async () => {
    const other = 'tapes/refund_question.tape.json';
    for (const path of [TAPE, other]) write(path, story.read(path).replaceAll('small web shop', 'large web shop'));
    const changed = story.git('diff', '--', 'tapes');
    await command('Tapedeck: Review Changes');
    const review = webviewFrame(story.page);
    await review.getByText('The same change is in 1 other file.').waitFor();
    await shoot(story.page, 'takes-4');
    await review.locator('h1').press('=');
    const dialog = review.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Accept in 2 Files' }).waitFor();
    await dialog.getByRole('button', { name: 'Reject in 2 Files' }).press('Enter');
    await review.getByRole('heading', { name: 'Nothing left to review' }).waitFor();
    assert.equal(story.git('diff', '--', 'tapes'), '', 'rejected in both');
    await review.locator('h2').first().press('z');
    await review.getByText('The same change is in 1 other file.').waitFor();
    assert.equal(story.git('diff', '--', 'tapes'), changed, 'as before in both');
  });

  it('makes a case of a traced run, which replays green', async () => {
    const { page } = story;
    write('traces/shop.json', JSON.stringify(genAi));
    await openFile(page, 'shop.json');
    await command('Tapedeck: Open Tape as Transcript');
    await webviewFrame(page).locator('article').first().waitFor();
    await pressCommandFor(page, 'Tapedeck: Make a Case of This Run…', page.getByText('Creates cases/shop.toml.'));
    await page.locator('.quick-input-widget:visible input').first().press('Enter');
    const toast = page.locator('.notification-toast', { hasText: 'cases/shop.toml was made.' });
    await toast.waitFor();
    await shoot(page, 'takes-5');
    await toast.getByRole('button', { name: 'Replay' }).press('Enter');
    await page.locator('.tab.active', { hasText: 'shop.toml' }).waitFor();
    await page.locator('.view-line', { hasText: 'not in the requests of' }).waitFor();
    await lens(story, 'Replay').waitFor();
    await treeRow(story, 'shop').and(page.locator('[aria-label*="passed"]')).waitFor();
    await shoot(page, 'takes-6');
    assert.match(story.read('cases/shop.toml'), /^tape = "shop\.tape\.jsonl"$/m);
    assert.match(story.read('cases/shop.tape.jsonl'), /^\{"tapedeck":"tape"/);
  });

  it('does not make a case in place of another', async () => {
    const { page } = story;
    const made = story.read('cases/shop.toml');
    await openFile(page, 'shop.json');
    await webviewFrame(page).locator('article').first().waitFor();
    await pressCommandFor(page, 'Tapedeck: Make a Case of This Run…', page.getByText('Creates cases/shop_2.toml.'));
    const input = page.locator('.quick-input-widget:visible input').first();
    await input.fill('shop');
    await page.keyboard.press('Enter');
    await page.getByText('cases/shop.toml already exists.').waitFor();
    await page.keyboard.press('Escape');
    assert.equal(story.read('cases/shop.toml'), made);
  });

  it('searches all tapes, and leads to an interaction', async () => {
    const { page } = story;
    const offered = page.locator('.quick-input-list .monaco-list-row');
    const query = page.locator('.quick-input-widget:visible input').first();
    await pressCommandFor(page, 'Tapedeck: Search All Tapes…', offered.filter({ hasText: 'tool:lookup_order' }));
    await query.fill('modle:gpt');
    await offered.filter({ hasText: 'Did you mean model:?' }).waitFor();
    await shoot(page, 'search-1');
    await query.fill('order path:order_status mo');
    await offered.filter({ hasText: 'model:gpt-4o' }).waitFor();
    await query.fill('order path:order_status');
    await offered.filter({ hasText: 'Search for order path:order_status', hasNotText: 'order_status mo' }).waitFor();
    await page.keyboard.press('Enter');
    const found = page.locator('.pane-body .monaco-list-row');
    const tapeRow = found.filter({ hasText: 'order_status.tape.json' }).and(page.locator('[aria-level="1"].focused'));
    await tapeRow.waitFor();
    await shoot(page, 'search-2');
    await stepTo(found.filter({ hasText: /#1 / }).and(page.locator('[aria-level="2"]')).first());
    await page.keyboard.press('Enter');
    await page.locator('.tab.active', { hasText: 'order_status.tape.json' }).waitFor();
    await webviewFrame(page).locator('article').first().waitFor();
    await shoot(page, 'search-3');
    await command('Tapedeck: Clear Search');
    await page.locator('.pane-header', { hasText: 'Found Interactions' }).waitFor({ state: 'detached' });
  });

  it('sums up all tapes on a page that leads to a search, and comes back with the window', async () => {
    const { page } = story;
    const line = /^\d+ tapes? · \d+ interactions?/;
    await command('View: Close All Editors');
    await command('Tapedeck: Show Overview of All Tapes');
    const overview = webviewFrame(page);
    await overview.getByText(line).waitFor();
    await shoot(page, 'overview-story-1');
    await overview.getByRole('region', { name: 'Models' }).getByRole('button').first().press('Enter');
    await page.locator('.pane-header', { hasText: 'Found Interactions' }).waitFor();
    await page.locator('.pane-body .monaco-list-row').filter({ hasText: /#1 / }).first().waitFor();
    await shoot(page, 'overview-story-2');
    await command('Tapedeck: Clear Search');
    await reloadWithEditor(page, ['tapedeck.overview']);
    await webviewFrame(page).getByText(line).waitFor();
    await webviewFrame(page).getByRole('listitem').getByRole('button').first().press('Enter');
    await page.locator('.tab.active', { hasText: /\.(?:json|yaml)/ }).waitFor();
  });
});
