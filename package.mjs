#!/usr/bin/env node
// node package.mjs [--pictures URL]   packages what `node esbuild.mjs --production` built, as tapedeck.vsix.
// VS Code's details page shows pictures from https addresses alone: it drops those that come with an extension, and those in
// `data:` URIs. URL is where the folder `media` can be loaded from; without one, each picture gives way to its words.
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import zlib from 'node:zlib';
import { createVSIX } from '@vscode/vsce';

const STAGE = 'out/package';
/** A picture of the README, with its words in a comment below it. */
const PICTURE = /!\[([^\]]*)\]\(media\/([^)]+)\)\n(?:<!-- in words\n([\s\S]*?)-->\n)?/g;

const { values } = parseArgs({
  options: { pictures: { type: 'string' }, out: { type: 'string', default: 'tapedeck.vsix' } },
});

rmSync(STAGE, { recursive: true, force: true });
mkdirSync(STAGE, { recursive: true });
for (const path of [
  'package.json',
  'package.nls.json',
  'package.nls.zh-cn.json',
  'l10n',
  '.vscodeignore',
  'CHANGELOG.md',
  'LICENSE',
  'media',
  'dist',
])
  cpSync(path, join(STAGE, path), { recursive: true, filter: isPackaged });
writeFileSync(join(STAGE, 'README.md'), detailsPage(readFileSync('README.md', 'utf8'), values.pictures));
compressFully();
await createVSIX({
  cwd: STAGE,
  packagePath: values.out,
  dependencies: false,
  allowMissingRepository: true,
  rewriteRelativeLinks: false,
});

/**
 * Neither the README's pictures nor what Python leaves behind where it has run from here.
 * @param {string} path
 */
function isPackaged(path) {
  return path !== join('media', 'pictures') && !path.includes('__pycache__');
}

/** Has vsce compress as far as deflate goes, for which it has no option: its zips are written with the streams of `node:zlib`. */
function compressFully() {
  zlib.DeflateRaw = class extends zlib.DeflateRaw {
    constructor() {
      super({ level: zlib.constants.Z_BEST_COMPRESSION, memLevel: 7 });
    }
  };
}

/**
 * The README as the details page can show it.
 * @param {string} markdown
 * @param {string | undefined} pictures
 */
function detailsPage(markdown, pictures) {
  return markdown.replace(PICTURE, (_, alt, file, words = '') =>
    pictures === undefined ? words : `![${alt}](${new URL(file, pictures.replace(/\/?$/, '/'))})\n`,
  );
}
