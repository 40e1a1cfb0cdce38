#!/usr/bin/env node
// node test/soak/tinyInteractions.mjs [--format ID]… [--kilobytes N=64]… [--seconds N=20]
// Grows the tiniest pieces of small files of every format until they are large, and prints the worst that a tape of
// such a file keeps in memory, for each byte of its text. N seconds go to each format and size. Exit code 1 where it is
// over ten times the text (and over 512 KB).
import { existsSync, mkdirSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { build } from 'esbuild';

const project = join(import.meta.dirname, '../..');
const { values } = parseArgs({
  options: {
    format: { type: 'string', multiple: true, default: [] },
    kilobytes: { type: 'string', multiple: true, default: ['64', '1024'] },
    seconds: { type: 'string', default: '20' },
  },
});
const folder = join(project, 'out/fuzz');
mkdirSync(folder, { recursive: true });
const outfile = join(folder, `tiny-${process.pid}.cjs`);
await build({
  entryPoints: [join(project, 'test/soak/tinyInteractions.ts')],
  outfile,
  bundle: true,
  platform: 'node',
  format: 'cjs',
  target: 'node20',
  logLevel: 'warning',
});
const { chosen, worstOf } = createRequire(import.meta.url)(outfile);
rmSync(outfile);

const corpus = [process.env.TAPEDECK_CORPUS, join(project, '../shared/corpus')].find(
  (path) => path && existsSync(path),
);
const choice = { corpus, formats: values.format, budget: Number(values.seconds) * 1000 };
console.log('format                  KB   worst  interactions  files  piece');
for (const [format, seeds] of chosen(choice))
  for (const kilobytes of values.kilobytes) {
    const worst = await worstOf(format, seeds, { ...choice, size: Number(kilobytes) * 1024 });
    const numbers = [
      kilobytes.padStart(6),
      worst.ratio.toFixed(1).padStart(6),
      String(worst.interactions).padStart(12),
    ];
    const row = [worst.format.padEnd(20), ...numbers, String(worst.tried).padStart(5)].join('  ');
    console.log(`${row}  ${JSON.stringify(worst.piece.slice(0, 40))}${worst.isWithin ? '' : '  OVER'}`);
    if (!worst.isWithin) process.exitCode = 1;
  }
