#!/usr/bin/env node
// node esbuild.mjs [--production] [--watch] [NAME…]   builds all of the builds below, or those named.
import { chmodSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { build, context, transform } from 'esbuild';

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
const node = { ...shared, platform: 'node', format: 'cjs', target: 'node20' };
const browser = { ...shared, platform: 'browser', format: 'esm', target: 'es2022' };

/** The extension loads `dist/tapes.js` when it shows the first tape; without this it would be part of the extension's own file. */
const tapesApart = {
  name: 'tapes-apart',
  setup({ onResolve }) {
    onResolve({ filter: /core\/tapes\/reading$/ }, ({ kind }) =>
      kind === 'dynamic-import' ? { path: './tapes.js', external: true } : undefined,
    );
  },
};

/** What Node has itself: the portable decompressor is 70 kB, and cannot be stopped at a size. */
const nodeBrotli = {
  name: 'node-brotli',
  setup({ onResolve }) {
    onResolve({ filter: /\/wire\/brotli$/ }, () => ({ path: resolve('src/engine/project/nodeBrotli.ts') }));
  },
};

/** Its form for browsers is made of modules, of which only those that are used get into a bundle. */
const yamlModules = {
  name: 'yaml-modules',
  setup({ onResolve }) {
    onResolve({ filter: /^yaml$/ }, () => ({ path: resolve('node_modules/yaml/browser/dist/index.js') }));
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

/** @type {Record<string, import('esbuild').BuildOptions>} */
const builds = {
  extension: {
    ...node,
    entryPoints: { extension: 'src/extension.ts' },
    outdir: 'dist',
    external: ['vscode'],
    plugins: [tapesApart],
    // `import()` would look for names that only a build for Node lists; `require` takes the module as it is.
    supported: { 'dynamic-import': false },
  },
  // The browser's extension host loads one file, and no other from it: what reads tapes is in it.
  web: {
    ...browser,
    format: 'cjs',
    entryPoints: { 'extension.web': 'src/extension.web.ts' },
    outdir: 'dist',
    external: ['vscode'],
  },
  tapes: {
    ...node,
    entryPoints: { tapes: 'src/core/tapes/reading.ts' },
    outdir: 'dist',
    plugins: [nodeBrotli, yamlModules],
  },
  engine: {
    ...node,
    entryPoints: { engine: 'src/engine/main.ts' },
    outdir: 'dist',
    banner: { js: '#!/usr/bin/env node' },
    plugins: [withoutValidator, yamlModules],
  },
  // Reads large tapes, in a thread of its own.
  reader: {
    ...node,
    entryPoints: { tapeReader: 'src/host/tapes/readingWorker.ts' },
    outdir: 'dist',
    plugins: [nodeBrotli, yamlModules],
  },
  webviews: {
    ...browser,
    entryPoints: {
      transcript: 'webview-ui/transcript/main.tsx',
      review: 'webview-ui/review/main.tsx',
      // The review page loads it and its styles by name, see loadMonacoDiff.ts.
      monacoDiff: 'webview-ui/review/monacoDiff.ts',
    },
    outdir: 'dist/webview',
    splitting: true,
    jsx: 'automatic',
    jsxImportSource: 'preact',
    loader: { '.ttf': 'file' },
    assetNames: '[name]',
  },
  // Monaco's worker is one self-contained script, because a webview cannot start module workers (monaco-editor#5462).
  worker: {
    ...browser,
    format: 'iife',
    entryPoints: { 'editor.worker': 'webview-ui/review/editorWorker.ts' },
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

const PACKED = ['engine', 'tapes', 'reader'];

/**
 * The engine and what reads tapes as one file of which only what is needed is compiled: their modules, split where they
 * are imported dynamically and where several have them, are texts in it. As plain bundles, half of each start of the engine
 * went into parsing, and most of what reads tapes was packaged twice.
 */
async function pack() {
  const { outputFiles, metafile } = await build({
    ...node,
    entryPoints: Object.assign({}, ...PACKED.map((name) => builds[name].entryPoints)),
    outdir: 'dist',
    plugins: [nodeBrotli, withoutValidator, yamlModules],
    format: 'esm',
    splitting: true,
    chunkNames: '[name]-[hash]',
    write: false,
  });
  const chunks = {};
  for (const { path, text } of outputFiles) {
    // Compiled text has no module of its own to import from: its imports become calls of `require`.
    const supported = { 'dynamic-import': false };
    const { code } = await transform(text, {
      format: 'cjs',
      platform: 'node',
      minify: true,
      target: 'node20',
      supported,
    });
    chunks[`./${basename(path)}`] = code;
  }
  const files = {
    'dist/packed.js': `module.exports = (${unpack})(${JSON.stringify(chunks)}, require, __filename, __dirname)\n`,
    'dist/tapes.js': "module.exports = require('./packed.js')('./tapes.js', { exports: {} });\n",
    'dist/tapeReader.js': "require('./packed.js')('./tapeReader.js', module);\n",
    'dist/engine.js': "#!/usr/bin/env node\nrequire('./packed.js')('./engine.js', module);\n",
  };
  for (const [file, text] of Object.entries(files)) writeFileSync(file, text);
  chmodSync('dist/engine.js', 0o755);
  const outputs = Object.fromEntries(Object.entries(files).map(([file, text]) => [file, { bytes: text.length }]));
  return { metafile: { inputs: metafile.inputs, outputs } };
}

/** Its text unpacks the file that it stands in: an entry, and its modules, are compiled when they are first required. */
function unpack(chunks, outer, filename, dirname) {
  const { compileFunction } = outer('node:vm');
  const loaded = new Map();
  const load = (name, module = { exports: {} }) => {
    if (!(name in chunks)) return outer(name);
    const known = loaded.get(name);
    if (known) return known.exports;
    loaded.set(name, module);
    const parameters = ['exports', 'require', 'module', '__filename', '__dirname'];
    const run = compileFunction(chunks[name], parameters, { filename: `${filename}/${name.slice(2)}` });
    run(module.exports, (wanted) => load(wanted), module, filename, dirname);
    return module.exports;
  };
  return load;
}

/** @param {string[]} names */
function buildAll(names) {
  const isPacked = (name) => production && PACKED.includes(name);
  const plain = names.filter((name) => !isPacked(name)).map((name) => build(builds[name]));
  return Promise.all(names.some(isPacked) ? [...plain, pack()] : plain);
}

const chosen = names.length > 0 ? names : Object.keys(builds);
for (const name of chosen)
  if (!(name in builds)) throw new Error(`no build is called ${name}; there are: ${Object.keys(builds).join(', ')}`);

/**
 * The licences of the packages whose code is in what was built, which they ask to be passed on with it.
 * @param {import('esbuild').Metafile[]} metafiles
 */
function writeNotices(metafiles) {
  const inputs = metafiles.flatMap(({ inputs }) => Object.keys(inputs));
  const packages = new Set(
    inputs.map((file) => /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(file)?.[1]).filter((name) => name),
  );
  // Drawn from, not imported: the icons of the pages are its SVG paths.
  packages.add('@vscode/codicons');
  const notices = [...packages].sort().map((name) => {
    const folder = join('node_modules', name);
    const { version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
    const file = readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry));
    return `${name} ${version} (${license})\n\n${file ? readFileSync(join(folder, file), 'utf8').trim() : ''}\n`;
  });
  writeFileSync('dist/THIRD-PARTY-NOTICES.txt', notices.join(`\n${'-'.repeat(80)}\n\n`));
}

// Chunks are named by their content: those of earlier builds would pile up, and be packaged.
if (chosen.includes('webviews') && chosen.includes('worker')) rmSync('dist/webview', { recursive: true, force: true });
if (watch) {
  const contexts = await Promise.all(chosen.map((name) => context(builds[name])));
  await Promise.all(contexts.map((running) => running.watch()));
} else {
  const results = await buildAll(chosen);
  if (production) writeNotices(results.map(({ metafile }) => metafile));
  const sizes = results.flatMap(({ metafile }) => Object.entries(metafile.outputs));
  for (const [file, { bytes }] of sizes)
    if (!file.endsWith('.map')) console.log(`${file}  ${(bytes / 1000).toFixed(1)} kB`);
}
