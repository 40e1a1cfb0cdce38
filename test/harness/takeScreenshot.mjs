#!/usr/bin/env node
// npm run screenshot   the README's picture, from the picture that the story of the queue took: as WebP, which is half of the PNG.
import { readFileSync, writeFileSync } from 'node:fs';
import { chromium } from 'playwright-core';
import { ensureChromium, quietChromiumFlags } from './chromium.mjs';

const [source = 'test/screenshots/actual/queue-1-open-dark.png', target = 'media/screenshot.webp'] =
  process.argv.slice(2);
const browser = await chromium.launch({ executablePath: await ensureChromium(), args: quietChromiumFlags });
try {
  const page = await browser.newPage();
  const encoded = await page.evaluate(
    async (png) => {
      const image = new Image();
      image.src = png;
      await image.decode();
      const canvas = document.createElement('canvas');
      canvas.width = image.width;
      canvas.height = image.height;
      canvas.getContext('2d')?.drawImage(image, 0, 0);
      return canvas.toDataURL('image/webp', 0.85);
    },
    `data:image/png;base64,${readFileSync(source).toString('base64')}`,
  );
  writeFileSync(target, Buffer.from(encoded.slice(encoded.indexOf(',') + 1), 'base64'));
} finally {
  await browser.close();
}
