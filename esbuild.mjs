#!/usr/bin/env node
// node esbuild.mjs [--production] [--watch] [NAME…]   builds all of the builds below, or those named.
// node esbuild.mjs --notices                          writes nothing, and prints the licences of what would be packaged.
import { rmSync, writeFileSync } from 'node:fs';
import { build, context } from 'esbuild';
import { commonJs, commonJsOf } from './build/commonJs.mjs';
import { nodeZlib } from './build/nodeZlib.mjs';
import { noticesOf } from './build/notices.mjs';
import {
  boundedBrotli,
  shorterPackages,
  smallerModules,
  vscodeApi,
  withoutValidator,
  yamlModules,
} from './build/smallerModules.mjs';

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
const node = { ...shared, ...commonJsOf(production), minify: false, platform: 'node' };
const browser = { ...shared, platform: 'browser', format: 'esm', target: 'es2022' };

/** @type {Record<string, import('esbuild').BuildOptions>} */
const builds = {
  // The extension, the engine and their threads share their chunks.
  node: {
    ...node,
    entryPoints: {
      'chunks/extension': 'src/extension.ts',
      'chunks/engine': 'src/engine/main.ts',
      tapeReader: 'src/reader/main.ts',
      readerThread: 'src/engine/readerThread.ts',
    },
    outdir: 'dist',
    external: ['vscode'],
    format: 'esm',
    splitting: true,
    chunkNames: 'chunks/[hash]',
    sourcemap: production ? false : 'inline',
    write: false,
    plugins: [
      vscodeApi,
      nodeZlib,
      withoutValidator,
      yamlModules,
      ...(production ? [shorterPackages] : []),
      commonJs(production),
    ],
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
      summary: 'webview-ui/report/summary/main.tsx',
      stability: 'webview-ui/report/stability/main.tsx',
      trial: 'webview-ui/report/trial/main.tsx',
      overview: 'webview-ui/report/overview/main.tsx',
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
    build({ ...options, write: false, plugins: options.plugins?.filter(({ name }) => name !== 'common-js') ?? [] }),
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
