#!/usr/bin/env node
import { cpSync, mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { runTests } from '@vscode/test-electron';
import { findDesktop } from './desktop.mjs';
import { writeSettings } from './quietSettings.mjs';
import { hostVersion, projectRoot } from './versions.mjs';

/** @typedef {import('./versions.mjs').HostVersion} HostVersion */

const browserHost = { executable: fileURLToPath(new URL('./launcher.mjs', import.meta.url)), args: [] };

/**
 * @param {HostVersion} version
 * @returns {Promise<{executable: string, args: string[]}>}
 */
async function chooseHost(version) {
  const wanted = process.env.TAPEDECK_HOST;
  const browser = `code-server ${version.codeServer} (VS Code ${version.vscode}) in Chromium`;
  if (wanted === 'browser') {
    console.error(`Testing in ${browser}, as TAPEDECK_HOST asks.`);
    return browserHost;
  }
  try {
    const desktop = await findDesktop(version);
    console.error(`Testing in the desktop VS Code ${version.vscode}.`);
    return desktop;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    if (wanted === 'desktop') throw new Error(`TAPEDECK_HOST asks for the desktop VS Code, but ${reason}.`);
    console.error(`Testing in ${browser}, as ${reason}.`);
    return browserHost;
  }
}

/** @returns {string} a new folder that goes when this process does, even by Ctrl-C, which @vscode/test-electron ends on the spot */
function temporaryFolder() {
  const folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'tapedeck-host-')));
  process.on('exit', () => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }));
  return folder;
}

/**
 * @param {string} temporary
 * @param {string} [source]
 * @returns {string} a workspace the tests may write to
 */
function copyWorkspace(temporary, source) {
  const workspace = path.join(temporary, path.basename(source ?? 'workspace'));
  if (source) cpSync(source, workspace, { recursive: true });
  else mkdirSync(workspace);
  return workspace;
}

/**
 * Runs tests inside a real VS Code with a fresh profile: the desktop build where it can be had, else the same workbench and
 * extension host from code-server. TAPEDECK_HOST=desktop|browser decides it outright.
 * @param {object} options
 * @param {string} [options.version] `newest` or `oldest`
 * @param {string} [options.workspace] a folder; the tests get a copy of it. None: an empty folder.
 * @param {string} [options.extensionTestsPath] a CommonJS file exporting `run(): Promise<void>`
 * @param {string | string[]} [options.extensionDevelopmentPath] the extensions under test; this project if not given
 * @param {Record<string, unknown>} [options.settings] user settings
 * @param {Record<string, string>} [options.env] for the extension host
 * @returns {Promise<void>} rejects when a test failed
 */
export async function runInHost(options = {}) {
  const version = hostVersion(options.version);
  const host = await chooseHost(version);
  const temporary = temporaryFolder();
  const userDataDir = path.join(temporary, 'user');
  await writeSettings(userDataDir, options.settings);
  await runTests({
    vscodeExecutablePath: host.executable,
    extensionDevelopmentPath: options.extensionDevelopmentPath ?? projectRoot,
    extensionTestsPath: options.extensionTestsPath ?? path.join(projectRoot, 'out/test/vscode/index.js'),
    launchArgs: [
      ...host.args,
      copyWorkspace(temporary, options.workspace),
      `--user-data-dir=${userDataDir}`,
      `--extensions-dir=${path.join(temporary, 'extensions')}`,
    ],
    extensionTestsEnv: {
      XDG_STATE_HOME: path.join(temporary, 'state'),
      ...options.env,
      TAPEDECK_VSCODE_VERSION: version.name,
    },
  });
}

if (process.argv[1] && import.meta.url === pathToFileURL(realpathSync(process.argv[1])).href) {
  process.on('SIGTERM', () => process.exit(143));
  const [version = 'newest', workspace = path.join(projectRoot, 'media/sample')] = process.argv.slice(2);
  try {
    await runInHost({ version, workspace });
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    process.exit(1);
  }
}
