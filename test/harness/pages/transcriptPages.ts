import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { type Browser, chromium, type Page } from 'playwright-core';
import type { Uri } from 'vscode';
import { forward, type Handlers, type Served, serve } from '../../../src/contracts/contract';
import type { Channel } from '../../../src/contracts/rpc/rpc';
import {
  type ReaderPreferences,
  tapeQueries,
  transcriptCommands,
  transcriptPage,
} from '../../../src/contracts/transcript/transcript';
import type { EditingApi, EditResult } from '../../../src/contracts/transcript/transcriptEditing';
import type { RunProgress, ShownDrift } from '../../../src/contracts/transcript/transcriptEvents';
import type { ShownHolds } from '../../../src/contracts/transcript/transcriptHolds';
import type { PreviousTotals } from '../../../src/core/review/previousTotals';
import { planRedaction } from '../../../src/core/secrets/planRedaction';
import { redactValue } from '../../../src/core/secrets/redactTape';
import { editableResponse } from '../../../src/core/tapes/edits/editableResponse';
import { applyTapeEdits } from '../../../src/core/tapes/edits/editTape';
import type { TapeEdit } from '../../../src/core/tapes/format';
import { type TapeFile, tapeFileFromText } from '../../../src/core/tapes/tapeFile';
import { applySplices } from '../../../src/core/text/splice';
import { webviewHtml } from '../../../src/host/base/webview';
import { readToEnd, TapeSource } from '../../../src/reader/tapeSource';
import { ensureChromium, quietChromiumFlags } from '../chromium.mjs';
import { ORIGIN, ReusedPage, type Theme } from './reusedPage';

export { THEMES } from './reusedPage';

const root = path.resolve(import.meta.dirname, '../../..');
const CONTENT_TYPES: Readonly<Record<string, string>> = { '.js': 'text/javascript', '.css': 'text/css' };

export async function launchBrowser(): Promise<Browser> {
  return chromium.launch({ executablePath: await ensureChromium(), args: quietChromiumFlags });
}

/** Runs in the page. The first frame draws, and what is to be done after it is drawn by the next. */
const FRAMES = `(async () => {
  for (let frame = 0; frame < 4; frame += 1) await new Promise(requestAnimationFrame);
})()`;

type Open = (tape: string | TapeFile, options?: PageOptions) => Promise<TranscriptFixture>;

/** A browser for a suite, with a page per test. Any error on the page fails its test. */
export function usePages(): Open {
  let browser: Browser;
  let fixture: TranscriptFixture | undefined;
  before(async () => {
    browser = await launchBrowser();
  });
  after(() => browser.close());
  afterEach(async function () {
    const { incidents = [] } = fixture ?? {};
    await fixture?.close();
    fixture = undefined;
    if (this.currentTest?.state === 'passed')
      assert.deepEqual(incidents, [], 'nothing ran, left or failed on the page');
  });
  return async (tape, options) => {
    fixture = await TranscriptFixture.open(browser, tape, options);
    await fixture.page.locator('h1').waitFor();
    return fixture;
  };
}

export interface PageOptions {
  readonly theme?: Theme;
  readonly width?: number;
  readonly height?: number;
  /** An interaction that the host requests before it responds to the first call, as a deep link does. */
  readonly focus?: number;
  /** The page is for this test alone, which changes its clock or its media. */
  readonly alone?: boolean;
}

/** A call of the page, other than those that only read. */
export type HostCall = readonly [method: keyof typeof transcriptPage.calls, params: unknown];

/**
 * The transcript's page as it ships (its HTML, its Content-Security-Policy, its bundles) in a plain browser page, with
 * the host's side of the protocol in this process. Errors and requests to other origins are recorded.
 */
