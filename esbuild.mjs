#!/usr/bin/env node
// node esbuild.mjs [--production] [--watch] [NAME…]   builds all of the builds below, or those named.
// node esbuild.mjs --notices                          writes nothing, and prints the licences of what would be packaged.
import { chmodSync, cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, resolve } from 'node:path';
import { build, context, transform } from 'esbuild';
import { mergeChunks } from './build/mergeChunks.mjs';
import { nodeZlib } from './build/nodeZlib.mjs';
import { noticesOf } from './build/notices.mjs';

const production = process.argv.includes('--production');
const watch = process.argv.includes('--watch');
const names = process.argv.slice(2).filter((argument) => !argument.startsWith('--'));

const shared = {
  bundle: true,
  logLevel: 'warning',
  minify: production,
  sourcemap: production ? false : 'linked',
  metafile: true,
  // Licences are passed on whole, in THIRD-PARTY-NOTICES.txt.
  legalComments: 'none',
};
const node = {
  ...shared,
  minify: false,
  minifySyntax: production,
  minifyWhitespace: production,
  platform: 'node',
  format: 'cjs',
  target: 'node20',
};
const browser = { ...shared, platform: 'browser', format: 'esm', target: 'es2022' };

/** The portable decompressor grows its output as far as the data says; in its place, it stops where the output is full. */
const GROWTH = /var tmp = new Uint8Array\([^;]*;\s*tmp\.set\([^;]*;\s*output\.buffer = tmp;/;
const boundedBrotli = {
  name: 'bounded-brotli',
  setup({ onLoad }) {
    onLoad({ filter: /brotli[\\/]dec[\\/]decode\.js$/ }, ({ path }) => {
      const source = readFileSync(path, 'utf8');
      if (!GROWTH.test(source)) throw new Error(`${path} has changed: find where its output grows`);
      return { contents: source.replace(GROWTH, "throw new Error('Output buffer is not large enough');") };
    });
    onLoad({ filter: /brotli[\\/]dec[\\/]dictionary\.bin\.js$/ }, ({ path }) => {
      const [, base64] = /^export default "([^"]*)"/.exec(readFileSync(path, 'utf8')) ?? [];
      if (base64 === undefined) throw new Error(`${path} has changed: find its dictionary`);
      return { contents: `export default ${JSON.stringify(toBase85(Buffer.from(base64, 'base64')))}` };
    });
  },
};

/** The characters from `(` to `~` without those that a JavaScript string may have to escape: 85 of them, which `FROM_BASE_85` reads. */
const BASE_85 = Array.from({ length: 87 }, (_, code) => String.fromCharCode(40 + code)).filter(
  (one) => !'\\`'.includes(one),
);

/** Five characters for four bytes, where base64 takes more. The end is filled with zeros. @param {Buffer} bytes */
function toBase85(bytes) {
  const whole = Buffer.concat([bytes, Buffer.alloc((4 - (bytes.length % 4)) % 4)]);
  let text = '';
  for (let at = 0; at < whole.length; at += 4) {
    const word = whole.readUInt32BE(at);
    for (let digit = 4; digit >= 0; digit -= 1) text += BASE_85[Math.floor(word / 85 ** digit) % 85];
  }
  return text;
}
const FROM_BASE_85 = `text => {
  const bytes = new DataView(new ArrayBuffer(text.length / 5 * 4));
  let word = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    word = word * 85 + code - 40 - (code > 92) - (code > 96);
    if (at % 5 === 4) { bytes.setUint32((at - 4) / 5 * 4, word); word = 0; }
  }
  return new Uint8Array(bytes.buffer);
}`;

