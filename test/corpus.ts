import { existsSync } from 'node:fs';
import { join } from 'node:path';

/** The folder of this project. */
export const projectFolder = join(import.meta.dirname, '..');

/**
 * The reference corpus of recorded files, which is not part of the project: `../shared/corpus` beside it, or the folder
 * that TAPEDECK_CORPUS names. Undefined where there is none.
 */
export function corpusFolder(): string | undefined {
  const folder = process.env.TAPEDECK_CORPUS ?? join(projectFolder, '../shared/corpus');
  return existsSync(folder) ? folder : undefined;
}

/** A suite over the corpus. Without one it is a single pending test whose title says what was not tested. */
export function corpusSuite(title: string, body: (folder: string) => void): void {
  describe(title, () => {
    const folder = corpusFolder();
    if (folder === undefined) it('NOT TESTED: there is no corpus here; set TAPEDECK_CORPUS to its folder');
    else body(folder);
  });
}