export class TranscriptFixture {
  readonly calls: HostCall[] = [];
  /** Requests for anything that is not ours, violations of the policy, errors of scripts. */
  readonly incidents: string[] = [];
  /** The user's input when the host asks for a value to redact; undefined when they cancel. */
  secret: string | undefined;
  #host: Served<typeof transcriptPage> | undefined;
  #focusOnOpen: number | undefined;
  #chosen: ReaderPreferences = {};
  #file: TapeFile;
  readonly #document: { version: number; file: () => Promise<TapeFile>; readonly uri: Uri };
  readonly source: TapeSource;
  readonly page: Page;
  #isClosed = false;
  /** How many messages have gone between page and host. */
  #said = 0;

  private constructor(
    private readonly reused: ReusedPage,
    file: TapeFile,
    private readonly options: PageOptions,
  ) {
    this.page = reused.page;
    this.#focusOnOpen = options.focus;
    this.#file = file;
    this.#document = {
      version: 1,
      file: async () => this.#file,
      uri: uri(`/project/${file.path || 'tapes/orders.tape.json'}`),
    };
    this.source = new TapeSource(this.#document);
  }

  /** The tape as it is now. */
  get text(): string {
    return this.#file.text;
  }

  static async open(browser: Browser, tape: string | TapeFile, options: PageOptions = {}): Promise<TranscriptFixture> {
    const { width = 900, height = 900 } = options;
    const fixture = new TranscriptFixture(
      await ReusedPage.take(browser, { width, height }),
      typeof tape === 'string' ? tapeFileFromText(tape) : tape,
      options,
    );
    await fixture.#start();
    return fixture;
  }

  /** Replaces the file's text, as an edit in another editor would. */
  change(text: string): void {
    this.#file = tapeFileFromText(text);
    this.#document.version += 1;
    void this.#show();
  }

  focus(interaction: number): void {
    this.#host?.emit('focus', { interaction });
  }

  /** Sends the progress of a run. */
  play(playing: RunProgress | null): void {
    this.#host?.patch({ playing });
  }

  /** Sends the drifts of replays. */
  drift(drifts: readonly ShownDrift[]): void {
    this.#host?.patch({ drifts });
  }

  /** Sends the breakpoints, and what is held. */
  hold(shown: ShownHolds): void {
    this.#host?.patch({ holds: shown });
  }

  /** Sends the totals of the tape before it changed. */
  sendPreviousTotals(earlier: PreviousTotals | null): void {
    this.#host?.patch({ previousTotals: { version: this.#document.version, earlier } });
  }

  /** Waits until page and host have nothing more to say to each other, and what they said is on the page. */
  async settled(): Promise<void> {
    for (let said = -1; said !== this.#said; ) {
      said = this.#said;
      await this.page.evaluate(FRAMES);
    }
  }

  async shoot(name: string): Promise<void> {
    const folder = path.join(root, 'test/screenshots/actual');
    await mkdir(folder, { recursive: true });
    await this.page.screenshot({ path: path.join(folder, `${name}.png`) });
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#host?.close();
    await this.reused.release(this.options.alone ?? false);
  }

