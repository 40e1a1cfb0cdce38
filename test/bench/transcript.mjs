// The transcript of a tape of 100 MB in a real VS Code, against the plain text editor on the same file in the same window:
// time to the first screen, the longest task of the page while it scrolls and searches, memory, and a message of 20 MB.
import { mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { startCodeServer } from '../host/codeServer.mjs';
import { openWorkbench, runCommand, webviewFrame } from '../host/workbench.mjs';
import { longestTasks, toldTasks, webviewContent } from './transcript/longTasks.mjs';
import { writeOpener } from './transcript/opener.mjs';
import { heldFor, mostHeld } from './transcript/processMemory.mjs';
import { writeLarge, writeTape } from './transcript/tapes.mjs';

const ROUNDS = 3;
const MB = 1e6;
const LIMIT = { timeout: 120_000 };
const project = resolve(import.meta.dirname, '../..');
const folder = mkdtempSync(join(tmpdir(), 'tapedeck-transcript-bench-'));
const workspace = join(folder, 'workspace');
for (const made of [workspace, join(folder, 'user')]) mkdirSync(made);

const file = (name) => join(workspace, name);
writeTape(file('small.json'), 'small', ['Where is my order?']);
writeTape(file('message.json'), 'huge', [
  'All work and no play makes the tape a dull tape. '.repeat(Math.ceil(20e6 / 49)),
]);
writeLarge(file('large.json'), 10_000);
const SIZE = statSync(file('large.json')).size;

const server = await startCodeServer({
  version: 'newest',
  workspace,
  userDataDir: join(folder, 'user'),
  extensionsDir: join(folder, 'extensions'),
  settings: { 'workbench.editorLargeFileConfirmation': 1000000, 'editor.stickyScroll.enabled': false },
});
const workbench = await openWorkbench({
  server,
  workspace,
  extensionDevelopmentPath: [
    project,
    writeOpener(folder, {
      'Small as Transcript': ['tapedeck.openTranscript', file('small.json')],
      'Large as Text': ['vscode.openWith', file('large.json'), 'default'],
      'Large as Transcript': ['tapedeck.openTranscript', file('large.json')],
      'Message as Transcript': ['tapedeck.openTranscript', file('message.json')],
    }),
  ],
});
const { page } = workbench;
try {
  console.log(`${(SIZE / MB).toFixed(0)} MB, 10,000 interactions; load of the machine ${loadavg()[0].toFixed(1)}`);
  await memory();
  await firstScreen();
  await hugeMessage();
} finally {
  await workbench.close();
  await server.stop();
  rmSync(folder, { recursive: true, force: true });
}

/** Of a fresh window: what is measured later would be measured with what was left by what came before. */
async function memory() {
  await runCommand(page, 'Bench: Small as Transcript');
  await firstMessage();
  await page.waitForTimeout(5000);
  const idle = await heldFor(5);
  const opening = await mostHeld(async () => {
    await timed('Large as Transcript', () => page.getByRole('tab', { name: 'large.json' }).waitFor(LIMIT));
    await page.waitForTimeout(500);
    await firstMessage();
    await webviewFrame(page)
      .locator('.reading-on')
      .waitFor({ ...LIMIT, state: 'detached' });
  });
  await page.waitForTimeout(25_000);
  const steady = await heldFor(5);
  const frame = await webviewContent(page);
  const tasks = { scrolling: [], searching: [] };
  const using = await mostHeld(async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      tasks.scrolling.push(await longestTasks(frame, scroll));
      tasks.searching.push(await longestTasks(frame, () => search(frame)));
    }
  });
  for (const [name, measured] of Object.entries(tasks)) console.log(`  ${name.padEnd(12)} ${toldTasks(measured)}`);
  const held = { 'a small tape open': idle, 'most while opening': opening, '30 s after': steady, 'most in use': using };
  console.log('\nmemory in MB (PSS)      host  window  together   increase');
  for (const [name, { host, window }] of Object.entries(held)) {
    const together = host + window;
    const more = together - idle.host - idle.window;
    const numbers = [host, window, together].map((bytes) => (bytes / MB).toFixed(0));
    console.log(
      `  ${name.padEnd(20)} ${numbers[0].padStart(5)} ${numbers[1].padStart(7)} ${numbers[2].padStart(6)} (${times(together)})  ${(more / MB).toFixed(0).padStart(4)} (${times(more)})`,
    );
  }
  console.log('  in brackets: times the file (bar 4); "together" has all of VS Code in it, which the first line shows');
  await closeAll();
}

async function firstScreen() {
  const taken = { text: [], transcript: [] };
  for (let round = 0; round < ROUNDS; round += 1) {
    const line = page.locator('.view-line').getByText('case_name').first();
    taken.text.push(await timed('Large as Text', () => line.waitFor(LIMIT)));
    await closeAll();
    taken.transcript.push(await timed('Large as Transcript', firstMessage));
    await closeAll();
  }
  const [text, transcript] = [median(taken.text), median(taken.transcript)];
  console.log(`\nto the first screen; medians of ${ROUNDS}`);
  console.log(`  plain text   ${text.toFixed(0)} ms`);
  console.log(`  transcript   ${transcript.toFixed(0)} ms   ratio ${(transcript / text).toFixed(2)} (bar 1.5)`);
}

async function hugeMessage() {
  const answer = webviewFrame(page).locator('article .message-body').nth(1);
  const opened = await timed('Message as Transcript', () => answer.waitFor(LIMIT));
  const frame = await webviewContent(page);
  console.log(`\na message of 20 MB: ${opened.toFixed(0)} ms to the first screen`);
  console.log(`  three slices of it   ${toldTasks([await longestTasks(frame, () => openWhole(frame))])}`);
}

function firstMessage() {
  return webviewFrame(page).locator('article .message-body').first().waitFor(LIMIT);
}

async function closeAll() {
  await runCommand(page, 'View: Close All Editors');
  const frame = page.locator('iframe.webview').first();
  await frame.waitFor({ state: 'detached' }).catch(() => undefined);
  await page.waitForTimeout(500);
}

async function timed(command, arrived) {
  await page.keyboard.press('F1');
  await page.locator('.quick-input-widget:visible input').first().fill(`>Bench: ${command}`);
  const row = page.locator('.quick-input-list .monaco-list-row').filter({ hasText: command }).first();
  await row.waitFor();
  const start = performance.now();
  await row.click();
  await arrived();
  return performance.now() - start;
}

async function scroll() {
  const { width, height } = page.viewportSize();
  await page.mouse.move(width / 2, height / 2);
  for (let step = 0; step < 120; step += 1) {
    await page.mouse.wheel(0, step % 10 === 9 ? 60_000 : 900);
    await page.waitForTimeout(30);
  }
}

async function search(frame) {
  await frame.locator('body').press('/');
  await page.keyboard.type('customs', { delay: 60 });
  await frame.locator('.find-count').getByText(/ of /).waitFor(LIMIT);
  for (let step = 0; step < 20; step += 1) {
    await page.keyboard.press('Enter');
    await page.waitForTimeout(60);
  }
  await page.waitForTimeout(3000);
  await page.keyboard.press('Escape');
}

async function openWhole(frame) {
  for (let slice = 0; slice < 3; slice += 1) {
    const more = frame.getByRole('button', { name: /^Show (all|more)/ }).first();
    await more.click();
    await page.waitForTimeout(500);
  }
  await page.mouse.wheel(0, 3000);
  await page.waitForTimeout(500);
}

function times(bytes) {
  return (bytes / SIZE).toFixed(2);
}

function median(values) {
  return [...values].sort((left, right) => left - right)[Math.floor(values.length / 2)];
}