/** Modules of their own, which their `require` loads when they are first used: esbuild would put them into the chunk that asks for them. */
const LAZY = ['re2js', 'fflate', 'fzstd', 'toml-eslint-parser'];
const lazyModules = {
  name: 'lazy-modules',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: new RegExp(`^(?:${LAZY.join('|')})$`) }, ({ path, kind }) =>
      kind === 'require-call' ? { path, external: true } : undefined,
    );
    onResolve({ filter: new RegExp(`^(?:${Object.keys(STAND_INS).join('|')})$`) }, ({ path, kind }) =>
      kind === 'import-statement' ? { path, namespace: 'lazy' } : undefined,
    );
    onLoad({ filter: /.*/, namespace: 'lazy' }, ({ path }) => ({ contents: STAND_INS[path].join('\n') }));
  },
};
/** What is imported in place of a module, and loads it when it is first used. */
const STAND_INS = {
  // To be loaded, its tables cost a quarter of what reading small tapes does; most tapes are not compressed.
  fflate: [
    ...['deflateSync', 'gzipSync', 'zlibSync'].map(
      (name) => `export const ${name} = (...all) => require('fflate').${name}(...all);`,
    ),
    ...['Gunzip', 'Inflate', 'Unzlib'].map((name) => lazyClass('fflate', name)),
  ],
  fzstd: [lazyClass('fzstd', 'Decompress')],
  // It finds the positions in a TOML text, for problems and edits.
  'toml-eslint-parser': [
    "export const parseTOML = (...all) => require('toml-eslint-parser').parseTOML(...all);",
    "export const ParseError = { [Symbol.hasInstance]: (error) => error instanceof require('toml-eslint-parser').ParseError };",
  ],
};

/** @param {string} module @param {string} name */
function lazyClass(module, name) {
  return `export function ${name}(...all) { return new (require('${module}').${name})(...all); }`;
}

/**
 * Modules of functions that are loaded when one of these is first called, because what loads them mostly gets by without: a recorder
 * that only hides secrets in requests, and a matcher of requests over HTTP, read no protocol. Their names beside those of packages.
 */
const LATER = {
  readExchange: 'src/core/wire/read/readExchange.ts',
  redactExchange: 'src/core/secrets/redactExchange.ts',
  redactStream: 'src/core/secrets/redactStream.ts',
  recordExchange: 'src/engine/recording/recordExchange.ts',
  writeToolResults: 'src/core/cases/toml/writeToolResults.ts',
  compilePattern: 'src/core/text/compilePattern.ts',
  digest: 'src/core/hash/digest.ts',
};
const laterModules = {
  name: 'later-modules',
  setup({ onResolve, onLoad }) {
    const names = new Map(Object.entries(LATER).map(([name, path]) => [resolve(path), name]));
    onResolve({ filter: new RegExp(`/(?:${Object.keys(LATER).join('|')})$`) }, ({ path, kind, resolveDir }) => {
      const name = names.get(resolve(resolveDir, `${path}.ts`));
      return name !== undefined && kind === 'import-statement' ? { path: name, namespace: 'later' } : undefined;
    });
    onLoad({ filter: /.*/, namespace: 'later' }, ({ path }) => ({ contents: callingLater(path) }));
    onResolve({ filter: new RegExp(`^(?:${Object.keys(LATER).join('|')})$`) }, ({ path, namespace }) =>
      namespace === 'later' ? { path, external: true } : undefined,
    );
  },
};

/** The functions of a module, each of which loads it. @param {string} name */
function callingLater(name) {
  const source = readFileSync(LATER[name], 'utf8');
  const [, ...others] = /^export (?!(?:async )?function|interface|type)(.*)/m.exec(source) ?? [];
  if (others.length > 0) throw new Error(`${LATER[name]} exports more than functions: ${others}`);
  const functions = [...source.matchAll(/^export (?:async )?function (\w+)/gm)].map(
    ([, own]) => `export function ${own}(...all) { return load().${own}(...all); }`,
  );
  return `let loaded;\nfunction load() { return (loaded ??= require('${name}')); }\n${functions.join('\n')}`;
}

/**
 * VS Code's API as it is. An import of it is a copy of its several hundred names, made anew for every file that imports it:
 * a third of what activating took.
 */
