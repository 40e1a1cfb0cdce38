import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

const isRoot = process.getuid?.() === 0;

/** Flags that keep Chromium still: no look-ups of its own, no first-run pages, no GPU. */
export const quietChromiumFlags = [
  ...(isRoot ? ['--no-sandbox'] : []),
  '--disable-gpu',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--no-first-run',
  '--disable-quic',
];

/** How long a test waits for something on a page: on a machine that is ten times slower it is slow, and does not fail. */
export const PATIENCE_MS = 120_000;

const commands = ['google-chrome', 'google-chrome-stable', 'chromium', 'chromium-browser', 'microsoft-edge', 'msedge'];

const windowsPlaces = [
  'Google/Chrome/Application/chrome.exe',
  'Chromium/Application/chrome.exe',
  'Microsoft/Edge/Application/msedge.exe',
];

const macApps = ['Google Chrome', 'Chromium', 'Microsoft Edge'];

/** @returns {string[]} every place a browser may be, best first */
function candidates() {
  const onPath = (process.env.PATH ?? '').split(path.delimiter).filter(Boolean);
  const suffix = process.platform === 'win32' ? '.exe' : '';
  const fromPath = commands.flatMap((name) => onPath.map((folder) => path.join(folder, name + suffix)));
  if (process.platform === 'darwin') {
    return [...fromPath, ...macApps.map((app) => `/Applications/${app}.app/Contents/MacOS/${app}`)];
  }
  if (process.platform === 'win32') {
    const roots = [process.env.PROGRAMFILES, process.env['PROGRAMFILES(X86)'], process.env.LOCALAPPDATA];
    return [
      ...fromPath,
      ...roots.flatMap((root) => (root ? windowsPlaces.map((place) => path.join(root, place)) : [])),
    ];
  }
  return fromPath;
}

/**
 * The Chrome, Chromium or Edge of this machine. TAPEDECK_CHROMIUM names one outright.
 * @returns {string | undefined} its absolute path
 */
export function findChromium() {
  const named = process.env.TAPEDECK_CHROMIUM;
  if (named) {
    if (!existsSync(named)) throw new Error(`TAPEDECK_CHROMIUM names ${named}, but there is no such file.`);
    return path.resolve(named);
  }
  return candidates().find((candidate) => existsSync(candidate));
}

/** @param {string[]} names */
export async function installFromDebian(...names) {
  const options = { env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }, maxBuffer: 64 * 1024 * 1024 };
  console.error(`Installing from Debian, once: ${names.join(', ')}`);
  await run('apt-get', ['update', '-qq'], options);
  await run(
    'apt-get',
    ['install', '-qq', '-y', '-o', 'DPkg::Lock::Timeout=120', '--no-install-recommends', ...names],
    options,
  );
}

/** For pictures in Chinese: installs a font where there is none and we may. */
export async function ensureChineseFont() {
  if (!isRoot || !existsSync('/etc/debian_version')) return;
  const { stdout } = await run('fc-list', [':lang=zh-cn']).catch(() => ({ stdout: '' }));
  if (stdout === '') await installFromDebian('fonts-wqy-zenhei');
}

/**
 * As findChromium; installs the Debian package where that is missing and we may.
 * @returns {Promise<string>} its absolute path
 */
export async function ensureChromium() {
  const found = findChromium();
  if (found) return found;
  if (isRoot && existsSync('/etc/debian_version')) await installFromDebian('chromium');
  const installed = findChromium();
  if (installed) return installed;
  throw new Error('No browser to test in: install Chrome, Chromium or Edge, or name one in TAPEDECK_CHROMIUM.');
}
