import * as assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { openDetails, widthsOfPictures } from '../harness/detailsPage';
import { tellMainStory } from '../harness/mainStory';
import { packagedExtensions, packagedVsix } from '../harness/packaged';
import { startStory } from '../harness/story';
import { installVsix } from '../harness/vscode/codeServer.mjs';
import { shoot } from '../harness/vscode/workbench.mjs';

const projectRoot = resolve(__dirname, '../..');

/** The main story with the packaged extension, in a VS Code without any other extension. */
describe('the packaged extension', () => {
  const folder = mkdtempSync(join(tmpdir(), 'tapedeck-packaged-'));
  after(() => rmSync(folder, { recursive: true, force: true }));

  // WebSockets with their library, HTTP/2, what reviews recordings in CI, and their pages of the manual: 37 kB more than before. gRPC with the
  // fields of public services, and thirty formats, once for Node and once for the browser: 60 kB. Modules that keep the names of the source, as no plugin shortens them, and this year's keys: 60 kB.
  it('is at most 3.6 MB', () => {
    const { size } = statSync(packagedVsix());
    assert.ok(size <= 3_600_000, `${size} bytes`);
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

  it('installs into a fresh VS Code, has its command line, and brings no key of any authority', async () => {
    const folder = await packagedExtensions();
    const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
    const key = /-----BEGIN [A-Z ]*PRIVATE KEY-----\s+[A-Za-z0-9+/]{40}/;
    const withKey = files.filter(({ parentPath, name }) => key.test(readFileSync(join(parentPath, name), 'latin1')));
    assert.ok(files.length > 20);
    assert.deepEqual(withKey, []);
    const environment = { ...process.env, TAPEDECK_NODE: process.execPath };
    const launcher = files.find(({ parentPath, name }) => parentPath.endsWith('dist/bin') && name === 'tapedeck');
    assert.ok(launcher);
    const program = join(launcher.parentPath, launcher.name);
    const told = execFileSync('sh', [program, '--version'], { env: environment, encoding: 'utf8' });
    assert.equal(told, `${JSON.parse(readFileSync(join(projectRoot, 'package.json'), 'utf8')).version}\n`);
  });

  it('has a details page with its pictures, where they have an address', async () => {
    const elsewhere = join(folder, 'pictures.vsix');
    const address = 'https://pictures.invalid/media';
    execFileSync(process.execPath, ['build/package.mjs', '--pictures', address, '--out', elsewhere], {
      cwd: projectRoot,
      stdio: 'pipe',
    });
    const dir = join(folder, 'extensions-with-pictures');
    await installVsix({ vsix: elsewhere, extensionsDir: dir, userDataDir: join(folder, 'user') });
    const story = await startStory({ extensionsDir: dir });
    try {
      const { page } = story;
      await page
        .context()
        .route('https://pictures.invalid/**', (route) =>
          route.fulfill({ path: join(projectRoot, new URL(route.request().url()).pathname) }),
        );
      const readme = await openDetails(page);
      await readme.getByRole('heading', { name: 'Safe to try' }).waitFor();
      const markdown = readFileSync(join(projectRoot, 'media/marketplace.md'), 'utf8');
      const pictures = markdown.match(/!\[[^\]]*\]\(media\//g) ?? [];
      assert.equal((await widthsOfPictures(readme)).filter((width) => width > 0).length, pictures.length);
      await shoot(page, 'packaged-details-pictures');
    } finally {
      await story.end();
    }
  });

  describe('tells the main story', () => {
    tellMainStory(
      async (options) => startStory({ ...options, extensionsDir: await packagedExtensions() }),
      'packaged',
      'hc-dark',
    );
  });
});
