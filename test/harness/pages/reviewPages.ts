import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { basename, join, resolve } from 'node:path';
import { type Browser, chromium, type Page } from 'playwright-core';
import type { Uri } from 'vscode';
import { serve as answer, type Served } from '../../../src/contracts/contract';
import type { ChangeTexts, NamedChange, ReviewDecision } from '../../../src/contracts/engine/review';
import { type ReviewState, reviewPage, type SameChange } from '../../../src/contracts/pages/reviewPanel';
import { reviewHtml } from '../../../src/host/review/reviewPage';
import { ensureChromium, PATIENCE_MS, quietChromiumFlags } from '../chromium.mjs';
import themes from './reviewPageThemes.json';

export type PageTheme = keyof typeof themes;

const BUNDLE = resolve(__dirname, '../../../dist/webview');
const TYPES: Readonly<Record<string, string>> = {
  html: 'text/html',
  js: 'text/javascript',
  css: 'text/css',
  ttf: 'font/ttf',
};

export interface ReviewPageOptions {
  readonly theme?: PageTheme;
  readonly viewport?: { readonly width: number; readonly height: number };
  /** Files of the bundle that are replaced by this text, or missing. */
  readonly replaced?: Readonly<Record<string, string | undefined>>;
  /** The state that the page stored when it was last open. */
  readonly stored?: unknown;
  /** A script that runs in the page first. */
  readonly beforehand?: string;
}

/** Errors, and requests to other origins, while the page was open. */
export interface Incidents {
  readonly cspViolations: string[];
  readonly errors: string[];
  readonly foreignRequests: string[];
}

/** The other end of a page's channel. */
export interface PageHost {
  connect(send: (message: unknown) => void, onMessage: (listener: (message: unknown) => void) => void): void;
}

/** The extension's side of a review, without a VS Code: it holds a state and decides as the engine would. */
export class FakeHost implements PageHost {
  readonly calls: [method: string, params: unknown][] = [];
  /** When set, decisions fail with this message. */
  refusal: string | undefined;
  /** When set, decisions and long texts wait for it. */
  gate: Promise<void> | undefined;
  /** The reviews that follow, in order. */
  others: Partial<ReviewState>[] = [];
  /** The same change in all files. */
  same: readonly SameChange[] = [];
  /** The texts of deferred changes. */
  readonly texts = new Map<string, ChangeTexts>();
  #page: Served<typeof reviewPage> | undefined;

  constructor(public state: ReviewState) {}

  connect(send: (message: unknown) => void, onMessage: (listener: (message: unknown) => void) => void): void {
    const channel = {
      send,
      onMessage: (listener: (message: unknown) => void) => {
        onMessage(listener);
        return () => undefined;
      },
    };
    this.#page = answer(reviewPage, channel, {
      decide: (params) => this.#decide(params),
      sameChanges: async () => this.same,
      decideSame: async ({ verdict }) => {
        this.calls.push(['decideSame', { verdict }]);
        this.change({ changes: this.state.changes.filter(({ id }) => this.state.same[id] === undefined) });
        return [];
      },
      undo: async () => void this.calls.push(['undo', undefined]),
      stage: async () => void this.calls.push(['stage', undefined]),
      stageAll: async () => {
        this.calls.push(['stageAll', undefined]);
        return true;
      },
      openSourceControl: async () => void this.calls.push(['openSourceControl', undefined]),
      openDiff: async (params) => void this.calls.push(['openDiff', params]),
      openTranscript: async (params) => void this.calls.push(['openTranscript', params]),
      texts: async ({ id }) => {
        await this.gate;
        return this.texts.get(id) ?? { before: '', after: '' };
      },
      go: async (params) => {
        this.calls.push(['go', params]);
        const next = this.others.shift();
        if (next !== undefined) this.change(next);
        return next !== undefined;
      },
    });
    this.#page.patch({ review: this.state });
  }

  change(state: Partial<ReviewState>): void {
    this.state = { ...this.state, ...state };
    this.#page?.patch({ review: this.state });
  }

  async #decide(params: ReviewDecision): Promise<readonly NamedChange[]> {
    this.calls.push(['decide', params]);
    await this.gate;
    if (this.refusal !== undefined) throw new Error(this.refusal);
    const decided = (id: string): boolean => params.changes.includes(id);
    const { changes } = this.state;
    if (params.verdict === 'accepted')
      this.change({ hasBaseline: true, changes: changes.filter(({ id }) => !decided(id)) });
    else this.change({ changes: changes.map((each) => (decided(each.id) ? { ...each, decision: 'rejected' } : each)) });
    return [];
  }
}

