import * as assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { openFile, pressCommand, stepTo } from '../harness/keyboard';
import { treeRow } from '../harness/sidebar';
import { endAfterAll, projectRoot, type Story, startStory } from '../harness/story';
import { shoot, webviewFrame } from '../harness/vscode/workbench.mjs';

const TAPE = 'tapes/order_status.tape.json';
const OTHER_TAPE = 'tapes/refund_question.tape.json';
const CASE = 'cases/order_status.toml';
const TAKES = `.tapedeck/takes/${TAPE}`;
const [EARLIER, LATER] = ['2026-11-12T09-41-55.004Z.json', '2026-11-20T14-03-08.117Z.json'];

interface Recorded {
  readonly interactions: readonly {
    readonly request: { readonly messages: readonly { readonly content: string }[] };
  }[];
}

/** The tape with another turn in the middle. */
function withTurn(text: string): string {
  const tape = JSON.parse(text) as Recorded;
  const [first, last] = tape.interactions;
  const messages = last?.request.messages.map((message, at) =>
    at === 1 ? { ...message, content: 'And order 4712?' } : message,
  );
  const added = { ...last, request: { ...last?.request, messages }, response: 'Order 4712 is **delivered**.' };
  return `${JSON.stringify({ ...tape, interactions: [first, added, last] }, null, 2)}\n`;
}

