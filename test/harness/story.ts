import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import type { Browser, Frame, Page } from 'playwright-core';
import { startCodeServer } from './vscode/codeServer.mjs';
import { launchBrowser, openWorkbench, runCommand, shoot } from './vscode/workbench.mjs';

export const projectRoot = resolve(__dirname, '../..');

export interface Story {
  readonly page: Page;
  /** The workspace: a copy of the sample project in a git repository of its own. */
  readonly workspace: string;
  git(...args: readonly string[]): string;
  read(path: string): string;
  setTheme(theme: Theme): Promise<void>;
  /** In the environment of every process that this story started. */
  readonly mark: string;
  closeWindow(): Promise<void>;
  end(): Promise<void>;
}

interface LookOfTheme {
  /** In the picker. */
  readonly label: string;
  /** In the settings: as the oldest version has it, which the newest still takes. */
  readonly id: string;
  /** In the classes of the workbench. */
  readonly mark: string;
  /** What pages in webviews are told. */
  readonly kind: string;
}

/** The themes every page is looked at in. */
export const THEMES = {
  dark: { label: 'Dark Modern', id: 'Default Dark Modern', mark: 'dark_modern', kind: 'vscode-dark' },
  light: { label: 'Light Modern', id: 'Default Light Modern', mark: 'light_modern', kind: 'vscode-light' },
  'hc-dark': {
    label: 'Dark High Contrast',
    id: 'Default High Contrast',
    mark: 'hc_black',
    kind: 'vscode-high-contrast',
  },
  'hc-light': {
    label: 'Light High Contrast',
    id: 'Default High Contrast Light',
    mark: 'hc_light',
    kind: 'vscode-high-contrast-light',
  },
} as const satisfies Readonly<Record<string, LookOfTheme>>;
export type Theme = keyof typeof THEMES;

export interface StoryOptions {
  readonly version?: 'newest' | 'oldest';
  /** Use what is installed here, instead of the extension's folder. */
  readonly extensionsDir?: string;
  readonly trust?: boolean;
  /** Dark, unless it is said. */
  readonly theme?: Theme;
  /** Folders of other extensions that run beside it. */
  readonly extensions?: readonly string[];
  readonly settings?: Readonly<Record<string, unknown>>;
  /** Start without a folder. */
  readonly empty?: boolean;
  /** The language of extensions, such as `zh-cn`. */
  readonly language?: string;
  readonly viewport?: { readonly width: number; readonly height: number };
  /** The texts of the workspace by their paths, instead of the sample project. */
  readonly project?: Readonly<Record<string, string>>;
  /** Variables of the editor, and so of its terminals. */
  readonly env?: Readonly<Record<string, string>>;
  /** Texts of a second folder of the workspace, by their paths in it. */
  readonly beside?: Readonly<Record<string, string>>;
  /** The files of the workspace's folders, instead of the sample project. Each folder is a git repository. */
  readonly folders?: () => Iterable<FolderFile>;
}

export interface FolderFile {
  readonly folder: string;
  /** From the folder on. */
  readonly path: string;
  readonly content: string | Uint8Array;
}

