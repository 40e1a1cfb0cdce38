import assert from 'node:assert/strict';
import type { Browser } from 'playwright-core';
import type { OpenProxy } from '../../src/engine/proxy/openProxy';
import { launchBrowser } from '../harness/pages/transcriptPages';
import { proxyIn } from '../harness/proxyTakes';
import { inFolder, sendJson, serve } from '../harness/support';

describe('a browser at the forward proxy', function () {
  this.timeout(240_000);
  let browser: Browser;
  before(async () => {
    browser = await launchBrowser();
  });
  after(() => browser.close());

  /** What a page that goes to an address through the proxy gets: a status, or the browser's own error. */
  async function visit(
    address: string,
    proxy: { server: string; username?: string; password?: string },
  ): Promise<string> {
    const context = await browser.newContext({ proxy, ignoreHTTPSErrors: proxy.password !== undefined });
    try {
      const page = await context.newPage();
      const response = await page.goto(address);
      return String(response?.status());
    } catch (error) {
      return String(error);
    } finally {
      await context.close();
    }
  }

  it('gets nothing without the secret of the run, and nothing for its pages with it', async () => {
    await inFolder(async (root) => {
      const server = await serve((response) => sendJson(response, 200, { fine: true }));
      let proxy: OpenProxy | undefined;
      try {
        proxy = await proxyIn(root, {
          mode: 'record',
          forward: true,
          upstreams: { commandLine: { 'plain.example': `http://${server.host}` } },
        });
        const { port, password } = new URL(proxy.variables.HTTPS_PROXY ?? '');
        const address = { server: `http://127.0.0.1:${port}` };
        for (const scheme of ['http', 'https'])
          assert.match(await visit(`${scheme}://plain.example/a`, address), /^407$|ERR_/);
        const admitted = { ...address, username: 'tapedeck', password };
        assert.equal(await visit('https://plain.example/a', admitted), '403');
        assert.equal(server.requests.length, 0);
        assert.deepEqual(proxy.recorded, []);
      } finally {
        await proxy?.close();
        await server.close();
      }
    });
  });
});