/** Recordings are compared, held to assertions, and written for others, by palette and keys alone. */
describe('comparing, in a window', () => {
  let story: Story;
  before(async () => {
    // The terminal is drawn as text, which can be read here.
    story = await startStory({ settings: { 'terminal.integrated.gpuAcceleration': 'off' } });
    write(`${TAKES}/${EARLIER}`, story.read(TAPE));
    write(`${TAKES}/${LATER}`, withTurn(story.read(TAPE)));
  });
  endAfterAll(() => story, 'compare');

  function write(path: string, text: string): void {
    mkdirSync(dirname(join(story.workspace, path)), { recursive: true });
    writeFileSync(join(story.workspace, path), text);
  }

  const command = (title: string) => pressCommand(story.page, title);
  const engine = (...args: readonly string[]) =>
    spawnSync(process.execPath, [join(projectRoot, 'dist/engine.js'), ...args], {
      cwd: story.workspace,
      encoding: 'utf8',
    }).stdout;

  /** Compares what is open with what the list has by this name. */
  async function compareWith(name: string): Promise<void> {
    const { page } = story;
    await command('Tapedeck: Compare with…');
    await page.locator('.quick-input-title', { hasText: /^Compare .* with…/ }).waitFor();
    await page.keyboard.type(name);
    await page.locator('.quick-input-widget:visible .monaco-list-row.focused', { hasText: name }).waitFor();
    await page.keyboard.press('Enter');
  }

  it('compares two takes of a tape: another turn is one added interaction, as `diff` says', async () => {
    const { page } = story;
    const takes = page.locator('.pane-body .monaco-list-row[aria-label^="take, replaced"]');
    const review = webviewFrame(page);
    await command('Tapedeck: Focus on Cases View');
    await openFile(page, 'order_status.tape.json');
    await treeRow(story, 'order_status.tape.json').and(page.locator('.selected')).waitFor();
    await command('Tapedeck: Focus on Cases View');
    await stepTo(treeRow(story, 'order_status.tape.json'));
    await page.keyboard.press('ArrowRight');
    await takes.nth(1).waitFor();
    await stepTo(takes.first());
    await page.keyboard.press('Enter');
    await page.locator('.tab.active', { hasText: /^order_status \(take of / }).waitFor();
    await compareWith('Replaced');
    const heading = /^order_status\.tape\.json, replaced .*, compared with order_status\.tape\.json, replaced /;
    await review.getByText(heading).waitFor();
    await review.locator('.monaco-diff-editor .view-line', { hasText: 'delivered' }).first().waitFor();
    await shoot(page, 'compare-1-takes');
    const { changes } = JSON.parse(engine('diff', `${TAKES}/${EARLIER}`, `${TAKES}/${LATER}`, '--json')) as {
      readonly changes: readonly { readonly title: string }[];
    };
    assert.deepEqual(
      changes.map(({ title }) => title),
      ['Interaction added'],
    );
    assert.deepEqual(await review.locator('.change .title').allTextContents(), ['Interaction added']);
  });

  it('compares the last run of a case with its baseline', async () => {
    const { page } = story;
    await openFile(page, 'order_status.toml');
    await command('Tapedeck: Replay');
    await treeRow(story, 'order_status').and(page.locator('[aria-label*="passed"]')).waitFor();
    await openFile(page, 'order_status.baseline.json');
    await compareWith('order_status.artifact.json');
    await webviewFrame(page)
      .getByText(/^order_status\.baseline\.json, compared with order_status\.artifact\.json$/)
      .waitFor();
    await shoot(page, 'compare-2-run');
  });

  it('writes assertions about the steps with completion, and is told at which step they fail', async () => {
    const { page } = story;
    const suggestions = page.locator('.suggest-widget.visible .monaco-list-row');
    const complete = async (typed: string, wanted: string): Promise<void> => {
      await page.keyboard.press('Control+Space');
      await suggestions.first().waitFor();
      await page.keyboard.type(typed);
      await suggestions.and(page.locator('.focused')).filter({ hasText: wanted }).waitFor();
      await page.keyboard.press('Enter');
      await suggestions.first().waitFor({ state: 'hidden' });
    };
    await openFile(page, 'order_status.toml');
    await command('View: Focus Active Editor Group');
    await page.locator('.editor-instance .monaco-editor.focused').waitFor();
    await page.keyboard.press('Control+End');
    await complete('max_calls', 'max_calls');
    await page.keyboard.type('1');
    await page.keyboard.press('End');
    await page.keyboard.press('Enter');
    await complete('no_err', 'no_errors');
    await shoot(page, 'compare-3-completed');
    await page.keyboard.press('Control+S');
    await page.locator('.tab.dirty').first().waitFor({ state: 'detached' });
    assert.match(story.read(CASE), /^max_calls = 1\nno_errors = true$/m);
    await command('Tapedeck: Replay');
    await treeRow(story, 'order_status').and(page.locator('[aria-label*="failed"]')).waitFor();
    const problem = 'max_calls: the agent called the model 2 times, at most 1 is allowed (interaction 2)';
    await page.locator('.test-error-content-widget').getByText(problem).waitFor();
    await shoot(page, 'compare-4-failed');
  });

  it('writes the review as a page, and joins the reports of two shards, in the terminal', async () => {
    const { page } = story;
    write(TAPE, story.read(TAPE).replaceAll('Thursday', 'Friday'));
    write(OTHER_TAPE, story.read(OTHER_TAPE).replaceAll('small web shop', 'large web shop'));
    await command('Terminal: Create New Terminal');
    const terminal = page.locator('.terminal-wrapper.active');
    await terminal
      .locator('.xterm-rows')
      .getByText(/sample[#$]/)
      .waitFor();
    await terminal.locator('textarea:focus').waitFor();
    /** Returns with the exit code when the command has ended. */
    const run = async (line: string, name: string): Promise<string> => {
      await page.keyboard.type(`${line}; echo ${name}-$?`);
      await page.keyboard.press('Enter');
      const end = terminal.locator('.xterm-rows').getByText(new RegExp(`^${name}-\\d+$`));
      return (await end.innerText()).trim();
    };
    assert.equal(await run('tapedeck review --html review.html', 'page'), 'page-0');
    const html = story.read('review.html');
    assert.match(html, /<title>Review of sample<\/title>/);
    assert.match(html, /Friday/);
    assert.doesNotMatch(html, /<script/);
    for (const shard of ['1', '2'])
      await run(`tapedeck check --shard ${shard}/2 --reporter markdown > ${shard}.md`, `shard${shard}`);
    // As the check of both ends: with changes to decide on.
    assert.equal(await run('tapedeck merge 2.md 1.md > merged.md', 'merged'), 'merged-1');
    await shoot(page, 'compare-5-terminal');
    const merged = story.read('merged.md');
    assert.equal(merged, engine('check', '--reporter', 'markdown'));
    for (const name of ['order', 'refund']) assert.match(merged, new RegExp(`tapes/${name}&#95;`));
  });
});
