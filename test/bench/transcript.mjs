// The transcript of a tape of 100 MB in a real VS Code, against the plain text editor on the same file in the same window:
// time to the first screen, the longest task of the page while it scrolls and searches, memory, and a message of 20 MB.
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { startCodeServer } from '../host/codeServer.mjs';
import { openWorkbench, runCommand, webviewFrame } from '../host/workbench.mjs';

const ROUNDS = 3;
const MB = 1e6;
const project = resolve(import.meta.dirname, '../..');
const folder = mkdtempSync(join(tmpdir(), 'tapedeck-transcript-bench-'));
const workspace = join(folder, 'workspace');
mkdirSync(workspace);
mkdirSync(join(folder, 'user'));

const LARGE = join(workspace, 'large.json');
spawnSync(process.execPath, [join(import.meta.dirname, 'largeTape.cjs'), 'write', LARGE, '10000'], {
  stdio: 'inherit',
});
const MESSAGE = join(workspace, 'message.json');
writeFileSync(MESSAGE, hugeMessage());

const server = await startCodeServer({
  version: 'newest',
  workspace,
  userDataDir: join(folder, 'user'),
  extensionsDir: join(folder, 'extensions'),
  settings: { 'workbench.editorLargeFileConfirmation': 1000000, 'editor.stickyScroll.enabled': false },
  env: { TAPEDECK_BENCH: folder },
});
const workbench = await openWorkbench({
  server,
  workspace,
  extensionDevelopmentPath: [project, opener()],
});
try {
  const { page } = workbench;
  const size = statSync(LARGE).size;
  await runCommand(page, 'Bench: Warm Up');
  await webviewFrame(page).locator('article').first().waitFor();
  await closeAll();

  const idle = extensionHostBytes();
  const times = { text: [], transcript: [] };
  for (let round = 0; round < ROUNDS; round += 1) {
    times.text.push(
      await timed('Bench: Large as Text', () =>
        page.locator('.view-line').getByText('case_name').first().waitFor({ timeout: 120_000 }),
      ),
    );
    await closeAll();
    times.transcript.push(
      await timed('Bench: Large as Transcript', () =>
        webviewFrame(page).locator('article .message-body').first().waitFor({ timeout: 120_000 }),
      ),
    );
    if (round < ROUNDS - 1) await closeAll();
  }
  const [text, transcript] = [median(times.text), median(times.transcript)];
  console.log(`\n${(size / MB).toFixed(0)} MB, 10,000 interactions; medians of ${ROUNDS}, to the first screen`);
  console.log(
    `  plain text   ${text.toFixed(0)} ms\n  transcript   ${transcript.toFixed(0)} ms   ratio ${(transcript / text).toFixed(2)} (bar 1.5)`,
  );

  const frame = await webviewContent(page);
  await frame.locator('.reading-on').waitFor({ state: 'detached', timeout: 120_000 });
  console.log(`  scrolling    ${await longestTask(frame, () => scroll(page))}`);
  console.log(`  searching    ${await longestTask(frame, () => search(page, frame))}`);
  await reportMemory(page, size, idle);
  await closeAll();

  const opened = await timed('Bench: Message as Transcript', () =>
    webviewFrame(page).locator('article .message-body').nth(1).waitFor({ timeout: 120_000 }),
  );
  const message = await webviewContent(page);
  console.log(`\na message of 20 MB: ${opened.toFixed(0)} ms to the first screen`);
  console.log(`  opening it whole, three slices   ${await longestTask(message, () => openWhole(message))}`);

  async function closeAll() {
    await runCommand(page, 'View: Close All Editors');
    await page
      .locator('iframe.webview')
      .first()
      .waitFor({ state: 'detached' })
      .catch(() => undefined);
    await page.waitForTimeout(500);
  }

  async function timed(command, arrived) {
    await page.keyboard.press('F1');
    await page.locator('.quick-input-widget:visible input').first().fill(`>${command}`);
    const row = page.locator('.quick-input-list .monaco-list-row').filter({ hasText: command }).first();
    await row.waitFor();
    const start = performance.now();
    await row.click();
    await arrived();
    return performance.now() - start;
  }
} finally {
  await workbench.close();
  await server.stop();
  rmSync(folder, { recursive: true, force: true });
}

/** The innermost frame, whose own tasks are counted. */
async function webviewContent(page) {
  const handle = await webviewFrame(page).locator('body').elementHandle();
  return handle.ownerFrame();
}

