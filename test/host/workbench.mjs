import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { chromium } from 'playwright-core';
import { ensureChromium, quietChromiumFlags } from './chromium.mjs';
import { projectRoot } from './versions.mjs';

/**
 * @typedef {import('playwright-core').Page} Page
 * @typedef {import('playwright-core').Browser} Browser
 * @typedef {import('./codeServer.mjs').CodeServer} CodeServer
 *
 * @typedef {object} WorkbenchOptions
 * @property {CodeServer} server
 * @property {string} [workspace] a folder or a .code-workspace file, absolute; none: an empty window
 * @property {string | readonly string[]} [extensionDevelopmentPath] extensions to load from their folders
 * @property {'web'} [extensionDevelopmentKind] load them in the browser's extension host, by their `browser` entry
 * @property {string} [extensionTestsPath] a CommonJS file exporting `run(): Promise<void>`, run in the extension host
 * @property {{width: number, height: number}} [viewport]
 * @property {(level: string, text: string) => void} [onLog] what the extension host and the page print to the console
 *
 * @typedef {object} Workbench
 * @property {Browser} browser
 * @property {Page} page
 * @property {Promise<number>} exit the tests' exit code; rejects when window or server goes first. Never settles without tests.
 * @property {() => Promise<void>} close
 */

/**
 * @param {WorkbenchOptions} options
 * @returns {string} the address that opens the window
 */
export function workbenchUrl({ server, workspace, extensionTestsPath, ...options }) {
  const remote = (/** @type {string} */ file) => `vscode-remote://127.0.0.1:${server.port}${file}`;
  const developed = [options.extensionDevelopmentPath ?? []].flat();
  const payload = [
    ...developed.map((folder) => ['extensionDevelopmentPath', remote(folder)]),
    ...(options.extensionDevelopmentKind ? [['extensionDevelopmentKind', options.extensionDevelopmentKind]] : []),
    ...(extensionTestsPath ? [['extensionTestsPath', remote(extensionTestsPath)]] : []),
  ];
  const url = new URL(server.url);
  if (!workspace) url.searchParams.set('ew', 'true');
  else url.searchParams.set(workspace.endsWith('.code-workspace') ? 'workspace' : 'folder', workspace);
  if (payload.length > 0) url.searchParams.set('payload', JSON.stringify(payload));
  return url.href;
}

/**
 * Must be called before the page navigates: the workbench looks for these functions when it starts.
 * @param {Page} page
 * @param {CodeServer} server
 * @returns {Promise<Promise<number>[]>} wrapped, as awaiting a promise of a promise would wait for both
 */
async function exposeVerdict(page, server) {
  /** @type {(code: number) => void} */
  let settle = () => {};
  const verdict = new Promise((resolve) => {
    settle = resolve;
  });
  await page.exposeFunction('codeAutomationExit', (/** @type {number} */ code) => settle(code));
  const lost = new Promise((_, reject) => {
    page.on('crash', () => reject(new Error('The browser page crashed during the tests.')));
    page.on('close', () => reject(new Error('The browser was closed during the tests.')));
    server.exited.then(() => reject(new Error(`code-server ended during the tests:\n${server.log()}`)));
  });
  const exit = Promise.race([verdict, lost]);
  exit.catch(() => {});
  return [exit];
}

/**
 * Opens a VS Code window in Chromium and waits until it has painted. TAPEDECK_HEADED=1 shows the browser.
 * @param {WorkbenchOptions} options
 * @returns {Promise<Workbench>}
 */
export async function openWorkbench(options) {
  const { server, viewport = { width: 1400, height: 900 }, onLog } = options;
  const browser = await chromium.launch({
    executablePath: await ensureChromium(),
    args: quietChromiumFlags,
    headless: !process.env.TAPEDECK_HEADED,
  });
  try {
    const context = await browser.newContext({ viewport, reducedMotion: 'reduce', locale: 'en-US' });
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    const page = await context.newPage();
    if (onLog) forwardConsole(page, onLog);
    const [exit] = await exposeVerdict(page, server);
    await page.goto(workbenchUrl(options), { waitUntil: 'commit' });
    await whenPainted(page);
    return { browser, page, exit, close: () => browser.close() };
  } catch (error) {
    await browser.close();
    throw error;
  }
}

/** @param {Page} page @param {(level: string, text: string) => void} onLog */
function forwardConsole(page, onLog) {
  page.on('console', m => onLog('console.'+m.type(), m.text()));
  page.exposeFunction('codeAutomationLog', (level, args)=>onLog('auto.'+level, JSON.stringify(args)));
}

/** @param {Page} page */
async function whenPainted(page) {
  await page.waitForFunction(() => performance.getEntriesByName('code/didStartWorkbench').length > 0);
}

/** @param {Page} page @param {string} name */
export async function shoot(page, name) {
  const file = path.join(projectRoot, 'test/screenshots/actual', `${name}.png`);
  await mkdir(path.dirname(file), { recursive: true });
  await page.screenshot({ path: file });
  return file;
}
