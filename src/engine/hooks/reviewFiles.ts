import { join } from 'node:path';
import { FILE_LIMITS } from '../../core/bytes/fileLimits';
import { t } from '../../core/text/l10n';
import { type CiFile, type CiSystem, ciFiles } from '../ciFiles';
import { UserError } from '../errors/userError';
import { realPath } from '../files/fileStatus';
import { fromRoot } from '../files/projectPaths';
import { readTextIfThere } from '../files/readFile';
import { writeInProject } from '../files/writeFile';
import { Repository } from '../git/repository';

/** Recordings are read as conversations, and folded in pull requests, where the comment tells what changed. */
const ATTRIBUTES = ['*.tape.json', '*.tape.jsonl'].map((pattern) => `${pattern} diff=tapedeck linguist-generated`);
export const TEXTCONV = 'diff.tapedeck.textconv';
/** Shows what is no tape, or cannot be read, as it is: else git diff would end there. */
const SHOW = 'f() { tapedeck inspect "$1" 2>/dev/null || cat "$1"; }; f';

/** Has git show tapes as conversations, in this clone. Rejects with a `UserError` without a repository. */
export async function showTapesInGit(root: string): Promise<void> {
  const repository = await Repository.require(root);
  const path = join(root, '.gitattributes');
  const text = (await readTextIfThere(path, FILE_LIMITS.config)) ?? '';
  const lines = text.split(/\r?\n/);
  const missing = ATTRIBUTES.filter((line) => !lines.includes(line));
  const start = text === '' || text.endsWith('\n') ? text : `${text}\n`;
  if (missing.length > 0) await writeInProject(root, path, `${start}${missing.join('\n')}\n`);
  await repository.set(TEXTCONV, SHOW);
}

/** A file of a CI system. `theirs`: it is the user's, and lacks the text. */
interface InstalledFile extends CiFile {
  readonly outcome: 'written' | 'there' | 'theirs';
}

/**
 * Writes what reviews recordings in a system. Rejects with a `UserError` before anything is written where a file of Tapedeck
 * was changed, unless they may be overwritten.
 */
export async function installReviews(
  root: string,
  system: CiSystem,
  overwrites: boolean,
): Promise<readonly InstalledFile[]> {
  const { top } = await Repository.require(root);
  const project = fromRoot(top, (await realPath(root)) ?? root) || '.';
  const files = await Promise.all(
    (await ciFiles(system, project)).map(async (file) => ({
      ...file,
      outcome: await outcomeOf(top, file, overwrites),
    })),
  );
  for (const { path, text, outcome } of files)
    if (outcome === 'written') await writeInProject(top, join(top, path), text);
  return files;
}

async function outcomeOf(top: string, file: CiFile, overwrites: boolean): Promise<InstalledFile['outcome']> {
  const there = await readTextIfThere(join(top, file.path), FILE_LIMITS.config);
  if (there === undefined) return 'written';
  if (there.includes(file.text)) return 'there';
  if (file.isShared) return 'theirs';
  if (overwrites) return 'written';
  throw new UserError(t('{0} is there already, and differs', file.path), t('Overwrite it with --force.'));
}
