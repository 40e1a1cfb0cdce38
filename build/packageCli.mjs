#!/usr/bin/env node
// node build/packageCli.mjs [--repository URL] [--out FOLDER]   packages the command line of what `node esbuild.mjs --production node` built, as
// `tapedeck-cli-VERSION.tgz` for npm: the engine with every module that it loads, and nothing of the editor's.
import { execFileSync } from 'node:child_process';
import { copyFileSync, cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, normalize, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { packagedManual, packagedPage } from './manual.mjs';
import { manifestFields, REPOSITORY } from './publishing.mjs';

const NAME = '@tapedeck/cli';
const STAGE = 'out/cli';
/** What a process is started with; each loads the others by name. */
const ENTRIES = ['engine.js', 'readerThread.js'];
/** What is loaded into agents' runtimes. */
const PRELOADED = 'preload';
/** What test runners load, as they are imported. */
const RUNNERS = {
  './vitest': 'vitest.mjs',
  './jest': 'jest.mjs',
  './node-test': 'nodeTest.mjs',
  './playwright': 'playwright.mjs',
};
/** The types of what commands print with `--json`. */
const DOCUMENTS = 'engine/reporters/jsonDocuments';
const TEXTS = ['LICENSE', 'CHANGELOG.md', 'dist/THIRD-PARTY-NOTICES.txt'];

const { values } = parseArgs({ options: { repository: REPOSITORY, out: { type: 'string', default: '.' } } });
const manifest = {
  ...JSON.parse(readFileSync('package.json', 'utf8')),
  description: JSON.parse(readFileSync('package.nls.json', 'utf8')).description,
};

rmSync(STAGE, { recursive: true, force: true });
mkdirSync(join(STAGE, 'dist/chunks'), { recursive: true });
for (const path of modulesOf(ENTRIES)) copyFileSync(join('dist', path), join(STAGE, 'dist', path));
cpSync(join('dist', PRELOADED), join(STAGE, 'dist', PRELOADED), {
  recursive: true,
  // Python leaves these behind where it has run from here.
  filter: (path) => !path.includes('__pycache__'),
});
cpSync('src/runners/javascript', join(STAGE, 'runners'), { recursive: true });
cpSync('src/runners/go', join(STAGE, 'runners/go'), { recursive: true });
writeTypes();
cpSync('l10n', join(STAGE, 'l10n'), {
  recursive: true,
  filter: (path) => path === 'l10n' || /\.zh-cn\.json$/.test(path),
});
cpSync('media/sample', join(STAGE, 'sample'), { recursive: true });
cpSync('media/ci', join(STAGE, 'media/ci'), { recursive: true });
// Makes a repository with what is in the package one that pre-commit takes.
copyFileSync('media/ci/pre-commit/hooks.yaml', join(STAGE, '.pre-commit-hooks.yaml'));
for (const path of TEXTS.filter(existsSync)) copyFileSync(path, join(STAGE, path.replace('dist/', '')));
const read = (/** @type {string} */ path) => readFileSync(path, 'utf8');
mkdirSync(join(STAGE, 'docs'));
for (const [name, text] of packagedManual(read, values)) writeFileSync(join(STAGE, name), text);
writeFileSync(join(STAGE, 'README.md'), readme());
writeFileSync(join(STAGE, 'package.json'), `${JSON.stringify(ownManifest(manifest), null, 2)}\n`);
mkdirSync(values.out, { recursive: true });
const packed = execFileSync('npm', ['pack', '--json', '--pack-destination', resolve(values.out)], {
  cwd: STAGE,
  encoding: 'utf8',
  shell: process.platform === 'win32',
});
const [{ filename, size }] = JSON.parse(packed);
console.log(`${join(values.out, filename)}  ${(size / 1000).toFixed(1)} kB`);

/**
 * The modules that these load, directly or not, when they start or later.
 * @param {readonly string[]} entries from `dist`
 */
function modulesOf(entries) {
  const found = new Set(entries);
  for (const path of found) {
    const code = readFileSync(join('dist', path), 'utf8');
    for (const [, name = ''] of code.matchAll(/\brequire\("(\.{1,2}\/[^"]+)"\)/g))
      found.add(normalize(join(dirname(path), name)));
  }
  return [...found];
}

/** Writes the declarations of the documents, and of what they are made of. */
function writeTypes() {
  const all = 'out/declarations';
  const compilerOptions = {
    noEmit: false,
    emitDeclarationOnly: true,
    declaration: true,
    rootDir: '../src',
    outDir: '../out/declarations',
  };
  rmSync(all, { recursive: true, force: true });
  writeFileSync(
    'out/declarations.json',
    JSON.stringify({ extends: '../tsconfig.json', compilerOptions, files: [`../src/${DOCUMENTS}.ts`], include: [] }),
  );
  execFileSync(process.execPath, ['node_modules/typescript/bin/tsc', '-p', 'out/declarations.json'], {
    stdio: 'inherit',
  });
  const wanted = new Set([DOCUMENTS]);
  for (const path of wanted) {
    const text = readFileSync(join(all, `${path}.d.ts`), 'utf8');
    for (const [, name = ''] of text.matchAll(/\bfrom ['"](\.[^'"]+)['"]/g))
      wanted.add(normalize(join(dirname(path), name)));
    const target = join(STAGE, 'types', `${path}.d.ts`);
    mkdirSync(dirname(target), { recursive: true });
    writeFileSync(target, text);
  }
}

/** @param {Record<string, unknown> & { engines: { node: string } }} manifest */
function ownManifest({ version, description, license, keywords, engines }) {
  return {
    name: NAME,
    version,
    description,
    license,
    keywords,
    engines: { node: engines.node },
    ...manifestFields(values.repository),
    bin: { tapedeck: 'dist/engine.js' },
    types: `types/${DOCUMENTS}.d.ts`,
    exports: {
      '.': { types: `./types/${DOCUMENTS}.d.ts` },
      './package.json': './package.json',
      './dist/*': './dist/*',
      './types/*': './types/*',
      ...Object.fromEntries(Object.entries(RUNNERS).map(([name, file]) => [name, `./runners/${file}`])),
    },
    files: [
      'dist',
      'docs',
      'media',
      '.pre-commit-hooks.yaml',
      'runners',
      'l10n',
      'types',
      'sample',
      'MANUAL.md',
      'CHANGELOG.md',
      'THIRD-PARTY-NOTICES.txt',
    ],
  };
}

/** The manual's page about the command line. */
function readme() {
  const about = `${manifest.description} The same engine as the VS Code extension's; it works offline.`;
  return `# Tapedeck, on the command line\n\n${about}\n${packagedPage('docs/command-line.md', read, values)}`;
}
