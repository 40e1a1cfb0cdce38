#!/usr/bin/env node
// npm run pictures   takes the manual's pictures anew, from the story of the first ten minutes in the packaged extension: as WebP, which is
// a third of the PNG.
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { chromium } from 'playwright-core';
import { ensureChromium, quietChromiumFlags } from './chromium.mjs';

const TAKEN = 'out/pictures';
const TARGET = 'media/pictures';
/** The pictures of the manual, by the names that the story gives them. */
const PICTURES = { sample: '04-sample', review: '05-review', transcript: '15-transcript' };

const { status } = spawnSync(
  process.execPath,
  ['--import', 'tsx', 'node_modules/mocha/bin/mocha.js', '--timeout', '480000', 'test/ui/packagedFirstMinutes.test.ts'],
  { stdio: 'inherit', env: { ...process.env, TAPEDECK_LOOKS: 'dark:1100', TAPEDECK_PICTURES: path.resolve(TAKEN) } },
);
if (status !== 0) process.exit(status ?? 1);

/** @param {string} png @returns {Promise<string>} in the browser: the picture as a `data:` URI of WebP */
async function encode(png) {
  const image = new Image();
  image.src = png;
  await image.decode();
  const canvas = document.createElement('canvas');
  canvas.width = image.width;
  canvas.height = image.height;
  canvas.getContext('2d')?.drawImage(image, 0, 0);
  return canvas.toDataURL('image/webp', 0.85);
}

mkdirSync(TARGET, { recursive: true });
const browser = await chromium.launch({ executablePath: await ensureChromium(), args: quietChromiumFlags });
try {
  const page = await browser.newPage();
  for (const [name, taken] of Object.entries(PICTURES)) {
    const png = readFileSync(path.join(TAKEN, 'the-first-ten-minutes', `${taken}-dark-1100.png`));
    const encoded = await page.evaluate(encode, `data:image/png;base64,${png.toString('base64')}`);
    writeFileSync(path.join(TARGET, `${name}.webp`), Buffer.from(encoded.slice(encoded.indexOf(',') + 1), 'base64'));
  }
} finally {
  await browser.close();
}
