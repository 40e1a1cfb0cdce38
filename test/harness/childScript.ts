import { basename, join } from 'node:path';
import { build } from 'esbuild';

/**
 * A script of the tests that Node starts without delay, to be run as a process of its own: bundled into `folder`. `script`: its path
 * without an ending. In the compiled copy for Windows, where no bundler runs, it is there already.
 */
export async function childScript(script: string, folder: string): Promise<string> {
  if (__filename.endsWith('.js')) return `${script}.js`;
  const outfile = join(folder, `${basename(script)}.cjs`);
  await build({ entryPoints: [`${script}.ts`], outfile, bundle: true, platform: 'node' });
  return outfile;
}
