import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { assertAgreement, type ExpectedCases } from './agreement';
import { stopAtFailure } from './stopAtFailure';
import { projectRoot, type Story, type StoryOptions, startStory, THEMES, type Theme } from './story';
import { installVsix } from './vscode/codeServer.mjs';
import { shoot } from './vscode/workbench.mjs';

/** How a window looks: its theme, and its width in pixels. */
export interface Look {
  readonly theme: Theme;
  readonly width: number;
}

/** A story in a VS Code that has the packaged extension installed, and no other. */
export interface PackagedStory extends Story {
  readonly look: Look;
  /** Takes a picture of the window, and returns its path: in `TAPEDECK_PICTURES`, as `STORY/NAME-THEME-WIDTH.png`. */
  picture(name: string): Promise<string>;
  /** Asserts that every surface tells the same of each case, and `expected` of those it names. */
  agree(expected?: ExpectedCases): Promise<void>;
}

const HEIGHTS: Readonly<Record<number, number>> = { 900: 700, 1600: 1000 };
const WIDTHS = Object.keys(HEIGHTS).map(Number);

/**
 * Tells a story in each look that `TAPEDECK_LOOKS` asks for: `all`, or such as `dark:1600,hc-light:900`. Without it, in the one given.
 * `tell` defines the tests, each of which goes on from the one before; it gets the story once it has started. After each of them, every
 * surface has to tell the same of each case.
 */
export function tellPackaged(
  title: string,
  tell: (story: () => PackagedStory) => void,
  options: StoryOptions & { readonly look?: Look } = {},
): void {
  const { look = { theme: 'dark', width: 1600 }, ...start } = options;
  for (const each of wantedLooks() ?? [look])
    describe(`${title}, packaged, in ${each.theme} at ${each.width} pixels`, () => {
      let story: PackagedStory | undefined;
      stopAtFailure();
      before(async () => {
        story = await startPackaged(title, each, start);
      });
      afterEach(async function () {
        try {
          if (this.currentTest?.state === 'passed') await story?.agree();
          else await story?.picture('failed');
        } catch (error) {
          await story?.picture('failed');
          throw error;
        }
      });
      after(() => story?.end());
      tell(() => {
        if (story === undefined) throw new Error('The story has not started.');
        return story;
      });
    });
}

async function startPackaged(title: string, look: Look, options: StoryOptions): Promise<PackagedStory> {
  const { theme, width } = look;
  const story = await startStory({
    ...options,
    extensionsDir: await packagedExtensions(),
    theme,
    viewport: { width, height: HEIGHTS[width] ?? Math.round(width * 0.64) },
  });
  const folder = title.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-');
  return {
    ...story,
    look,
    picture: (name) => shoot(story.page, `${folder}/${name}-${theme}-${width}`, process.env.TAPEDECK_PICTURES),
    agree: (expected) => assertAgreement(story.page, expected),
  };
}

function wantedLooks(): readonly Look[] | undefined {
  const wanted = process.env.TAPEDECK_LOOKS;
  if (wanted === undefined || wanted === '') return undefined;
  if (wanted === 'all')
    return (Object.keys(THEMES) as Theme[]).flatMap((theme) => WIDTHS.map((width) => ({ theme, width })));
  return wanted.split(',').map((text) => {
    const [theme = '', width] = text.split(':');
    if (!isTheme(theme)) throw new Error(`TAPEDECK_LOOKS names ${theme}; there are: ${Object.keys(THEMES).join(', ')}`);
    return { theme, width: Number(width ?? 1600) };
  });
}

function isTheme(name: string): name is Theme {
  return name in THEMES;
}

let installed: Promise<string> | undefined;

/** The folder of extensions with the packaged one in it. It is packaged once for all stories of a process; see `TAPEDECK_VSIX`. */
export function packagedExtensions(): Promise<string> {
  installed ??= installPackaged();
  return installed;
}

async function installPackaged(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'tapedeck-packaged-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  const extensionsDir = join(folder, 'extensions');
  await installVsix({ vsix: packagedVsix(), extensionsDir, userDataDir: join(folder, 'user') });
  return extensionsDir;
}

let vsix: string | undefined;

/** The packaged extension: the file that `TAPEDECK_VSIX` names, or packaged now. */
export function packagedVsix(): string {
  vsix ??= process.env.TAPEDECK_VSIX ? resolve(process.env.TAPEDECK_VSIX) : packageExtension();
  return vsix;
}

function packageExtension(): string {
  execFileSync('npm', ['run', 'package'], { cwd: projectRoot, stdio: 'pipe', shell: process.platform === 'win32' });
  return join(projectRoot, 'tapedeck.vsix');
}
