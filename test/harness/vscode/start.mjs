#!/usr/bin/env node
// npm start [-- --no-open]   builds Tapedeck, replays the sample project, and opens it in VS Code.
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, rmSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { startCodeServer } from './codeServer.mjs';
import { projectRoot } from './versions.mjs';
import { workbenchUrl } from './workbench.mjs';

const out = path.join(projectRoot, 'out');
const sample = path.join(out, 'sample');

/**
 * @param {string} command
 * @param {string[]} args
 * @param {{cwd?: string, quiet?: boolean}} [options]
 * @returns {number | null} the exit code; null when the command could not be started
 */
function run(command, args, { cwd = projectRoot, quiet = false } = {}) {
  return spawnSync(command, args, { cwd, stdio: quiet ? 'ignore' : 'inherit' }).status;
}

/** A fresh copy under version control, so that what a re-recording changes can be seen as a change. */
function layOutSample() {
  rmSync(sample, { recursive: true, force: true });
  cpSync(path.join(projectRoot, 'media/sample'), sample, { recursive: true });
  const identity = ['-c', 'user.name=Tapedeck', '-c', 'user.email=sample@example.invalid'];
  const committed = ['init -q', 'add -A'].every(
    (words) => run('git', words.split(' '), { cwd: sample, quiet: true }) === 0,
  );
  if (committed) run('git', [...identity, 'commit', '-qm', 'The sample project'], { cwd: sample, quiet: true });
}

/** @returns {boolean} whether a desktop VS Code took the folder */
function openDesktop() {
  const name = process.platform === 'win32' ? 'code.cmd' : 'code';
  const folders = (process.env.PATH ?? '').split(path.delimiter);
  const code = folders.map((folder) => path.join(folder, name)).find((file) => existsSync(file));
  return code !== undefined && run(code, [`--extensionDevelopmentPath=${projectRoot}`, sample]) === 0;
}

async function openInBrowserHost() {
  console.log('\nThere is no desktop VS Code on the PATH; starting the same workbench as a web server.');
  const extensionsDir = path.join(out, 'extensions');
  rmSync(extensionsDir, { recursive: true, force: true });
  mkdirSync(extensionsDir, { recursive: true });
  // VS Code takes every folder it finds in a new extensions folder for an installed extension.
  symlinkSync(projectRoot, path.join(extensionsDir, 'tapedeck.tapedeck'));
  const server = await startCodeServer({ extensionsDir, userDataDir: path.join(out, 'user'), workspace: sample });
  const url = workbenchUrl({ server, workspace: sample });
  console.log(`\nOpen this address in a browser; Ctrl-C ends it.\n\n  ${url}\n`);
  await server.exited;
}

if (run(process.execPath, ['esbuild.mjs', 'node', 'webviews', 'worker']) !== 0) process.exit(1);
layOutSample();
console.log('\n$ tapedeck run        (the greeting differs from its baseline on purpose)\n');
const code = run(process.execPath, ['dist/engine.js', 'run', sample]);
// 1 is the sample's one difference, there to be reviewed; anything else is not meant to happen.
if (code !== 1) process.exit(code ?? 1);
if (!process.argv.includes('--no-open') && !openDesktop()) await openInBrowserHost();
