import { existsSync } from 'node:fs';
import { cp, mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { TestProject } from './builtEngine';

const CORPUS = process.env.TAPEDECK_CORPUS ?? resolve(__dirname, '../../../shared/corpus');

/** Runs the test in a copy of a folder of the reference corpus. Where the corpus is not at hand it is skipped, loudly. */
export async function inCorpus(
  context: Mocha.Context,
  folder: string,
  test: (project: TestProject) => Promise<void>,
): Promise<void> {
  const source = join(CORPUS, folder);
  if (!existsSync(source)) {
    console.error(`NOT TESTED: the corpus is not at ${CORPUS}. Set TAPEDECK_CORPUS to where it is.`);
    context.skip();
  }
  const root = await realpath(await mkdtemp(join(tmpdir(), 'tapedeck-test-')));
  try {
    // `mode`: the corpus may be read-only, and its copy is written to.
    await cp(source, root, { recursive: true, mode: 0 });
    await test(new TestProject(root));
  } finally {
    await rm(root, { recursive: true, force: true });
  }
}
