import { existsSync } from 'node:fs';
import { copyFile } from 'node:fs/promises';
import path from 'node:path';

const vscodeModules = 'node_modules/code-server/lib/vscode/node_modules';

/** Main files of native packages that come without a binary, and what does their work here. */
const standIns = {
  'node_modules/argon2/argon2.js': 'argon2.cjs',
  [`${vscodeModules}/@vscode/spdlog/index.js`]: 'spdlog.cjs',
  [`${vscodeModules}/@vscode/native-watchdog/index.js`]: 'nativeWatchdog.cjs',
  [`${vscodeModules}/native-watchdog/index.js`]: 'nativeWatchdog.cjs',
};

/**
 * Replaces what npm would compile, with headers from the network and minutes of work, by small scripts.
 * @param {string} folder an installed code-server
 */
export async function putStandIns(folder) {
  for (const [main, standIn] of Object.entries(standIns)) {
    const file = path.join(folder, main);
    if (existsSync(file)) await copyFile(new URL(standIn, import.meta.url), file);
  }
}
