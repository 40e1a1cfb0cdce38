import * as assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { tellMainStory } from '../harness/mainStory';
import { packagedExtensions, packagedVsix } from '../harness/packaged';
import { startStory } from '../harness/story';
import { runCommand, shoot } from '../harness/vscode/workbench.mjs';

const projectRoot = resolve(__dirname, '../..');

/** The main story with the packaged extension, in a VS Code without any other extension. */
describe('the packaged extension', () => {
  const folder = mkdtempSync(join(tmpdir(), 'tapedeck-packaged-'));
  after(() => rmSync(folder, { recursive: true, force: true }));

  it('is at most 2.5 MB', () => {
    const { size } = statSync(packagedVsix());
    assert.ok(size <= 2_500_000, `${size} bytes`);
  });

  it('names the functions of the source in the stack trace of a bug', () => {
    const preload = join(folder, 'bug.cjs');
    // The first one is drawn when the program starts.
    writeFileSync(
      preload,
      "const crypto = require('node:crypto'); const { randomUUID } = crypto; let calls = 0; crypto.randomUUID = () => { if (calls++ > 0) throw new TypeError('a bug'); return randomUUID(); };",
    );
    const args = ['--require', preload, join(projectRoot, 'dist/engine.js'), 'run', 'media/sample/cases/greeting.toml'];
    const { stderr } = spawnSync(process.execPath, args, { cwd: projectRoot, encoding: 'utf8' });
    assert.match(stderr, /TypeError: a bug[\s\S]*at (?:async )?runCase /);
  });

  it('installs into a fresh VS Code', async () => {
    await packagedExtensions();
  });

  it('has a details page without a broken picture', async () => {
    const story = await startStory({ extensionsDir: await packagedExtensions() });
    try {
      const { page } = story;
      await runCommand(page, 'Extensions: Show Installed Extensions');
      await page.locator('.extension-list-item', { hasText: 'Tapedeck' }).first().click();
      const readme = page.frameLocator('iframe.webview.ready').frameLocator('#active-frame');
      await readme.getByRole('heading', { name: 'Your first five minutes' }).waitFor();
      const broken = await readme
        .locator('img')
        .evaluateAll((images) => images.filter((image) => (image as HTMLImageElement).naturalWidth === 0).length);
      assert.equal(broken, 0);
      await shoot(page, 'packaged-details');
    } finally {
      await story.end();
    }
  });

  describe('tells the main story', function () {
    tellMainStory(this, async () => startStory({ extensionsDir: await packagedExtensions() }), 'packaged', 'hc-dark');
  });
});
