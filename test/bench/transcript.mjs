#!/usr/bin/env node
// node test/bench/transcript.mjs [memory]
// The transcript of a tape of 100 MB in a real VS Code, against the plain text editor on the same file in the same window:
// time to the first screen, the longest task while it scrolls and searches, memory; a message of 20 MB; a long conversation
// with everything open; and a tape that is recorded on while it is read.
import { mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { startCodeServer } from '../harness/vscode/codeServer.mjs';
import { openWorkbench, runCommand, webviewFrame } from '../harness/vscode/workbench.mjs';
import { median, report } from './rows.mjs';
import { longestTasks, toldTasks, webviewContent } from './transcript/longTasks.mjs';
import { addedMost, memoryReport } from './transcript/memoryReport.mjs';
import { writeOpener } from './transcript/opener.mjs';
import { heldFor, mostHeld } from './transcript/processMemory.mjs';
import { allRead, closeAll, firstMessage, LIMIT, openWhole, scroll, search, timed } from './transcript/reader.mjs';
import { writeConversation, writeLarge, writeTape } from './transcript/tapes.mjs';

const [only] = process.argv.slice(2);
const ROUNDS = 3;
const WINDOWS = 5;
const APPENDED = 200;
const MB = 1e6;
const project = resolve(import.meta.dirname, '../..');
const folder = mkdtempSync(join(tmpdir(), 'tapedeck-transcript-bench-'));
const workspace = join(folder, 'workspace');
for (const made of [workspace, join(folder, 'user')]) mkdirSync(made);

const file = (name) => join(workspace, name);
const questions = (count) => Array.from({ length: count }, (_, index) => `Where is my order ${index}? `.repeat(30));
writeTape(file('small.json'), questions(1));
writeTape(file('message.json'), ['All work and no play makes the tape a dull tape. '.repeat(Math.ceil(20e6 / 49))]);
writeTape(file('recording.json'), questions(1000));
writeConversation(file('conversation.json'), 200);
writeLarge(file('large.json'), 10_000);
const SIZE = statSync(file('large.json')).size;

const transcriptOf = (name) => ['tapedeck.openTranscript', file(name)];
const opener = writeOpener(folder, {
  'Large as Text': ['vscode.openWith', file('large.json'), 'default'],
  'Large as Transcript': transcriptOf('large.json'),
  'Small as Transcript': transcriptOf('small.json'),
  'Message as Transcript': transcriptOf('message.json'),
  'Conversation as Transcript': transcriptOf('conversation.json'),
  'Recording as Transcript': transcriptOf('recording.json'),
});
/** @type {import('playwright-core').Page} */
let page;
try {
  console.log(`${(SIZE / MB).toFixed(0)} MB, 10,000 interactions; load of the machine ${loadavg()[0].toFixed(1)}`);
  /** @type {number[]} */
  const added = [];
  for (let window = 0; window < WINDOWS; window += 1) await inWindow(async () => added.push(await memory()));
  const what = 'memory of a tape of 100 MB, opened and in use';
  report({ what, of: 'the file', values: added.map((bytes) => bytes / SIZE), asked: 2 });
  if (only !== 'memory') await inWindow(others);
} finally {
  rmSync(folder, { recursive: true, force: true });
}

/** @param {() => Promise<unknown>} action */
async function inWindow(action) {
  const server = await startCodeServer({
    version: 'newest',
    workspace,
    userDataDir: join(folder, 'user'),
    extensionsDir: join(folder, 'extensions'),
    settings: { 'workbench.editorLargeFileConfirmation': 1000000, 'editor.stickyScroll.enabled': false },
  });
  const workbench = await openWorkbench({ server, workspace, extensionDevelopmentPath: [project, opener] });
  page = workbench.page;
  try {
    await action();
  } finally {
    await workbench.close();
    await server.stop();
  }
}

async function others() {
  await timed(page, 'Large as Transcript', () => allRead(page));
  await reading();
  for (const part of [firstScreen, hugeMessage, conversation, recording]) {
    await closeAll(page);
    await part();
  }
}

/**
 * What a large tape adds to what is held, at its most. Of a fresh window: what is measured later would be measured with what was left by
 * what came before.
 */
async function memory() {
  await runCommand(page, 'Bench: Small as Transcript');
  await firstMessage(page);
  const idle = await heldAtRest();
  const opening = await mostHeld(async () => {
    await timed(page, 'Large as Transcript', () => page.getByRole('tab', { name: 'large.json' }).waitFor(LIMIT));
    await page.waitForTimeout(500);
    await allRead(page);
  });
  const steady = await heldAtRest();
  const frame = await webviewContent(page);
  const using = await mostHeld(async () => {
    await scroll(page);
    await search(page, frame);
  });
  const after = await heldAtRest();
  const measured = {
    'most while opening': opening,
    '15 s after': steady,
    'most while in use': using,
    '15 s after that': after,
  };
  console.log(`\n${memoryReport(idle, measured, SIZE)}`);
  return addedMost(idle, measured);
}

/** What is held when nothing has been done for a quarter of a minute. */
async function heldAtRest() {
  await page.waitForTimeout(10_000);
  return heldFor(5);
}

/** In the large tape, which is open. */
async function reading() {
  const frame = await webviewContent(page);
  const tasks = { scrolling: [], searching: [] };
  for (let round = 0; round < ROUNDS; round += 1) {
    tasks.scrolling.push(await longestTasks(frame, () => scroll(page)));
    tasks.searching.push(await longestTasks(frame, () => search(page, frame)));
  }
  console.log('');
  for (const [name, measured] of Object.entries(tasks)) console.log(`  ${name.padEnd(10)} ${toldTasks(measured)}`);
}

async function firstScreen() {
  const taken = { text: [], transcript: [] };
  for (let round = 0; round < ROUNDS; round += 1) {
    const line = page.locator('.view-line').getByText('case_name').first();
    taken.text.push(await timed(page, 'Large as Text', () => line.waitFor(LIMIT)));
    await closeAll(page);
    taken.transcript.push(await timed(page, 'Large as Transcript', () => firstMessage(page)));
    await closeAll(page);
  }
  const [text, transcript] = [median(taken.text), median(taken.transcript)];
  console.log(`\nto the first screen; medians of ${ROUNDS}`);
  console.log(`  plain text   ${text.toFixed(0)} ms`);
  console.log(`  transcript   ${transcript.toFixed(0)} ms   ratio ${(transcript / text).toFixed(2)} (bar 1.5)`);
}

async function hugeMessage() {
  const answer = webviewFrame(page).locator('article .message-body').nth(1);
  const opened = await timed(page, 'Message as Transcript', () => answer.waitFor(LIMIT));
  const frame = await webviewContent(page);
  console.log(`\na message of 20 MB: ${opened.toFixed(0)} ms to the first screen`);
  console.log(`  three slices of it   ${toldTasks([await longestTasks(frame, () => openWhole(page, frame))])}`);
}

async function conversation() {
  await timed(page, 'Conversation as Transcript', () => allRead(page));
  const frame = await webviewContent(page);
  await frame.locator('body').press('3');
  const scrolled = await longestTasks(frame, () => scroll(page));
  console.log(`\na conversation of 200 turns, each with all before it, everything open\n  ${toldTasks([scrolled])}`);
}

async function recording() {
  await timed(page, 'Recording as Transcript', () => allRead(page));
  const frame = await webviewContent(page);
  const facts = frame
    .locator('body')
    .getByText((1000 + APPENDED).toLocaleString('en-US'))
    .first();
  const recorded = await longestTasks(frame, async () => {
    for (let count = 1; count <= APPENDED; count += 1) {
      writeTape(file('recording.json'), questions(1000 + count));
      await page.waitForTimeout(100);
    }
    await facts.waitFor(LIMIT);
  });
  console.log(`\nwhile ${APPENDED} interactions are recorded onto a tape of 1,000\n  ${toldTasks([recorded])}`);
}
