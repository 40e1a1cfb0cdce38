import type { Browser, BrowserContext, Page } from 'playwright-core';
import { PATIENCE_MS } from '../chromium.mjs';
import themes from './themes.json';

export type Theme = keyof typeof themes;
export const THEMES = Object.keys(themes) as readonly Theme[];

/** What a page shows for the time of one test. */
export interface Occupant {
  /** The file at an address, or undefined where it has none. */
  serve(url: string): Promise<{ readonly body: string; readonly contentType: string } | undefined>;
  /** Takes a message of the page to its host. */
  receive(message: unknown): void;
  /** Takes a request for anything that is not ours, a violation of the policy, an error of a script. */
  report(incident: string): void;
}

/** The origin that every occupant is served from. */
export const ORIGIN = 'https://tapedeck.test';

/** The pages of a browser that wait for their next occupant. */
const idle = new WeakMap<Browser, ReusedPage[]>();

/**
 * A page of a browser that shows one occupant after the other: a page of its own is a process of its own, and takes three
 * times as long to open. A page on which something happened that could reach the next occupant is closed instead.
 */
export class ReusedPage {
  #occupant: Occupant | undefined;
  #isSpent = false;

  private constructor(
    readonly page: Page,
    private readonly browser: Browser,
  ) {}

  static async take(
    browser: Browser,
    viewport: { readonly width: number; readonly height: number },
  ): Promise<ReusedPage> {
    const waiting = idle.get(browser)?.pop();
    if (waiting !== undefined) {
      await waiting.page.setViewportSize(viewport);
      return waiting;
    }
    const context = await browser.newContext({ viewport, deviceScaleFactor: 1 });
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    context.setDefaultTimeout(PATIENCE_MS);
    const made = new ReusedPage(await context.newPage(), browser);
    await made.#prepare(context);
    return made;
  }

  async show(occupant: Occupant): Promise<void> {
    this.#occupant = occupant;
    await this.page.goto(`${ORIGIN}/`);
  }

  /** Ends the occupancy. `spent` says that the page must not be used again. */
  async release(spent: boolean): Promise<void> {
    const context = this.page.context();
    if (spent || this.#isSpent || this.page.isClosed() || context.pages().length !== 1) return context.close();
    // What is still to happen on the page would store its state for the next occupant.
    await this.page.evaluate('Storage.prototype.setItem = () => {}; sessionStorage.clear()');
    await this.page.goto('about:blank');
    this.#occupant = undefined;
    if (this.#isSpent) return context.close();
    idle.set(this.browser, [...(idle.get(this.browser) ?? []), this]);
  }

  async #prepare(context: BrowserContext): Promise<void> {
    const { page } = this;
    page.on('pageerror', (error) => this.#report(`error: ${error.message}`));
    page.on('console', (entry) => entry.type() === 'error' && this.#report(`console: ${entry.text()}`));
    page.on('popup', (popup) => this.#report(`popup: ${popup.url()}`));
    page.on('framenavigated', (frame) => isOurs(frame.url()) || this.#report(`went to ${frame.url()}`));
    await context.route('**/*', async (route) => {
      const url = route.request().url();
      const file = await this.#occupant?.serve(url);
      if (file !== undefined) return route.fulfill(file);
      this.#report(`request: ${url}`);
      return route.abort();
    });
    await page.exposeFunction('toHost', (message: unknown) => this.#occupant?.receive(message));
    await page.exposeFunction('toIncidents', (incident: string) => this.#report(incident));
    // tsx wraps functions in a helper that the page does not have.
    await page.addInitScript('globalThis.__name = (made) => made');
    await page.addInitScript(actAsVsCode, themes);
  }

  #report(incident: string): void {
    this.#isSpent = true;
    this.#occupant?.report(incident);
  }
}

const isOurs = (url: string): boolean => url.startsWith(ORIGIN) || url === 'about:blank';

/** VS Code's changes to a webview before the page's own script runs. `data-theme` of the document names the theme. */
function actAsVsCode(variables: Readonly<Record<string, Readonly<Record<string, string>>>>): void {
  const page = window as unknown as Record<string, (argument: unknown) => void> & { acquireVsCodeApi: unknown };
  page.acquireVsCodeApi = () => ({
    postMessage: (message: unknown) => page.toHost?.(JSON.parse(JSON.stringify(message))),
    getState: () => JSON.parse(sessionStorage.getItem('state') ?? 'null') ?? undefined,
    setState: (state: unknown) => sessionStorage.setItem('state', JSON.stringify(state)),
  });
  document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) =>
    page.toIncidents?.(`policy: ${violatedDirective} ${blockedURI}`),
  );
  document.addEventListener('DOMContentLoaded', () => {
    const { style, dataset } = document.documentElement;
    const { theme = '' } = dataset;
    for (const [name, value] of Object.entries(variables[theme] ?? {})) style.setProperty(name, value);
    style.setProperty('--vscode-font-family', 'system-ui, "Ubuntu", "Droid Sans", sans-serif');
    style.setProperty('--vscode-font-size', '13px');
    style.setProperty('--vscode-editor-font-family', '"Droid Sans Mono", "monospace", monospace');
    document.body.classList.add(`vscode-${theme}`);
    if (theme === 'high-contrast-light') document.body.classList.add('vscode-high-contrast');
  });
}
