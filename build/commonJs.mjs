import { chmodSync, cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { basename } from 'node:path';
import { build, transform } from 'esbuild';
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
      const others = ['chunks/engine', 'tapeReader', 'readerThread'].map((name) => `dist/${name}.js`);
      const [rpc, serve, run, diff] = ['rpc', 'serve', 'run', 'diff'].map((name) => `src/engine/commands/${name}.ts`);
      const search = 'src/engine/proxy/tape/tapeSearch.ts';
      const starts = {
        startOfEngine: ['src/engine/main.ts'],
        startOfProject: ['src/engine/project/declareLayouts.ts'],
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
      await writeStarts(production);
      // What is loaded into agents' runtimes stays as it is.
      cpSync('src/engine/preload', 'dist/preload', {
        recursive: true,
        filter: (path) => !path.includes('__pycache__'),
      });
      cpSync('src/engine/launchers', 'dist/bin', { recursive: true });
    });
  },
});

/** @param {string} path @param {string} text @param {boolean} production */
async function writeCommonJs(path, text, production) {
  const { code, map } = await transform(text, {
    ...commonJsOf(production),
    // Not for Node, whose `import` of CommonJS wants a list of names.
    platform: 'neutral',
    sourcefile: basename(path),
    sourcemap: production ? false : 'external',
    // A dynamic import becomes a `require`: Node's own `import()` would look for the names that a module lists.
    supported: { 'dynamic-import': false },
  });
  if (map) writeFileSync(`${path}.map`, map);
  writeFileSync(path, `${code}${map ? `//# sourceMappingURL=${basename(path)}.map\n` : ''}`);
}

/** Writes what loads the chunks of the extension and of the engine. @param {boolean} production */
async function writeStarts(production) {
  const start = { ...commonJsOf(production), platform: 'node', bundle: true, outdir: 'dist', logLevel: 'warning' };
  await build({ ...start, entryPoints: ['src/start/extension.ts'] });
  const banner = { js: '#!/usr/bin/env node' };
  await build({ ...start, entryPoints: ['src/start/engine.ts'], external: ['./chunks/*'], banner });
  chmodSync('dist/engine.js', 0o755);
}

/** The names of functions stay, for stack traces. @param {boolean} production */
export const commonJsOf = (production) => ({
  format: 'cjs',
  target: 'node20',
  minifySyntax: production,
  minifyWhitespace: production,
  legalComments: 'none',
});
