import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { comparedPairs } from '../harness/comparedPairs';
import { pressCommand } from '../harness/keyboard';
import { startCodeServer } from '../harness/vscode/codeServer.mjs';
import { openWorkbench, runCommand, shoot, webviewFrame } from '../harness/vscode/workbench.mjs';

const projectRoot = resolve(__dirname, '../..');
const PAIRS = join(projectRoot, 'out/test/web/pairs.json');

describe("in the browser's extension host, with a folder that is on no disk", function () {
  this.timeout(240_000);
  const folder = mkdtempSync(join(tmpdir(), 'tapedeck-web-'));
  const messages: string[] = [];
  let stop = async () => {};
  let page: Awaited<ReturnType<typeof openWorkbench>>['page'];

  before(async () => {
    mkdirSync(dirname(PAIRS), { recursive: true });
    writeFileSync(PAIRS, JSON.stringify(await comparedPairs(100)));
    const server = await startCodeServer({
      version: 'newest',
      userDataDir: join(folder, 'user'),
      extensionsDir: join(folder, 'extensions'),
    });
    stop = () => server.stop();
    const workbench = await openWorkbench({
      server,
      workspace: 'tmp:/sample',
      web: true,
      extensionDevelopmentPath: projectRoot,
      extensionTestsPath: join(projectRoot, 'out/test/web/index.js'),
      onLog: (level, text) => messages.push(`${level}: ${text}`),
    });
    page = workbench.page;
    stop = async () => {
      await workbench.close();
      await server.stop();
    };
    // code-server asks for another folder, as this one is not on its disk.
    await page.keyboard.press('Escape');
    void workbench.exit.then(() => assert.fail(messages.join('\n')));
  });

  after(async () => {
    await stop();
    rmSync(PAIRS, { force: true });
    rmSync(folder, { recursive: true, force: true });
  });

  it('a tape is read as a conversation', async () => {
    await webviewFrame(page).locator('article').first().waitFor();
    await shoot(page, 'web-transcript');
  });

  it('the tree shows cases and tapes', async () => {
    await page.locator('.monaco-list-row', { hasText: 'order_status' }).first().waitFor();
  });

  it('running says what it needs, instead of failing', async () => {
    await runCommand(page, 'Tapedeck: Replay All');
    await page.locator('.notification-toast', { hasText: 'In the browser, Tapedeck only shows' }).waitFor();
  });

  const changed = () => page.locator('.scm-view .monaco-list-row', { hasText: 'order_status.tape.json' });

  it('a changed tape in a diff editor is opened as a review', async () => {
    await pressCommand(page, 'Source Control: Focus on Changes View');
    await changed().click();
    await page.locator('.monaco-diff-editor').first().waitFor();
    await shoot(page, 'web-diff');
    await page.locator('.editor-actions').getByRole('button', { name: 'Review This File' }).first().click();
    await page.locator('.tab.active', { hasText: 'Compare: order_status.tape.json' }).waitFor();
    await webviewFrame(page).getByText('compared with order_status.tape.json, earlier version').waitFor();
    await pressCommand(page, 'View: Close All Editors');
  });

  it('a changed tape of the source control view is opened as a review, by keys', async () => {
    await pressCommand(page, 'Source Control: Focus on Changes View');
    await changed().waitFor();
    while ((await changed().and(page.locator('.focused')).count()) === 0) await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Shift+F10');
    const item = page.locator('.monaco-menu .action-item', { hasText: 'Review This File' });
    await item.waitFor();
    while ((await item.and(page.locator('.focused')).count()) === 0) await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.locator('.tab.active', { hasText: 'Compare: order_status.tape.json' }).waitFor();
    const review = webviewFrame(page);
    await review.getByText('compared with order_status.tape.json, earlier version').waitFor();
    await review.locator('.monaco-diff-editor .view-line').first().waitFor();
    await shoot(page, 'web-review');
  });

  it('a review in the browser is that of the engine, change by change, on 100 pairs of tapes', async () => {
    const told = page.locator('.statusbar-item', { hasText: "reviews are the engine's" });
    await told.waitFor({ timeout: 120_000 });
    assert.match(await told.innerText(), /100 of 100 reviews/, messages.join('\n').slice(0, 5000));
  });

  it('opens the manual', async () => {
    await pressCommand(page, 'Tapedeck: Open Manual');
    await webviewFrame(page).getByRole('heading', { name: 'What Tapedeck promises' }).waitFor();
  });
});
