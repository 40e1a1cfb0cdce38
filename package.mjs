#!/usr/bin/env node
// node package.mjs   packages what `node esbuild.mjs --production` built, as tapedeck.vsix.
// VS Code's details page shows pictures from the web alone: it drops those that come with an extension, and those in
// `data:` URIs. Until the project has a public address to load them from, the package's README has none.
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createVSIX } from '@vscode/vsce';

const STAGE = 'out/package';

rmSync(STAGE, { recursive: true, force: true });
mkdirSync(STAGE, { recursive: true });
for (const path of ['package.json', '.vscodeignore', 'CHANGELOG.md', 'LICENSE', 'media', 'dist'])
  cpSync(path, join(STAGE, path), { recursive: true });
writeFileSync(join(STAGE, 'README.md'), withoutPictures(readFileSync('README.md', 'utf8')));
await createVSIX({
  cwd: STAGE,
  packagePath: 'tapedeck.vsix',
  dependencies: false,
  allowMissingRepository: true,
  rewriteRelativeLinks: false,
});

/** A page of Markdown without the project's pictures. */
function withoutPictures(markdown) {
  return markdown.replace(/!\[[^\]]*\]\(media\/[^)]+\)\n*/g, '');
}
