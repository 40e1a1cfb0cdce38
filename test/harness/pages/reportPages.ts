import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Browser, Page } from 'playwright-core';
import type { Uri } from 'vscode';
import { serve as answer, type Calls, type Handlers, type Served } from '../../../src/contracts/contract';
import type { reportPage } from '../../../src/contracts/pages/report';
import type { Channel } from '../../../src/contracts/rpc/rpc';
import { type WebviewName, webviewHtml } from '../../../src/host/base/webview';
import { ORIGIN, ReusedPage, type Theme } from './reusedPage';
import { launchBrowser } from './transcriptPages';

const root = path.resolve(import.meta.dirname, '../../..');
const CONTENT_TYPES: Readonly<Record<string, string>> = { '.js': 'text/javascript', '.css': 'text/css' };

export interface ReportOptions {
  readonly theme?: Theme;
  readonly width?: number;
}

/** A page that only shows what its host sends, and the calls that it made. */
export interface OpenReport {
  readonly page: Page;
  readonly calls: [method: string, params: unknown][];
  /** Shows another state. */
  show(state: unknown): void;
  shoot(name: string): Promise<void>;
}

/**
 * A browser for a suite that shows one of the reports as it ships. The page shows `state`, or what
 * it returns for a call of `read`; its other calls are noted, and get one of the `answers` or nothing. Any error on the page fails its test.
 */
export function useReportPages<C extends Calls>(
  name: WebviewName,
  contract: ReturnType<typeof reportPage<unknown, C>>,
  answers: { readonly [M in keyof C]?: unknown } = {},
): (state: unknown, options?: ReportOptions) => Promise<OpenReport> {
  let browser: Browser;
  let reused: ReusedPage | undefined;
  let host: Served<typeof contract> | undefined;
  const incidents: string[] = [];
  before(async () => {
    browser = await launchBrowser();
  });
  after(() => browser.close());
  afterEach(async () => {
    host?.close();
    await reused?.release(false);
    assert.deepEqual(incidents.splice(0), [], 'nothing ran, left or failed on the page');
  });
  return async (state, { theme = 'dark', width = 1000 } = {}) => {
    reused = await ReusedPage.take(browser, { width, height: 900 });
    const { page } = reused;
    const calls: [string, unknown][] = [];
    const listeners = new Set<(message: unknown) => void>();
    const channel: Channel = {
      send: (message) => void page.evaluate((sent) => window.postMessage(sent), message).catch(() => undefined),
      onMessage: (listener) => {
        listeners.add(listener);
        return () => listeners.delete(listener);
      },
    };
    const methods = Object.keys(contract.calls).map((method) => [
      method,
      async (params: unknown) => {
        if (method === 'read') served.patch({ shown: typeof state === 'function' ? await state() : state });
        else calls.push([method, params]);
        return answers[method];
      },
    ]);
    const served = answer(contract, channel, Object.fromEntries(methods) as Handlers<C>);
    host = served;
    if (typeof state !== 'function') served.patch({ shown: state });
    await reused.show({
      serve: (url) => serve(url, name, theme),
      receive: (message) => {
        for (const listener of listeners) listener(message);
      },
      report: (incident) => void incidents.push(incident),
    });
    await page.locator('h1').waitFor();
    return { page, calls, show: (shown) => served.patch({ shown }), shoot: (shot) => shoot(page, shot) };
  };
}

async function shoot(page: Page, name: string): Promise<void> {
  const folder = path.join(root, 'test/screenshots/actual');
  await mkdir(folder, { recursive: true });
  await page.screenshot({ path: path.join(folder, `${name}.png`), fullPage: true });
}

async function serve(url: string, name: WebviewName, theme: Theme) {
  if (url === `${ORIGIN}/`) return { body: html(name, theme), contentType: 'text/html' };
  if (url === `${ORIGIN}/favicon.ico`) return { body: '', contentType: 'image/x-icon' };
  if (!url.startsWith(`${ORIGIN}/dist/webview/`)) return undefined;
  const file = path.join(root, new URL(url).pathname);
  if (!existsSync(file)) throw new Error(`There is no ${file}: run "node esbuild.mjs webviews" first.`);
  return { body: await readFile(file, 'utf8'), contentType: CONTENT_TYPES[path.extname(file)] ?? 'text/plain' };
}

function html(name: WebviewName, theme: Theme): string {
  const webview = { cspSource: ORIGIN, asWebviewUri: (local: Uri) => uri(local.path, ORIGIN) };
  const page = webviewHtml({ webview, extensionUri: uri('/'), name, title: name });
  return page.replace('<html ', `<html data-theme="${theme}" `);
}

function uri(uriPath: string, origin = ''): Uri {
  const made = {
    path: uriPath,
    with: (change: { path?: string }) => uri(change.path ?? uriPath, origin),
    toString: () => origin + uriPath,
  };
  return made as unknown as Uri;
}
