import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { chromium, type Locator, type Page } from 'playwright-core';
import { ensureChromium, quietChromiumFlags } from '../chromium.mjs';
import { animatedWebp, type Frame } from './animatedWebp';

interface Point {
  readonly x: number;
  readonly y: number;
}

interface Shot {
  readonly png: Buffer;
  readonly caption: string;
  readonly pointer: (Point & { readonly pressed: boolean }) | undefined;
  readonly milliseconds: number;
}

const MOVE_STEPS = 7;
const STEP_MS = 45;
const PRESS_MS = 180;
const QUALITY = 0.9;

/** Takes pictures of a window, with a caption below it and a pointer where it is clicked, and develops them as a film. */
export class Camera {
  readonly #page: Page;
  readonly #kept: string | undefined;
  readonly #shots: Shot[] = [];
  #caption = '';
  #at: Point | undefined;

  /** @param kept a folder for the pictures as they are taken, to look at */
  constructor(page: Page, kept?: string) {
    this.#page = page;
    this.#kept = kept;
    if (kept !== undefined) mkdirSync(kept, { recursive: true });
  }

  /** What is said below the window from now on. */
  say(caption: string): void {
    this.#caption = caption;
  }

  /** Shows the window as it is now for so long. */
  async hold(milliseconds: number): Promise<void> {
    this.#add(await this.#page.screenshot(), milliseconds, false);
  }

  /** Moves the pointer there and clicks. What the click does is shown by the next shot. */
  async click(target: Locator): Promise<void> {
    await target.waitFor();
    const box = await target.boundingBox();
    if (box === null) throw new Error('What is to be clicked is not in the window.');
    const to = { x: box.x + Math.min(box.width / 2, 60), y: box.y + box.height / 2 };
    const png = await this.#page.screenshot();
    const from = this.#at ?? { x: to.x + 220, y: to.y + 160 };
    for (let step = 1; step <= MOVE_STEPS; step += 1) {
      const share = (1 - Math.cos((Math.PI * step) / MOVE_STEPS)) / 2;
      this.#at = { x: from.x + (to.x - from.x) * share, y: from.y + (to.y - from.y) * share };
      this.#add(png, STEP_MS, false);
    }
    this.#add(png, PRESS_MS, true);
    await target.click();
    // A tooltip of what was clicked would cover what it does.
    await this.#page.mouse.move(to.x, 2);
  }

  /** Types like a person: a few letters, and a moment. */
  async type(text: string): Promise<void> {
    for (const letters of text.match(/.{1,3}/gs) ?? []) {
      await this.#page.keyboard.type(letters);
      await this.hold(130);
    }
  }

  /** The film as an animated WebP. */
  async develop(): Promise<Buffer> {
    const browser = await chromium.launch({ executablePath: await ensureChromium(), args: quietChromiumFlags });
    try {
      const page = await browser.newPage();
      await page.addScriptTag({ content: readFileSync(join(__dirname, 'inPage.js'), 'utf8') });
      const frames: Frame[] = [];
      for (const shot of this.#shots) {
        const frame = await encode(page, shot);
        const last = frames.at(-1);
        if (frame !== undefined) frames.push(frame);
        else if (last !== undefined)
          frames.splice(-1, 1, { ...last, milliseconds: last.milliseconds + shot.milliseconds });
      }
      const [first] = frames;
      if (first === undefined) throw new Error('The film has no frame.');
      return animatedWebp(first.width, first.height, frames);
    } finally {
      await browser.close();
    }
  }

  #add(png: Buffer, milliseconds: number, pressed: boolean): void {
    const name = `${String(this.#shots.length).padStart(3, '0')}.png`;
    if (this.#kept !== undefined && png !== this.#shots.at(-1)?.png) writeFileSync(join(this.#kept, name), png);
    const pointer = this.#at && { ...this.#at, pressed };
    this.#shots.push({ png, caption: this.#caption, pointer, milliseconds });
  }
}

interface EncodedPart extends Omit<Frame, 'milliseconds' | 'picture'> {
  readonly picture: string;
}

async function encode(page: Page, { png, milliseconds, ...shot }: Shot): Promise<Frame | undefined> {
  const asked = { ...shot, png: `data:image/png;base64,${png.toString('base64')}`, quality: QUALITY };
  const encoded: EncodedPart | undefined = await page.evaluate(`encodeFrame(${JSON.stringify(asked)})`);
  if (encoded === undefined) return undefined;
  const picture = Buffer.from(encoded.picture.slice(encoded.picture.indexOf(',') + 1), 'base64');
  return { ...encoded, milliseconds, picture };
}