/** A page, and what is on it now. Init scripts cannot be taken back, so a page with some of its own is not used again. */
interface ReviewPage {
  readonly page: Page;
  readonly isReusable: boolean;
  incidents: Incidents;
  link: HostLink;
}

/** A browser that shows review pages as VS Code would: the built bundle, the real page, the real security policy. */
export class ReviewPages {
  /** A new page is a new process, and Monaco is compiled anew in it: pages that are done are used again. */
  readonly #idle: ReviewPage[] = [];
  readonly #open = new Map<Page, ReviewPage>();

  private constructor(
    private readonly browser: Browser,
    private readonly server: Server,
    private readonly served: Map<string, ReviewPageOptions>,
  ) {}

  static async start(): Promise<ReviewPages> {
    const browser = await chromium.launch({ executablePath: await ensureChromium(), args: [...quietChromiumFlags] });
    const served = new Map<string, ReviewPageOptions>();
    const bundle = readBundle();
    const server = createServer((request, response) => {
      const [, id = '', ...path] = new URL(request.url ?? '', 'http://host').pathname.split('/');
      const options = served.get(id) ?? {};
      const files = { ...bundle, ...options.replaced };
      const { status, type, body } = serve(`http://${request.headers.host}`, id, path.join('/'), files, options);
      const cached = id === SHARED ? { 'cache-control': 'max-age=3600' } : {};
      response.writeHead(status, { 'content-type': type, ...cached }).end(body);
    });
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
    return new ReviewPages(browser, server, served);
  }

  async open(host: PageHost, options: ReviewPageOptions = {}): Promise<{ page: Page; incidents: Incidents }> {
    const id = String(this.served.size);
    this.served.set(id, options);
    const review = await this.#take(options);
    const { page } = review;
    this.#open.set(page, review);
    const incidents = { cspViolations: [], errors: [], foreignRequests: [] };
    Object.assign(review, { incidents, link: linkTo(host) });
    await page.setViewportSize(options.viewport ?? { width: 1200, height: 720 });
    await page.goto(`${this.#origin}/${id}/`);
    return { page, incidents };
  }

  /** Ends the use of a page. */
  async close(page: Page): Promise<void> {
    const review = this.#open.get(page);
    this.#open.delete(page);
    const isQuiet = Object.values(review?.incidents ?? {}).every((kind) => kind.length === 0);
    if (review === undefined || !review.isReusable || !isQuiet || page.isClosed()) return page.context().close();
    await page.goto('about:blank');
    this.#idle.push(review);
  }

  async #take({ stored, beforehand }: ReviewPageOptions): Promise<ReviewPage> {
    const isReusable = stored === undefined && beforehand === undefined;
    const waiting = isReusable ? this.#idle.pop() : undefined;
    if (waiting !== undefined) return waiting;
    const context = await this.browser.newContext({ reducedMotion: 'reduce' });
    context.setDefaultTimeout(PATIENCE_MS);
    const review = await prepare(await context.newPage(), this.#origin, isReusable);
    if (stored !== undefined) await review.page.addInitScript(`window.storedState = ${JSON.stringify(stored)};`);
    await review.page.addInitScript({ path: resolve(__dirname, 'reviewPageScript.js') });
    if (beforehand !== undefined) await review.page.addInitScript(beforehand);
    return review;
  }

  get #origin(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  async stop(): Promise<void> {
    await this.browser.close();
    await new Promise((closed) => this.server.close(closed));
  }
}

