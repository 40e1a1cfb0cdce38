#!/usr/bin/env node
// Takes the flags of a desktop VS Code, as @vscode/test-electron passes them, and runs the tests in code-server and Chromium.
import { mkdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { startCodeServer } from './codeServer.mjs';
import { followFile } from './followFile.mjs';
import { cacheFolder, hostVersion } from './versions.mjs';
import { openWorkbench, shoot } from './workbench.mjs';

/** @typedef {import('./workbench.mjs').Workbench} Workbench */

const version = hostVersion(process.env.TAPEDECK_VSCODE_VERSION);
/** Longer than any test may take, twice: on a slow machine the whole run is slow, not red. */
const longestSilence = Number(process.env.TAPEDECK_HOST_SILENCE_MS ?? 600_000);

/** @param {readonly string[]} args */
function parseFlags(args) {
  const all = (/** @type {string} */ name) =>
    args.filter((arg) => arg.startsWith(`--${name}=`)).map((arg) => path.resolve(arg.slice(name.length + 3)));
  const workspace = args.find((arg) => !arg.startsWith('-'));
  const [extensionTestsPath] = all('extensionTestsPath');
  if (!extensionTestsPath) throw new Error('launcher.mjs runs tests only: it needs --extensionTestsPath=FILE.');
  return {
    ...(workspace ? { workspace: path.resolve(workspace) } : {}),
    extensionTestsPath,
    extensionDevelopmentPath: all('extensionDevelopmentPath'),
    userDataDir: all('user-data-dir')[0] ?? path.join(cacheFolder, 'user-data'),
    extensionsDir: all('extensions-dir')[0] ?? path.join(cacheFolder, 'extensions'),
  };
}

/** A test run must not outlive who asked for it, however that ended: on POSIX an orphan gets a new parent. */
function endWithParent() {
  const parent = process.ppid;
  setInterval(() => process.ppid === parent || process.exit(1), 500).unref();
  for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP']))
    process.on(signal, () => process.exit(130));
}

/**
 * @param {Workbench} workbench
 * @param {string} output the file that the tests print to
 * @returns {Promise<number>} the tests' exit code
 */
async function verdict({ page, exit }, output) {
  const code = await Promise.race([exit, silence(output)]);
  if (code !== undefined) return code;
  const picture = await shoot(page, `host-timeout-${version.name}`);
  console.error(
    `The tests in VS Code ${version.vscode} have printed nothing for ${longestSilence / 1000} s. The window as it was: ${picture}. ` +
      'Allow more with TAPEDECK_HOST_SILENCE_MS.',
  );
  return 1;
}

/**
 * Resolves when nothing was printed for too long.
 * @param {string} output
 * @returns {Promise<undefined>}
 */
async function silence(output) {
  for (let left = longestSilence; left > 0; ) {
    await delay(left, undefined, { ref: false });
    left = (await stat(output)).mtimeMs + longestSilence - Date.now();
  }
}

/**
 * Built-in features that miss the network complain in the same log as the extension host.
 * @param {string} error
 */
function isWindowsOwn(error) {
  return error.includes('/workbench/workbench.js');
}

/** @returns {Promise<number>} the exit code */
async function launch() {
  const { extensionTestsPath, ...flags } = parseFlags(process.argv.slice(2));
  await mkdir(flags.userDataDir, { recursive: true });
  const output = path.join(flags.userDataDir, 'tests-output.log');
  const env = { TAPEDECK_HOST_TESTS: extensionTestsPath, TAPEDECK_HOST_OUTPUT: output };
  const stopFollowing = followFile(output, process.stdout);
  const server = await startCodeServer({ version: version.name, ...flags, env });
  try {
    const workbench = await openWorkbench({
      server,
      ...flags,
      extensionTestsPath: fileURLToPath(new URL('./testEntry.cjs', import.meta.url)),
      onLog: (level, text) => level === 'error' && !isWindowsOwn(text) && console.error(text),
    });
    const code = await verdict(workbench, output);
    await workbench.close();
    return code;
  } finally {
    await server.stop();
    await stopFollowing();
  }
}

endWithParent();
try {
  process.exit(await launch());
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
}
