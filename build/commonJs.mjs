import { createHash } from 'node:crypto';
import { chmodSync, cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, resolve } from 'node:path';
import { build, transform } from 'esbuild';
import { LATER, LAZY } from './lazyModules.mjs';
import { mergeChunks } from './mergeChunks.mjs';

/**
 * Writes what was built as CommonJS, file by file: esbuild splits only ES modules, VS Code's extension host and a quick
 * start of Node want CommonJS. Identifiers keep their names, so that a stack trace names the functions of the source.
 * @param {boolean} production
 * @returns {import('esbuild').Plugin}
 */
export const commonJs = (production) => ({
  name: 'common-js',
  setup({ onEnd }) {
    onEnd(async ({ outputFiles = [], metafile }) => {
      if (!metafile) return;
      const others = ['chunks/engine', 'tapeReader', 'readerThread', ...Object.keys(LATER)].map(
        (name) => `dist/${name}.js`,
      );
      const [rpc, serve, run, diff] = ['rpc', 'serve', 'run', 'diff'].map((name) => `src/engine/commands/${name}.ts`);
      const search = 'src/engine/proxy/tape/tapeSearch.ts';
      const starts = {
        startOfEngine: ['src/engine/main.ts'],
        startOfServers: [rpc, serve],
        startOfRpc: [rpc],
        startOfCommands: [serve, run],
        startOfServe: [serve],
        startOfReading: ['src/core/tapes/formats/tapedeck/pieces.ts'],
        startOfHiding: ['src/engine/recording/recorder.ts'],
        startOfTapes: [search, diff],
        startOfMatching: [search],
      };
      const chunks = await mergeChunks({ entry: 'dist/chunks/extension.js', others, starts, outputFiles, metafile });
      for (const folder of ['dist/chunks', 'dist/compiled']) rmSync(folder, { recursive: true, force: true });
      mkdirSync('dist/chunks', { recursive: true });
      await Promise.all(chunks.map(({ path, text }) => writeCommonJs(path, text, production)));
      await writeStarts(digestOf(chunks), production);
      // What is loaded into agents' runtimes stays as it is.
      cpSync('src/engine/preload', 'dist/preload', {
        recursive: true,
        filter: (path) => !path.includes('__pycache__'),
      });
      cpSync('src/engine/launchers', 'dist/bin', { recursive: true });
    });
  },
});

/** What esbuild makes of a `require` in an ES module. */
const required = (name) => new RegExp(`\\b__require\\d*\\("${name}"\\)`, 'g');

/** @param {string} path @param {string} text @param {boolean} production */
async function writeCommonJs(path, text, production) {
  const root = dirname(path) === resolve('dist') ? '.' : '..';
  const linked = [...LAZY, ...Object.keys(LATER)].reduce(
    (code, name) => code.replaceAll(required(name), `require("${root}/${name}.js")`),
    text,
  );
  // The host answers a `require` of its API in some steps: a chunk asks once.
  const once = linked.replaceAll(required('vscode'), 'vscodeApi');
  const { code, map } = await transform(once === linked ? linked : `const vscodeApi = require("vscode");${once}`, {
    format: 'cjs',
    platform: 'node',
    target: 'node20',
    minifySyntax: production,
    minifyWhitespace: production,
    sourcefile: basename(path),
    sourcemap: production ? false : 'external',
    legalComments: 'none',
    // A dynamic import becomes a `require`: Node's own `import()` would look for the names that a module lists.
    supported: { 'dynamic-import': false },
  });
  const written = withFewRequires(production ? withShortExports(code) : code);
  if (map) writeFileSync(`${path}.map`, map);
  writeFileSync(path, `${written}${map ? `//# sourceMappingURL=${basename(path)}.map\n` : ''}`);
}

/** Writes what loads the chunks of the extension and of the engine. @param {string} digest @param {boolean} production */
async function writeStarts(digest, production) {
  const { outputFiles } = await build({
    entryPoints: { extension: 'src/start/extension.ts', engine: 'src/start/engine.ts' },
    outdir: 'dist',
    bundle: true,
    format: 'cjs',
    platform: 'node',
    target: 'node20',
    minifySyntax: production,
    minifyWhitespace: production,
    define: { BUILD: JSON.stringify(digest) },
    external: ['./chunks/*'],
    write: false,
    legalComments: 'none',
    logLevel: 'warning',
  });
  for (const { path, text } of outputFiles) {
    const isEngine = basename(path) === 'engine.js';
    writeFileSync(path, `${isEngine ? '#!/usr/bin/env node\n' : ''}${withFewRequires(text)}`);
    if (isEngine) chmodSync(path, 0o755);
  }
}

/** @param {readonly {path: string, text: string}[]} chunks */
function digestOf(chunks) {
  const hash = createHash('sha256');
  for (const { path, text } of [...chunks].sort((a, b) => (a.path < b.path ? -1 : 1)))
    hash.update(`${basename(path)}\n${text}\n`);
  return hash.digest('hex').slice(0, 16);
}

const REQUIRED = /\b(import_\w+) ?= ?require\("([^"]+)"\)/g;
/** Built-in modules that Node has not loaded by itself when it starts, and that take it some milliseconds. */
const SLOW_BUILTIN = /^node:(?:crypto|fs\/promises|https?|net|tls|zlib)$/;

/**
 * Has a chunk ask once for each module, where esbuild asks once for each import: a hundred times in what the extension loads at once. The
 * slow ones among Node's own are loaded when they are first used: most commands use few of them, and `--version` none.
 */
function withFewRequires(code) {
  const names = new Map();
  const once = code.replace(REQUIRED, (whole, name, path) => {
    const first = names.get(path);
    if (first !== undefined) return `${name} = ${first}`;
    names.set(path, name);
    return SLOW_BUILTIN.test(path)
      ? `${name} = { get module() { return this.loaded ??= require("${path}"); } }`
      : whole;
  });
  return [...code.matchAll(REQUIRED)]
    .filter(([, , path]) => SLOW_BUILTIN.test(path))
    .reduce((text, [, name]) => text.replace(new RegExp(`(?<![\\w.])${name}\\.`, 'g'), `${name}.module.`), once);
}

/** What esbuild puts at the beginning of a CommonJS module to export names, and the names. */
const EXPORTS =
  /^var __defProp=(?:(?!__toESM).)*?__toCommonJS=mod=>__copyProps\(__defProp\(\{\},"__esModule",\{value:!0\}\),mod\);var (\w+)=\{\};__export\(\1,(\{[^{}]*\})\);module\.exports=__toCommonJS\(\1\);/s;
/** At its end: the names, for modules that import it by them. There are none. */
const EXPORTED_NAMES = /0&&\(module\.exports=\{[^{}]*\}\);\s*$/;
const HELPERS = /(?<![.\w])__(?:defProp|getOwnPropDesc|getOwnPropNames|hasOwnProp|copyProps|toCommonJS)\b/;
const SHORT_EXPORTS =
  'var __export=all=>{for(let name in all)Object.defineProperty(exports,name,{get:all[name],enumerable:!0})};' +
  'Object.defineProperty(exports,"__esModule",{value:!0});';

/** The same exports in a third of the characters, which each of hundreds of modules repeats. */
function withShortExports(code) {
  const short = code.replace(EXPORTED_NAMES, '');
  const [head, , names] = EXPORTS.exec(short) ?? [];
  const rest = short.slice(head?.length);
  return head === undefined || HELPERS.test(rest) ? short : `${SHORT_EXPORTS}__export(${names});${rest}`;
}