const vscodeApi = {
  name: 'vscode-api',
  setup({ onLoad }) {
    onLoad({ filter: /[\\/]src[\\/](?:host[\\/].*|extension[^\\/]*)\.ts$/ }, ({ path }) => ({
      contents: readFileSync(path, 'utf8').replace(
        "import * as vscode from 'vscode';",
        "const vscode = /* @__PURE__ */ require('vscode');",
      ),
      loader: 'ts',
    }));
  },
};

/** Its form for browsers is made of modules, of which only those that are used get into a bundle. */
const yamlModules = {
  name: 'yaml-modules',
  setup({ onResolve }) {
    onResolve({ filter: /^yaml$/ }, () => ({ path: resolve('node_modules/yaml/browser/dist/index.js') }));
  },
};

/** Packages of which a line is used: the keys of JavaScript's syntax tree, of which TOML's parser wants a merge, and base64, in which only brotli's dictionary is written. */
const SMALLER = {
  'eslint-visitor-keys': 'export const unionWith = (keys) => keys;',
  'base64-js': `export default { toByteArray: ${FROM_BASE_85} };`,
};
const smallerModules = {
  name: 'smaller-modules',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: new RegExp(`^(?:${Object.keys(SMALLER).join('|')})$`) }, ({ path }) => ({
      path,
      namespace: 'smaller',
    }));
    onLoad({ filter: /.*/, namespace: 'smaller' }, ({ path }) => ({ contents: SMALLER[path] }));
  },
};

/** The MCP server has a JSON schema validator for questions to the user, which Tapedeck asks none: 130 kB. */
const withoutValidator = {
  name: 'without-validator',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /\/ajv-provider\.js$/ }, ({ path }) => ({ path, namespace: 'without-validator' }));
    onLoad({ filter: /.*/, namespace: 'without-validator' }, () => ({
      contents: 'export class AjvJsonSchemaValidator {}',
    }));
  },
};

/**
 * Writes what was built as CommonJS, file by file: esbuild splits only ES modules, VS Code's extension host and a quick
 * start of Node want CommonJS. Identifiers keep their names, so that a stack trace names the functions of the source.
 */
const commonJs = {
  name: 'common-js',
  setup({ onEnd }) {
    onEnd(async ({ outputFiles = [], metafile }) => {
      if (!metafile) return;
      const others = ['engine', 'tapeReader', 'readerThread', ...Object.keys(LATER)].map((name) => `dist/${name}.js`);
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
      const chunks = await mergeChunks({ entry: 'dist/extension.js', others, starts, outputFiles, metafile });
      rmSync('dist/chunks', { recursive: true, force: true });
      mkdirSync('dist/chunks', { recursive: true });
      await Promise.all(chunks.map(({ path, text }) => writeCommonJs(path, text)));
      // What is loaded into agents' runtimes stays as it is.
      cpSync('src/engine/preload', 'dist/preload', {
        recursive: true,
        filter: (path) => !path.includes('__pycache__'),
      });
      cpSync('src/engine/launchers', 'dist/bin', { recursive: true });
    });
  },
};

/** What esbuild makes of a `require` in an ES module. */
const required = (name) => new RegExp(`\\b__require\\d*\\("${name}"\\)`, 'g');