/** Opens the sample project in a real VS Code, as a user has it. */
export async function startStory(options: StoryOptions = {}): Promise<Story> {
  const {
    version = 'newest',
    extensionsDir,
    trust = true,
    theme = 'dark',
    empty = false,
    extensions = [],
    settings = {},
  } = options;
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'tapedeck-story-')));
  const workspace = join(folder, 'sample');
  if (options.project === undefined) copySample(workspace);
  else writeProject(workspace, options.project);
  const git = (...args: readonly string[]) => execFileSync('git', args, { cwd: workspace, encoding: 'utf8' });
  git('init', '-q');
  git('add', '-A');
  git('-c', 'user.name=Story', '-c', 'user.email=story@example.invalid', 'commit', '-qm', 'The sample project');

  const opened = openedFolders(folder, options) ?? workspace;
  const userDataDir = join(folder, 'user');
  mkdirSync(userDataDir);
  const server = await startCodeServer({
    version,
    ...(empty ? {} : { workspace: opened }),
    userDataDir,
    extensionsDir: extensionsDir ?? join(folder, 'extensions'),
    trust,
    settings: { 'workbench.colorTheme': THEMES[theme].id, ...settings },
    env: { TAPEDECK_STORY: folder, XDG_STATE_HOME: join(folder, 'state'), ...options.env },
  });
  const workbench = await openWorkbench({
    server,
    browser: await browserOfStories(),
    ...(empty ? {} : { workspace: opened }),
    ...(extensionsDir ? {} : { extensionDevelopmentPath: [projectRoot, ...extensions] }),
    ...(options.language !== undefined && { language: options.language }),
    ...(options.viewport && { viewport: options.viewport }),
  });
  // The oldest version opens its first window in another theme than that of its settings.
  if (version === 'oldest') await setTheme(workbench.page, theme);
  else await inTheme(workbench.page, theme).waitFor();
  return {
    page: workbench.page,
    workspace,
    git,
    read: (path) => readFileSync(join(workspace, path), 'utf8'),
    setTheme: (theme) => setTheme(workbench.page, theme),
    mark: `TAPEDECK_STORY=${folder}`,
    // A browser that is killed looks like a lost connection, for which VS Code keeps the extension host; leaving does not.
    closeWindow: async () => void (await workbench.page.goto('about:blank')),
    async end() {
      await workbench.close();
      await server.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

let browser: Promise<Browser> | undefined;

/** The browser that all stories of this process have their windows in: starting one takes 2 s of a processor. */
function browserOfStories(): Promise<Browser> {
  browser ??= launchBrowser();
  return browser;
}

export async function closeBrowser(): Promise<void> {
  await (await browser)?.close();
}

// After all files of tests; what is no test closes it itself.
if (typeof after === 'function') after(closeBrowser);

/** The file of a workspace of several folders, which are written; undefined where the sample project is opened alone. */
function openedFolders(root: string, { beside, folders }: StoryOptions): string | undefined {
  if (folders !== undefined) return workspaceOf(root, committed(root, writeFolders(root, folders())));
  if (beside === undefined) return undefined;
  const files = Object.entries(beside).map(([path, content]) => ({ folder: 'beside', path, content }));
  return workspaceOf(root, ['sample', ...writeFolders(root, files)]);
}

/** Without what is left where the sample has run in its own folder. */
function copySample(workspace: string): void {
  cpSync(join(projectRoot, 'media/sample'), workspace, {
    recursive: true,
    filter: (path) => !path.endsWith('.tapedeck'),
  });
}

function writeProject(workspace: string, files: Readonly<Record<string, string>>): void {
  for (const [path, content] of Object.entries(files)) {
    const file = join(workspace, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, content);
  }
}

function workspaceOf(root: string, folders: readonly string[]): string {
  const file = join(root, 'all.code-workspace');
  writeFileSync(file, JSON.stringify({ folders: folders.map((path) => ({ path })) }));
  return file;
}

/** Returns the names of the folders. */
function writeFolders(root: string, files: Iterable<FolderFile>): readonly string[] {
  const folders = new Set<string>();
  for (const { folder, path, content } of files) {
    const file = join(root, folder, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, content);
    folders.add(folder);
  }
  return [...folders];
}

function committed(root: string, folders: readonly string[]): readonly string[] {
  const author = ['-c', 'user.name=Story', '-c', 'user.email=story@example.invalid'];
  for (const folder of folders)
    for (const args of [
      ['init', '-q'],
      ['add', '-A'],
      [...author, 'commit', '-qm', 'All of it'],
    ])
      execFileSync('git', args, { cwd: join(root, folder) });
  return folders;
}

/** Ends the story after the suite that calls this. After each of its tests that fails, it takes a picture, and prints what is shown. */
export function endAfterAll(story: () => Story | undefined, shots: string): void {
  afterEach(async function () {
    const page = story()?.page;
    if (this.currentTest?.state !== 'failed' || page === undefined) return;
    await shoot(page, `${shots}-failed`);
    const frames = page.frames().filter((frame) => frame === page.mainFrame() || frame.name() === 'active-frame');
    for (const frame of frames) console.log(await shownIn(frame));
  });
  after(() => story()?.end());
}

const MOST_SHOWN = 2000;

/** The text of a frame; a frame that answers nothing has none. */
async function shownIn(frame: Frame): Promise<string> {
  const late = new Promise<string>((resolve) => setTimeout(resolve, 2000, 'no answer'));
  const text = frame.evaluate('document.body.innerText').catch((error: unknown) => String(error));
  return `── ${frame.name() || 'window'}\n${String(await Promise.race([text, late])).slice(0, MOST_SHOWN)}`;
}

/** The workbench, once it has a theme. */
const inTheme = (page: Page, theme: Theme) => page.locator(`.monaco-workbench[class*="-${THEMES[theme].mark}-json"]`);

/** Switches the theme as a user does, and waits until the workbench and the pages in it have it. */
async function setTheme(page: Page, theme: Theme): Promise<void> {
  const { label, kind }: LookOfTheme = THEMES[theme];
  if (await inTheme(page, theme).isVisible()) return;
  const row = page.locator('.quick-input-list .monaco-list-row').filter({ hasText: label }).first();
  // A window that is still starting takes focus away from the picker, which closes it.
  for (let attempt = 1; ; attempt += 1) {
    try {
      await runCommand(page, 'Preferences: Color Theme');
      await page.locator('.quick-input-widget:visible input').first().fill(label, { timeout: 5000 });
      await row.click({ timeout: 5000 });
      break;
    } catch (error) {
      if (attempt === 3) throw error;
      await page.keyboard.press('Escape');
    }
  }
  await inTheme(page, theme).waitFor();
  for (const webview of await page.locator('iframe.webview:visible').all()) {
    const shown = webview.contentFrame().locator('#active-frame').contentFrame();
    await shown.locator(`body[data-vscode-theme-kind="${kind}"]`).waitFor({ state: 'attached' });
  }
}
