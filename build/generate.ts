// npm run generate   writes what derives from the definitions in the source: JSON schemas, and the tables of the manual.
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { generatedFiles } from './generated';

const root = fileURLToPath(new URL('..', import.meta.url));

async function generate(): Promise<void> {
  const files = generatedFiles((path) => readFileSync(join(root, path), 'utf8'));
  for (const { path, content } of files) writeFileSync(join(root, path), await content());
  const biome = join(root, 'node_modules/@biomejs/biome/bin/biome');
  const json = files.flatMap(({ path }) => (path.endsWith('.json') ? [path] : []));
  execFileSync(process.execPath, [biome, 'format', '--write', ...json], { cwd: root, stdio: 'inherit' });
}

void generate();
