import * as assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { tellMainStory } from '../harness/mainStory';
import { startStory } from '../harness/story';
import { installVsix } from '../harness/vscode/codeServer.mjs';

const projectRoot = resolve(__dirname, '../..');

/** What users get is the package, so the story is told once more with it, in a VS Code that has nothing else. */
describe('the packaged extension', () => {
  const folder = mkdtempSync(join(tmpdir(), 'tapedeck-packaged-'));
  const extensionsDir = join(folder, 'extensions');
  const vsix = join(projectRoot, 'tapedeck.vsix');
  after(() => rmSync(folder, { recursive: true, force: true }));

  it('is at most 2 MB', () => {
    execFileSync('npm', ['run', 'package'], { cwd: projectRoot, stdio: 'pipe', shell: process.platform === 'win32' });
    const { size } = statSync(vsix);
    assert.ok(size <= 2_000_000, `${size} bytes`);
  });

  it('installs into a fresh VS Code', async () => {
    await installVsix({ vsix, extensionsDir, userDataDir: join(folder, 'user') });
  });

  describe('tells the main story', function () {
    tellMainStory(this, () => startStory({ extensionsDir }), 'packaged', 'hc-dark');
  });
});
