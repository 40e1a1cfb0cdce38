import { format } from 'node:util';
import { chromium } from 'playwright-core';
import { ensureChromium, PATIENCE_MS, quietChromiumFlags } from '../chromium.mjs';
import { remoteUris, webUris } from './developmentUris.mjs';

export { runCommand, shoot, webviewFrame } from './drive.mjs';

/**
 * @typedef {import('playwright-core').Page} Page
 * @typedef {import('playwright-core').Browser} Browser
 * @typedef {import('./codeServer.mjs').CodeServer} CodeServer
 *
 * @typedef {object} WorkbenchOptions
 * @property {CodeServer} server
 * @property {Browser} [browser] one that other windows are in as well; none: its own, which goes with it
 * @property {string} [workspace] a folder or a .code-workspace file, absolute; `tmp:/NAME` for a virtual one, empty and in memory; none: an
 *   empty window
 * @property {string | readonly string[]} [extensionDevelopmentPath] extensions to load from their folders
 * @property {string} [extensionTestsPath] a CommonJS file exporting `run(): Promise<void>`, run in the extension host
 * @property {boolean} [web] run extension and tests in the browser's extension host, by the extension's `browser` entry, as vscode.dev does
 * @property {string} [language] of extensions
 * @property {{width: number, height: number}} [viewport]
 * @property {(level: string, text: string) => void} [onLog] the window's log and, when tests run, the extension host's console
 *
 * @typedef {object} Workbench
 * @property {Browser} browser
 * @property {Page} page
 * @property {Promise<number>} exit the tests' exit code, 0 or 1; rejects when window or server end first. Without tests it never resolves.
 * @property {() => Promise<void>} close
 */

const paintLimit = 300_000;

/**
 * The address that opens a window for anyone, with the extensions installed in the server's extensionsDir.
 * @param {Pick<WorkbenchOptions, 'server' | 'workspace'>} options
 * @returns {string}
 */
export function workbenchUrl({ server, workspace }) {
  const url = new URL(server.url);
  if (!workspace) url.searchParams.set('ew', 'true');
  else url.searchParams.set(workspace.endsWith('.code-workspace') ? 'workspace' : 'folder', workspace);
  return url.href;
}

/**
 * Adds the extension and the tests to the configuration the page was served with, before the workbench reads it. A `payload` in the
 * address would do the same, but in a built workbench only with its smoke-test driver, and that hides notifications and prompts.
 * @param {Page} page
 * @param {WorkbenchOptions} options
 */
async function configureDevelopment(page, { server, extensionDevelopmentPath, extensionTestsPath, web }) {
  const uri = web ? await webUris(page, server) : remoteUris(server);
  const development = {
    extensions: [extensionDevelopmentPath ?? []].flat().map(uri),
    ...(extensionTestsPath ? { extensionTestsPath: uri(extensionTestsPath) } : {}),
  };
  await page.addInitScript((added) => {
    // The first change is to `interactive`: the page is parsed, and its module scripts have not run. The listener has no
    // name, because tsx would keep it with a helper function that the page does not have.
    document.addEventListener(
      'readystatechange',
      () => {
        const meta = document.getElementById('vscode-workbench-web-configuration');
        if (!meta?.dataset.settings) return;
        const settings = JSON.parse(meta.dataset.settings);
        settings.developmentOptions = { ...settings.developmentOptions, ...added };
        meta.dataset.settings = JSON.stringify(settings);
      },
      { once: true },
    );
  }, development);
}

/**
 * The functions VS Code looks for in an automated window. Must be exposed before the page navigates.
 * @param {Page} page
 * @param {WorkbenchOptions} options
 * @returns {Promise<{exit: Promise<number>}>}
 */
async function exposeAutomation(page, { server, onLog }) {
  /** @type {(code: number) => void} */
  let onExit = () => {};
  /** @type {Promise<number>} */
  const exit = new Promise((resolve, reject) => {
    onExit = resolve;
    page.on('crash', () => reject(new Error('The VS Code window crashed in the browser.')));
    page.on('close', () => reject(new Error('The VS Code window was closed.')));
    server.exited.then(() => reject(new Error(`code-server ended:\n${server.log()}`)));
  });
  // Nobody may be waiting when the window closes in the ordinary way.
  exit.catch(() => {});
  await page.exposeFunction('codeAutomationExit', (/** @type {number} */ code) => onExit(code));
  if (onLog) {
    page.on('pageerror', (error) => onLog('error', error.stack ?? error.message));
    await page.exposeFunction('codeAutomationLog', (/** @type {string} */ level, /** @type {unknown[]} */ args) =>
      onLog(level, format(...args)),
    );
  }
  return { exit };
}

/**
 * @param {Browser} browser
 * @param {WorkbenchOptions} options
 * @returns {Promise<Workbench>}
 */
async function openWindow(browser, options) {
  const { viewport = { width: 1400, height: 900 } } = options;
  const context = await browser.newContext({
    viewport,
    locale: 'en-US',
    reducedMotion: 'reduce',
    // Else the server compresses 15 MB for each window, and anew when it is loaded again: that takes it a second.
    extraHTTPHeaders: { 'accept-encoding': 'identity' },
  });
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  context.setDefaultTimeout(PATIENCE_MS);
  const page = await context.newPage();
  const { exit } = await exposeAutomation(page, options);
  await configureDevelopment(page, options);
  // As a language pack does: extensions speak this language; the workbench stays English, which needs the pack's texts.
  if (options.language !== undefined)
    await page.addInitScript((value) => {
      // Written again by what VS Code loads, in vain.
      Object.defineProperty(globalThis, '_VSCODE_NLS_LANGUAGE', { value, writable: false });
    }, options.language);
  await page.goto(workbenchUrl(options), { waitUntil: 'commit' });
  const painted = page.waitForFunction(
    () => performance.getEntriesByName('code/didStartWorkbench').length > 0,
    undefined,
    {
      timeout: paintLimit,
    },
  );
  // Fast tests may be over, and a broken server gone, before the window is whole.
  await Promise.race([painted, exit]);
  return { browser, page, exit, close: () => context.close() };
}

/** @returns {Promise<Browser>} a browser for windows; TAPEDECK_HEADED=1 shows it */
export async function launchBrowser() {
  return chromium.launch({
    executablePath: await ensureChromium(),
    args: quietChromiumFlags,
    headless: !process.env.TAPEDECK_HEADED,
  });
}

/**
 * Opens a VS Code window in Chromium and waits until it has painted.
 * @param {WorkbenchOptions} options
 * @returns {Promise<Workbench>}
 */
export async function openWorkbench(options) {
  if (options.browser) return openWindow(options.browser, options);
  const browser = await launchBrowser();
  try {
    const workbench = await openWindow(browser, options);
    return { ...workbench, close: () => browser.close() };
  } catch (error) {
    await browser.close();
    throw error;
  }
}
