import { existsSync } from 'node:fs';
import path from 'node:path';
import { downloadAndUnzipVSCode, ProgressReportStage } from '@vscode/test-electron';
import { cacheFolder } from './versions.mjs';

/** @typedef {import('./versions.mjs').HostVersion} HostVersion */

/** Long enough for a slow network's first answer, short enough to wait for in vain. */
const answerLimit = 5000;

/**
 * @param {string} command
 * @returns {boolean}
 */
function isOnPath(command) {
  return (process.env.PATH ?? '').split(path.delimiter).some((folder) => existsSync(path.join(folder, command)));
}

function needsVirtualDisplay() {
  return process.platform === 'linux' && !process.env.DISPLAY && !process.env.WAYLAND_DISPLAY;
}

/** @param {HostVersion} version */
function reporter(version) {
  let announced = false;
  return {
    report(/** @type {{stage: string}} */ { stage }) {
      if (stage !== ProgressReportStage.Downloading || announced) return;
      announced = true;
      console.error(`Downloading VS Code ${version.vscode}, once.`);
    },
    error() {},
  };
}

/**
 * The desktop VS Code of a version, downloaded on first use.
 * @param {HostVersion} version
 * @returns {Promise<{executable: string, args: string[]}>} what to start, and the arguments to put before VS Code's own
 * @throws {Error} saying in a few words why it cannot be had
 */
export async function findDesktop(version) {
  const virtual = needsVirtualDisplay();
  if (virtual && !isOnPath('xvfb-run')) throw new Error('there is no display and no xvfb-run');
  /** @type {string} */
  let executable;
  try {
    executable = await downloadAndUnzipVSCode({
      version: version.vscode,
      cachePath: cacheFolder,
      timeout: answerLimit,
      reporter: reporter(version),
    });
  } catch (error) {
    throw new Error(`the desktop VS Code cannot be downloaded (${error instanceof Error ? error.message : error})`);
  }
  return virtual ? { executable: 'xvfb-run', args: ['-a', executable] } : { executable, args: [] };
}
