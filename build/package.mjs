#!/usr/bin/env node
// node build/package.mjs [--repository URL] [--pictures URL] [--pre-release] [--out FILE]   packages what `node esbuild.mjs --production` built.
//   --repository URL  fills the fields of the manifest that name it, and makes links and pictures of the texts absolute; else, without
//                     TAPEDECK_REPOSITORY as well, pictures give way to their words
//   --pictures URL    where the folder `media` can be loaded from, if not there
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import zlib from 'node:zlib';
import { createVSIX } from '@vscode/vsce';
import { packagedManual } from './manual.mjs';
import { manifestFields, publishedText, REPOSITORY } from './publishing.mjs';

const STAGE = 'out/package';
/** The page of the extension, and what is new, by the names that they have in the package. */
const TEXTS = { 'README.md': 'media/marketplace.md', 'CHANGELOG.md': 'CHANGELOG.md' };
/** What only the project needs. */
const PROJECT_FIELDS = ['private', 'scripts', 'devDependencies', 'bin'];

const { values } = parseArgs({
  options: {
    repository: REPOSITORY,
    pictures: { type: 'string' },
    'pre-release': { type: 'boolean', default: false },
    out: { type: 'string', default: 'tapedeck.vsix' },
  },
});

rmSync(STAGE, { recursive: true, force: true });
mkdirSync(STAGE, { recursive: true });
for (const path of ['package.nls.json', 'package.nls.zh-cn.json', 'l10n', '.vscodeignore', 'LICENSE', 'media', 'dist'])
  cpSync(path, join(STAGE, path), { recursive: true, filter: isPackaged });
const manifest = Object.entries(JSON.parse(readFileSync('package.json', 'utf8')));
const published = Object.fromEntries(manifest.filter(([field]) => !PROJECT_FIELDS.includes(field)));
writeFileSync(
  join(STAGE, 'package.json'),
  `${JSON.stringify({ ...published, ...manifestFields(values.repository) }, null, 2)}\n`,
);
const read = (/** @type {string} */ path) => readFileSync(path, 'utf8');
for (const [name, source] of Object.entries(TEXTS))
  writeFileSync(join(STAGE, name), publishedText(read(source), values));
mkdirSync(join(STAGE, 'docs'));
for (const [name, text] of packagedManual(read, values)) writeFileSync(join(STAGE, name), text);
compressFully();
await createVSIX({
  cwd: STAGE,
  packagePath: values.out,
  dependencies: false,
  allowMissingRepository: true,
  rewriteRelativeLinks: false,
  preRelease: values['pre-release'],
});

/**
 * Neither what is shown elsewhere, nor what Python and Tapedeck leave behind where they have run from here.
 * @param {string} path
 */
function isPackaged(path) {
  return (
    path !== join('media', 'pictures') &&
    path !== join('media', 'marketplace.md') &&
    !/__pycache__|\.tapedeck$/.test(path)
  );
}

/** Has vsce compress as far as deflate goes, for which it has no option: its zips are written with the streams of `node:zlib`. */
function compressFully() {
  zlib.DeflateRaw = class extends zlib.DeflateRaw {
    constructor() {
      super({ level: zlib.constants.Z_BEST_COMPRESSION, memLevel: 7 });
    }
  };
}