async function writeCommonJs(path, text) {
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
  const isEngine = basename(path) === 'engine.js';
  const written = withFewRequires(production ? withShortExports(code) : code);
  const shebang = isEngine ? '#!/usr/bin/env node\n' : '';
  // esbuild has put the line of its map at the end; the shebang moves every line down by one, which `;` says in a map.
  if (map) writeFileSync(`${path}.map`, isEngine ? map.replace('"mappings": "', '"mappings": ";') : map);
  writeFileSync(path, `${shebang}${written}${map ? `//# sourceMappingURL=${basename(path)}.map\n` : ''}`);
  if (isEngine) chmodSync(path, 0o755);
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

/** @type {Record<string, import('esbuild').BuildOptions>} */
const builds = {
  // The extension, the engine and their threads share their chunks.
  node: {
    ...node,
    entryPoints: {
      extension: 'src/extension.ts',
      engine: 'src/engine/main.ts',
      tapeReader: 'src/reader/main.ts',
      readerThread: 'src/engine/readerThread.ts',
      ...Object.fromEntries(LAZY.map((name) => [name, name])),
      ...LATER,
    },
    outdir: 'dist',
    external: ['vscode'],
    format: 'esm',
    splitting: true,
    chunkNames: 'chunks/[name]-[hash]',
    sourcemap: production ? false : 'inline',
    write: false,
    plugins: [vscodeApi, nodeZlib, lazyModules, laterModules, withoutValidator, yamlModules, commonJs],
  },
  // The browser's extension host loads one file, and no other from it: what reads tapes is in it.
  web: {
    ...browser,
    format: 'cjs',
    entryPoints: { 'extension.web': 'src/extension.web.ts' },
    outdir: 'dist',
    external: ['vscode'],
    charset: 'utf8',
    plugins: [vscodeApi, boundedBrotli, smallerModules],
  },
  webviews: {
    ...browser,
    entryPoints: {
      transcript: 'webview-ui/transcript/main.tsx',
      review: 'webview-ui/review/main.tsx',
      summary: 'webview-ui/summary/main.tsx',
      stability: 'webview-ui/stability/main.tsx',
      trial: 'webview-ui/trial/main.tsx',
      overview: 'webview-ui/overview/main.tsx',
      // The review page loads it and its styles by name, see loadMonacoDiff.ts.
      monacoDiff: 'webview-ui/review/diff/monacoDiff.ts',
    },
    outdir: 'dist/webview',
    splitting: true,
    // Modules are always read as UTF-8.
    charset: 'utf8',
    jsx: 'automatic',
    jsxImportSource: 'preact',
    loader: { '.ttf': 'file' },
    assetNames: '[name]',
  },
  // Monaco's worker is one self-contained script, because a webview cannot start module workers (monaco-editor#5462).
  worker: {
    ...browser,
    format: 'iife',
    entryPoints: { 'editor.worker': 'webview-ui/review/diff/editorWorker.ts' },
    outdir: 'dist/webview',
  },
  webTests: {
    ...browser,
    format: 'cjs',
    entryPoints: { index: 'test/vscode/web.ts' },
    outdir: 'out/test/web',
    external: ['vscode'],
  },
  hostTests: {
    ...node,
    entryPoints: { index: 'test/vscode/index.ts' },
    outdir: 'out/test/vscode',
    external: ['vscode', 'mocha'],
  },
};

const chosen = names.length > 0 ? names : Object.keys(builds);
for (const name of chosen)
  if (!(name in builds)) throw new Error(`no build is called ${name}; there are: ${Object.keys(builds).join(', ')}`);

if (process.argv.includes('--notices')) {
  const packaged = [builds.node, builds.web, builds.webviews, builds.worker];
  const unwritten = packaged.map((options) =>
    build({ ...options, write: false, plugins: options.plugins?.filter((plugin) => plugin !== commonJs) ?? [] }),
  );
  const notices = noticesOf((await Promise.all(unwritten)).map(({ metafile }) => metafile));
  await new Promise((written) => process.stdout.write(notices, written));
  process.exit();
}

// Chunks are named by their content: those of earlier builds would pile up, and be packaged.
if (chosen.includes('webviews') && chosen.includes('worker')) rmSync('dist/webview', { recursive: true, force: true });
if (watch) {
  const contexts = await Promise.all(chosen.map((name) => context(builds[name])));
  await Promise.all(contexts.map((running) => running.watch()));
} else {
  const results = await Promise.all(chosen.map((name) => build(builds[name])));
  if (production) writeFileSync('dist/THIRD-PARTY-NOTICES.txt', noticesOf(results.map(({ metafile }) => metafile)));
  const sizes = results.flatMap(({ metafile }) => Object.entries(metafile.outputs));
  for (const [file, { bytes }] of sizes)
    if (!file.endsWith('.map')) console.log(`${file}  ${(bytes / 1000).toFixed(1)} kB`);
}
