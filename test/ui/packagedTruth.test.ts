import assert from 'node:assert/strict';
import { appendFileSync, copyFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { openFile } from '../harness/keyboard';
import { tellPackaged } from '../harness/packaged';
import { expandRow, lens, openTapedeck, treeRow } from '../harness/sidebar';
import { runCommand } from '../harness/vscode/workbench.mjs';

/** Every surface of the window tells the same of a case, whatever happens to it, and whoever does it. */
tellPackaged('one truth about a case', (story) => {
  const path = (name: string) => join(story().workspace, name);
  const edit = (name: string, from: string, to: string) =>
    writeFileSync(path(name), story().read(name).replace(from, to));
  const outdated = { outcome: 'passed', isOutdated: true } as const;

  const server = createServer(() => undefined);
  const listen = async (): Promise<number> => {
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    return (server.address() as AddressInfo).port;
  };
  after(() => {
    server.closeAllConnections();
    server.close();
  });

  it('says that nothing has run', async () => {
    writeFileSync(path('cases/slow.toml'), slowCase(await listen()));
    writeFileSync(path('cases/bare.toml'), 'name = "bare"\nprompt = "Hello"\n\n[llm]\nresponses = ["Hi"]\n');
    await openTapedeck(story());
    await treeRow(story(), 'slow').waitFor();
    await story().agree({ order_status: 'none', greeting: 'none', slow: 'none' });
  });

  it('says what passed, what differs, and what was compared with nothing', async () => {
    await runCommand(story().page, 'Test: Run All Tests');
    await openTapedeck(story());
    await treeRow(story(), 'greeting').click();
    await lens(story(), 'Review (1)').waitFor();
    await story().agree({ order_status: 'passed', greeting: { outcome: 'failed', pending: 1 }, bare: 'passed' });
    await story().picture('1-run');
    if (story().look.width === 1600) await assertOutput(story().page);
    await treeRow(story(), 'bare').click();
    await treeRow(story(), 'bare').getByText('nothing compared').waitFor();
    await lens(story(), 'Create Baseline').waitFor();
    await story().agree({ bare: 'passed' });
    await story().picture('2-nothing-compared');
  });

  it('makes the run a baseline, which it then matches', async () => {
    await lens(story(), 'Create Baseline').click();
    await lens(story(), 'Review').waitFor();
    await treeRow(story(), 'bare').getByText('nothing compared').waitFor({ state: 'detached' });
    await story().agree({ bare: 'passed' });
  });

  it('knows that a result is outdated once another program has changed the tape, the baseline or the case', async () => {
    await treeRow(story(), 'order_status').click();
    const tape = story().read('tapes/order_status.tape.json');
    writeFileSync(path('tapes/order_status.tape.json'), tape.replace('Nordpost', 'Suedpost'));
    await story().agree({ order_status: outdated, refund_question: 'passed' });
    await story().picture('3-outdated');
    writeFileSync(path('tapes/order_status.tape.json'), tape);
    await story().agree({ order_status: 'passed' });
    edit('cases/refund_question.toml', 'prompt = "', 'prompt = "Please: ');
    appendFileSync(path('cases/bare.baseline.json'), '\n');
    await story().agree({ refund_question: outdated, bare: outdated, order_status: 'passed' });
    edit('cases/refund_question.toml', 'prompt = "Please: ', 'prompt = "');
    rmSync(path('cases/bare.baseline.json'));
    await story().agree({ refund_question: 'passed', bare: outdated });
  });

  it('knows it as soon as a case is edited, and that an undo brings the result back', async () => {
    const { page } = story();
    await openFile(page, 'order_status.toml');
    // Keys that are pressed before the editor has the focus are lost, and half a remark is no TOML.
    await page.locator('.editor-instance .monaco-editor.focused').waitFor();
    await page.keyboard.press('Control+End');
    await page.keyboard.type('# a remark');
    await story().agree({ order_status: outdated });
    await page.locator('.editor-instance .monaco-editor.focused').waitFor();
    for (let times = 0; times < 12; times += 1) await page.keyboard.press('Control+z');
    await story().agree({ order_status: 'passed' });
  });

  it('knows it of every case when the rules of the project change', async () => {
    const rules = story().read('tapedeck.toml');
    writeFileSync(path('tapedeck.toml'), `${rules}\n# a remark\n`);
    const stale = { outcome: 'failed', isOutdated: true } as const;
    await story().agree({ order_status: outdated, refund_question: outdated, greeting: stale });
    writeFileSync(path('tapedeck.toml'), rules);
    await story().agree({ order_status: 'passed', refund_question: 'passed' });
  });

  it('keeps the result when a recording is cancelled', async () => {
    const { page } = story();
    const tape = story().read('tapes/order_status.tape.json');
    await treeRow(story(), 'slow').click();
    await lens(story(), 'Record').click();
    await page
      .locator('.monaco-dialog-box')
      .getByRole('button', { name: /record/i })
      .click();
    await treeRow(story(), 'slow').locator('.codicon-loading').waitFor();
    await page.locator('.notification-toast').getByRole('button', { name: 'Cancel' }).click();
    await treeRow(story(), 'slow').locator('.codicon-loading').waitFor({ state: 'detached' });
    await story().agree({ slow: 'failed', order_status: 'passed' });
    if (story().read('tapes/order_status.tape.json') !== tape) throw new Error('the tape was replaced');
  });

  it('replays continuously what another program changes, also the source of an own agent', async () => {
    writeFileSync(path('agent.py'), "print('Hello')\n");
    writeFileSync(path('cases/own.toml'), OWN);
    copyFileSync(path('tapes/order_status.tape.json'), path('tapes/own.tape.json'));
    await treeRow(story(), 'own').waitFor();
    await runCommand(story().page, 'Test: Start Continuous Run');
    await openTapedeck(story());
    // Its files may come to the notice of the window only now: then it is replayed for them.
    await treeRow(story(), 'own').locator('.codicon-circle-outline, .codicon-pass').first().waitFor();
    appendFileSync(path('cases/own.toml'), '# changed\n');
    await treeRow(story(), 'own').locator('.codicon-pass').waitFor();
    writeFileSync(path('agent.py'), "print('Goodbye')\n");
    await story().agree({ own: 'failed' });
    writeFileSync(path('agent.py'), "print('Hello again')\n");
    await story().agree({ own: 'passed' });
    await runCommand(story().page, 'Test: Stop Continuous Run');
  });

  it('says the same when the window is loaded again', async () => {
    await story().page.reload({ waitUntil: 'commit' });
    await openTapedeck(story());
    await treeRow(story(), 'greeting').waitFor();
    await story().agree({
      order_status: 'passed',
      refund_question: 'passed',
      greeting: { outcome: 'failed', pending: 1, isOutdated: false },
      bare: outdated,
      slow: 'failed',
    });
    await expandRow(story(), 'greeting', 'Last run');
    await treeRow(story(), 'Last run')
      .getByText(/failed/)
      .waitFor();
    await story().picture('4-reloaded');
  });
});

/** The output of a run is in colours, and what a case did stands together, although cases run beside each other. */
async function assertOutput(page: Page): Promise<void> {
  const rows = page.locator('.test-output-peek-message-container .xterm-rows').first();
  const shown = await rows.locator('> div').allInnerTexts();
  const text = shown.map((row) => row.replaceAll('\u00A0', ' ').trimEnd()).join('\n');
  const [, ...cases] = text.split(/^(?=(?:bare|greeting|order_status|refund_question|slow)$)/m);
  assert.ok(cases.length > 0, `the cases have headings:\n${text}`);
  for (const each of cases)
    assert.equal(each.match(/^ +[✓✗] (?:passed|failed)/gm)?.length, 1, `one outcome in:\n${each}`);
  const colours = await rows
    .locator('span')
    .evaluateAll((spans) => [...new Set(spans.map((span) => getComputedStyle(span).color))]);
  assert.ok(colours.length >= 3, `passed, failed and the rest have colours of their own: ${colours.join(', ')}`);
}

const OWN = `name = "own"
prompt = "Hello"

[agent]
command = ["python3", "agent.py"]
cwd = ".."
allow_none = true

[llm]
tape = "../tapes/own.tape.json"

[assert]
contains = "Hello"
`;

/** A case whose provider never answers. */
const slowCase = (port: number) => `name = "slow"
prompt = "Hello"

[llm]
record_tape = "../tapes/slow.tape.json"

[llm.provider]
kind = "open_ai_compatible"
base_url = "http://127.0.0.1:${port}/v1"
model = "slow"
`;