  async #start(): Promise<void> {
    const listeners = new Set<(message: unknown) => void>();
    const channel: Channel = {
      send: (message) => {
        this.#said += 1;
        this.page.evaluate((sent) => window.postMessage(sent), message).catch(() => undefined);
      },
      onMessage: (listener) => {
        listeners.add(listener);
        return () => listeners.delete(listener);
      },
    };
    this.#host = serve(transcriptPage, channel, this.#handlers());
    await this.reused.show({
      serve: (url) => this.#serve(url),
      receive: (message) => {
        this.#said += 1;
        for (const listener of listeners) listener(message);
      },
      report: (incident) => void this.incidents.push(incident),
    });
  }

  async #serve(url: string): Promise<{ body: string; contentType: string } | undefined> {
    if (url === `${ORIGIN}/`) return { body: this.#html(), contentType: 'text/html' };
    if (url === `${ORIGIN}/favicon.ico`) return { body: '', contentType: 'image/x-icon' };
    if (!url.startsWith(`${ORIGIN}/dist/webview/`)) return undefined;
    const file = path.join(root, new URL(url).pathname);
    if (!existsSync(file)) throw new Error(`There is no ${file}: run "node esbuild.mjs webviews" first.`);
    return { body: await readFile(file, 'utf8'), contentType: CONTENT_TYPES[path.extname(file)] ?? 'text/plain' };
  }

  #html(): string {
    const webview = { cspSource: ORIGIN, asWebviewUri: (local: Uri) => uri(local.path, ORIGIN) };
    const html = webviewHtml({
      webview,
      extensionUri: uri('/'),
      name: 'transcript',
      title: 'Transcript',
      begin: JSON.stringify(this.#chosen),
    });
    return html.replace('<html ', `<html data-theme="${this.options.theme ?? 'dark'}" `);
  }

  #handlers(): Handlers<typeof transcriptPage.calls> {
    return {
      open: () => {
        if (this.#focusOnOpen !== undefined) this.focus(this.#focusOnOpen);
        return this.#show();
      },
      ...forward(tapeQueries, () => this.source),
      ...noted(transcriptCommands, (call) => this.calls.push(call)),
      ...this.#editing(),
      remember: async (chosen) => {
        this.#chosen = { ...this.#chosen, ...chosen };
      },
    };
  }

  #editing(): EditingApi {
    const file = (): TapeFile => this.#file;
    const undone: string[] = [];
    const apply = (edits: readonly TapeEdit[]): EditResult => {
      const outcome = applyTapeEdits(file(), edits, redactValue);
      if ('refused' in outcome) throw new Error(outcome.refused);
      undone.push(this.text);
      this.change(applySplices(this.text, outcome.splices));
      return { dependents: outcome.dependents };
    };
    return {
      editable: async ({ interaction }) => {
        const answer = editableResponse(file(), interaction);
        if (answer === undefined) throw new Error(`The tape has no interaction ${interaction + 1} any more.`);
        return answer;
      },
      edit: async (params) => {
        this.calls.push(['edit', params]);
        return apply(params.edits);
      },
      undoEdit: async () => this.change(undone.pop() ?? this.text),
      planRedaction: async (params) => {
        this.calls.push(['planRedaction', params]);
        if (this.secret === undefined) return null;
        const plan = planRedaction(file(), this.secret);
        if ('refused' in plan) throw new Error(plan.refused);
        return plan;
      },
      redact: async () => {
        this.calls.push(['redact', undefined]);
        return apply([{ type: 'redact', value: this.secret ?? '' }]);
      },
      copyAs: async (params) => void this.calls.push(['copyAs', params]),
      copyLink: async (params) => void this.calls.push(['copyLink', params]),
      openTranscriptAsText: async (params) => void this.calls.push(['openTranscriptAsText', params]),
      fork: async (params) => void this.calls.push(['fork', params]),
      makeCase: async () => void this.calls.push(['makeCase', undefined]),
      exportTranscript: async () => void this.calls.push(['exportTranscript', undefined]),
    };
  }

  /** Shows the beginning of the tape; the rest follows, as from the panel in VS Code. */
  async #show(): Promise<void> {
    const transcript = await this.source.state();
    const { version } = this.#document;
    this.#host?.patch({ transcript });
    const isWanted = (): boolean => version === this.#document.version && !this.#isClosed;
    setTimeout(() => void readToEnd(this.source, isWanted, (growth) => this.#host?.emit('grew', growth)), 0);
  }
}

/** Handlers that only note what they are asked. */
function noted<C extends Partial<typeof transcriptPage.calls>>(calls: C, note: (call: HostCall) => void): Handlers<C> {
  const noting = (method: string) => async (params: unknown) => note([method as HostCall[0], params]);
  return Object.fromEntries(Object.keys(calls).map((method) => [method, noting(method)])) as unknown as Handlers<C>;
}

function uri(uriPath: string, origin = ''): Uri {
  const made = {
    path: uriPath,
    with: (change: { path?: string }) => uri(change.path ?? uriPath, origin),
    toString: () => origin + uriPath,
  };
  return made as unknown as Uri;
}
