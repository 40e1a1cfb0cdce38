import { cp, mkdir, readdir, rm, symlink, utimes } from 'node:fs/promises';
import path from 'node:path';
import { build } from 'esbuild';

const PROJECT = path.join(import.meta.dirname, '../..');
const FOLDERS = ['src', 'test', 'build', 'webview-ui', 'media', 'docs', 'l10n', 'dist'];
const FILES = ['package.json', 'package.nls.json', 'package.nls.zh-cn.json', 'README.md', 'LICENSE', 'CHANGELOG.md'];
const SCRIPT = /\.(?:ts|tsx)$/;

/** What CommonJS has instead of the properties of `import.meta`. */
const MODULE_URL = 'const __moduleUrl = require("node:url").pathToFileURL(__filename).href;';

/**
 * A copy of the project in `folder`, with the CommonJS of each TypeScript file beside it, since neither tsx nor esbuild starts under
 * Wine. The modules are those of the project, by a link.
 */
export async function transpiledCopy(folder) {
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  const copied = [...FOLDERS, ...FILES].map((name) =>
    cp(path.join(PROJECT, name), path.join(folder, name), { recursive: true, preserveTimestamps: true }),
  );
  await Promise.all(copied);
  await symlink(path.join(PROJECT, 'node_modules'), path.join(folder, 'node_modules'));
  await build({
    entryPoints: await scripts(folder),
    outbase: folder,
    outdir: folder,
    format: 'cjs',
    platform: 'node',
    target: 'node20',
    sourcemap: 'inline',
    sourcesContent: false,
    supported: { 'dynamic-import': false },
    jsx: 'automatic',
    jsxImportSource: 'preact',
    define: { 'import.meta.url': '__moduleUrl', 'import.meta.dirname': '__dirname' },
    banner: { js: MODULE_URL },
    logLevel: 'error',
  });
  // What the harness builds again where it is older than its sources, to which the scripts now belong.
  const now = new Date();
  await utimes(path.join(folder, 'dist/engine.js'), now, now);
}

async function scripts(folder) {
  const found = [];
  for (const name of ['src', 'test', 'build', 'webview-ui'])
    for (const entry of await readdir(path.join(folder, name), { recursive: true, withFileTypes: true }))
      if (entry.isFile() && SCRIPT.test(entry.name) && !entry.name.endsWith('.d.ts'))
        found.push(path.join(entry.parentPath, entry.name));
  return found;
}
