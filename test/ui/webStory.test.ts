import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { startCodeServer } from '../harness/vscode/codeServer.mjs';
import { openWorkbench, runCommand, shoot, webviewFrame } from '../harness/vscode/workbench.mjs';

const projectRoot = resolve(__dirname, '../..');

describe("in the browser's extension host, with a folder that is on no disk", function () {
  this.timeout(240_000);
  const folder = mkdtempSync(join(tmpdir(), 'tapedeck-web-'));
  const messages: string[] = [];
  let stop = async () => {};
  let page: Awaited<ReturnType<typeof openWorkbench>>['page'];

  before(async () => {
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
});