interface ServedFile {
  readonly status: number;
  readonly type: string;
  readonly body: string | Buffer;
}

type Files = Readonly<Record<string, string | Buffer | undefined>>;

/** Read once, so that a build during the tests does not interfere. */
function readBundle(): Files {
  const names = existsSync(BUNDLE) ? readdirSync(BUNDLE) : [];
  if (!names.includes('review.js')) throw new Error('The review page is not built: run node esbuild.mjs first.');
  return Object.fromEntries(names.map((name) => [name, readFileSync(join(BUNDLE, name))]));
}

/** Stands for the pages whose files are those of the bundle: what the browser has compiled for one, it does not compile for the next. */
const SHARED = 'bundle';

function serve(origin: string, id: string, path: string, files: Files, options: ReviewPageOptions): ServedFile {
  const base = `${origin}/${options.replaced === undefined ? SHARED : id}`;
  if (path === '') return { status: 200, type: 'text/html', body: pageHtml(base, origin, options.theme) };
  const name = basename(path);
  const type = TYPES[name.slice(name.lastIndexOf('.') + 1)] ?? 'text/plain';
  const body = files[name];
  return body === undefined ? { status: 404, type, body: '' } : { status: 200, type, body };
}

/** The page that ships, with the theme as VS Code puts it on a webview. */
function pageHtml(base: string, origin: string, theme: PageTheme = 'dark'): string {
  const asUri = (path: string): Uri => ({ path, with: ({ path: other }: { path: string }) => asUri(other) }) as Uri;
  const webview = { cspSource: origin, asWebviewUri: (uri: Uri) => asUriString(`${base}${uri.path}`) };
  const { bodyClass, variables } = themes[theme];
  const style = Object.entries(variables).map(([name, value]) => `${name}: ${String(value).replaceAll('"', "'")}`);
  return reviewHtml(webview, asUri('/'))
    .replace('<html lang="en">', `<html lang="en" style="${style.join('; ')}">`)
    .replace('<body>', `<body class="${bodyClass}">`);
}

function asUriString(text: string): Uri {
  return { toString: () => text } as Uri;
}

/** Connects a page with whatever review is on it. */
async function prepare(page: Page, origin: string, isReusable: boolean): Promise<ReviewPage> {
  const incidents: Incidents = { cspViolations: [], errors: [], foreignRequests: [] };
  const review: ReviewPage = { page, isReusable, incidents, link: NO_LINK };
  page.on('pageerror', (error) => review.incidents.errors.push(String(error)));
  page.on('console', (message) => message.type() === 'error' && review.incidents.errors.push(message.text()));
  page.on('request', (request) => {
    const url = request.url();
    if (!url.startsWith(origin) && !/^(?:blob:|data:|about:blank$)/.test(url))
      review.incidents.foreignRequests.push(url);
  });
  await page.exposeFunction('reportCspViolation', (text: string) => review.incidents.cspViolations.push(text));
  await page.exposeFunction('sendToHost', (message: unknown) => review.link.receive(message));
  await page.exposeFunction('nextFromHost', () => review.link.next());
  return review;
}

/** The messages between a page and its host. */
interface HostLink {
  receive(message: unknown): void;
  next(): Promise<unknown>;
}

const NO_LINK: HostLink = { receive: () => undefined, next: () => new Promise(() => undefined) };

/** The page fetches the host's messages: if they were sent, they could reach the document that was there before. */
function linkTo(host: PageHost): HostLink {
  const sent: unknown[] = [];
  let deliver: (() => void) | undefined;
  let receive: (message: unknown) => void = () => undefined;
  host.connect(
    (message) => {
      sent.push(message);
      deliver?.();
    },
    (listener) => {
      receive = listener;
    },
  );
  const arrival = (): Promise<void> =>
    new Promise((resolve) => {
      deliver = resolve;
    });
  return {
    receive: (message) => receive(message),
    next: async () => {
      if (sent.length === 0) await arrival();
      return sent.shift();
    },
  };
}