/** The longest task that ran in the frame itself while something was done, in milliseconds. */
async function longestTask(frame, action) {
  await frame.evaluate(() => {
    window.benchTasks = [];
    new PerformanceObserver((list) => {
      for (const { duration, name } of list.getEntries()) window.benchTasks.push([duration, name]);
    }).observe({ type: 'longtask' });
  });
  await action();
  const tasks = await frame.evaluate(() => window.benchTasks);
  const own = tasks.filter(([, name]) => name === 'self').map(([duration]) => duration);
  const others = tasks.filter(([, name]) => name !== 'self').map(([duration]) => duration);
  const longest = (list) => (list.length === 0 ? 'none over 50 ms' : `${Math.max(...list).toFixed(0)} ms`);
  return `longest task of the page: ${longest(own)} (bar 100 ms); of the rest of the window: ${longest(others)}`;
}

async function scroll(page) {
  const { width, height } = page.viewportSize();
  await page.mouse.move(width / 2, height / 2);
  for (let step = 0; step < 120; step += 1) {
    await page.mouse.wheel(0, step % 10 === 9 ? 60_000 : 900);
    await page.waitForTimeout(30);
  }
}

async function search(page, frame) {
  await frame.locator('body').press('/');
  await page.keyboard.type('customs', { delay: 60 });
  await frame.locator('.find-count').getByText(/ of /).waitFor({ timeout: 120_000 });
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
    await frame.page().waitForTimeout(500);
  }
  await frame.page().mouse.wheel(0, 3000);
  await frame.page().waitForTimeout(500);
}

/** The extension host's resident memory, and the heap of the window with everything in it. */
async function reportMemory(page, size, idle) {
  const session = await page.context().newCDPSession(page);
  await session.send('HeapProfiler.collectGarbage');
  await session.send('Performance.enable');
  const { metrics } = await session.send('Performance.getMetrics');
  const heap = metrics.find(({ name }) => name === 'JSHeapUsedSize')?.value ?? 0;
  const host = extensionHostBytes();
  const sum = host + heap;
  console.log(
    `  memory       extension host ${(host / MB).toFixed(0)} MB resident (${(idle / MB).toFixed(0)} MB before it was opened), window ${(heap / MB).toFixed(0)} MB of heap: ${(sum / size).toFixed(2)} times the file (bar 4)`,
  );
}

function extensionHostBytes() {
  for (const name of readdirSync('/proc').filter((entry) => /^\d+$/.test(entry))) {
    try {
      const environment = readFileSync(`/proc/${name}/environ`, 'utf8');
      const command = readFileSync(`/proc/${name}/cmdline`, 'utf8');
      if (!environment.includes(`TAPEDECK_BENCH=${folder}`) || !command.includes('--type=extensionHost')) continue;
      return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${name}/status`, 'utf8'))?.[1] ?? 0) * 1024;
    } catch {
      // It has ended meanwhile.
    }
  }
  throw new Error('there is no extension host to be measured');
}

function median(values) {
  return [...values].sort((left, right) => left - right)[Math.floor(values.length / 2)];
}

/** An extension whose commands open the files, so that both editors are opened the same way. */
function opener() {
  const path = join(folder, 'opener');
  const commands = {
    'bench.warm': ['Warm Up', `tapedeck.openTranscript`, MESSAGE],
    'bench.text': ['Large as Text', 'vscode.openWith', LARGE, 'default'],
    'bench.transcript': ['Large as Transcript', 'tapedeck.openTranscript', LARGE],
    'bench.message': ['Message as Transcript', 'tapedeck.openTranscript', MESSAGE],
  };
  mkdirSync(path);
  writeFileSync(
    join(path, 'package.json'),
    JSON.stringify({
      ...{ name: 'opener', publisher: 'bench', version: '0.0.1', engines: { vscode: '^1.100.0' }, main: './main.js' },
      contributes: {
        commands: Object.entries(commands).map(([command, [title]]) => ({ command, title, category: 'Bench' })),
      },
    }),
  );
  writeFileSync(
    join(path, 'main.js'),
    `const vscode = require('vscode');
exports.activate = () => {
  for (const [id, [, command, file, ...rest]] of Object.entries(${JSON.stringify(commands)}))
    vscode.commands.registerCommand(id, () => vscode.commands.executeCommand(command, vscode.Uri.file(file), ...rest));
};`,
  );
  return path;
}

function hugeMessage() {
  const text = 'All work and no play makes the tape a dull tape. '.repeat(Math.ceil(20e6 / 49));
  const message = (role, content) => ({ role, content, tool_call_id: null, tool_calls: [] });
  const request = { messages: [message('user', text)], model: 'm', temperature: 0, max_tokens: null, tool_names: [] };
  return JSON.stringify({
    version: 1,
    case_name: 'huge',
    interactions: [{ request, response: 'Read.', tool_calls: [], usage: null }],
  });
}
