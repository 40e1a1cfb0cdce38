import { existsSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { transpiledCopy } from './transpiledCopy.mjs';
import { openWine } from './wine.mjs';

/** Wine, with a copy of the project on its drive C. Rejects with the reason where Wine is not to be had. */
export async function windows() {
  const wine = await openWine();
  await transpiledCopy(wine.folder);
  return wine;
}

/** Runs tests of the copy: patterns of TypeScript files, from the project's folder. */
export async function testUnderWine(wine, patterns, seconds, args = []) {
  const tally = path.join(wine.folder, 'tally.json');
  rmSync(tally, { force: true });
  const started = performance.now();
  const { printed } = await wine.node(
    [
      'node_modules/mocha/bin/mocha.js',
      ...['--no-config', '--exit', '--no-color', '--timeout', '120000'],
      ...['--require', './test/properties.cjs', '--reporter', './test/tally.cjs'],
      // They draw for minutes, or want a whole Linux.
      ...['--ignore', '**/*.slow.test.js'],
      ...args,
      ...patterns.map((pattern) => pattern.replace(/\.ts$/, '.js')),
    ],
    { TAPEDECK_TALLY: 'C:\\td\\tally.json' },
    seconds,
  );
  const took = Math.round((performance.now() - started) / 1000);
  const counted = existsSync(tally) ? JSON.parse(readFileSync(tally, 'utf8')) : { passes: 0, pending: 0, failed: [] };
  if (!existsSync(tally)) counted.failed = [`${patterns.join(' ')} did not end within ${seconds} s`];
  return { ...counted, printed, seconds: took };
}
