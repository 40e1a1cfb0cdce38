import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { build } from 'esbuild';

const project = join(import.meta.dirname, '../..');
const formatsFolder = join(project, 'src/core/tapes/formats');
const require = createRequire(import.meta.url);
const OPTIONS = {
  ...{ bundle: true, platform: 'node', format: 'cjs', target: 'node20', logLevel: 'warning' },
  // Of the samples, which read files beside the source.
  define: { 'import.meta.dirname': JSON.stringify(import.meta.dirname) },
};

/** What the workers run; of each format a digest of its code, and its seeds. Two may be made at the same time. */
export async function fuzzBundle(folder) {
  const bundle = join(folder, `worker-${process.pid}.cjs`);
  const entry = join(folder, `seeds-${process.pid}.cjs`);
  await build({ ...OPTIONS, entryPoints: [join(project, 'test/soak/fuzzWorker.ts')], outfile: bundle });
  await build({ ...OPTIONS, entryPoints: [join(project, 'test/soak/seedFiles.ts')], outfile: entry });
  const corpus = [process.env.TAPEDECK_CORPUS, join(project, '../shared/corpus')].find(
    (path) => path && existsSync(path),
  );
  const seeds = require(entry).seedFiles(corpus);
  rmSync(entry);
  return { bundle, codes: await codesOf(folder), seeds };
}

/** A digest of all that reading and writing a format runs, found by bundling each format alone. */
async function codesOf(folder) {
  const outdir = join(folder, `codes-${process.pid}`);
  const names = readdirSync(formatsFolder, { recursive: true }).filter((name) => /^(?!shared)\w+\/\w+\.ts$/.test(name));
  await build({
    ...OPTIONS,
    entryPoints: Object.fromEntries(
      names.map((name) => [name.replace('/', '-').slice(0, -3), join(formatsFolder, name)]),
    ),
    outdir,
    outExtension: { '.js': '.cjs' },
  });
  const codes = new Map();
  for (const name of readdirSync(outdir)) {
    const file = join(outdir, name);
    const code = createHash('sha256').update(readFileSync(file)).digest('hex').slice(0, 12);
    for (const value of Object.values(require(file)).flat()) if (value?.looksLike) codes.set(value.id, code);
  }
  rmSync(outdir, { recursive: true });
  return codes;
}
