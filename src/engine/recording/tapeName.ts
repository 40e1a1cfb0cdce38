import { basename, posix } from 'node:path';
import { isTapePath } from '../../core/project/filePatterns';
import { isBaselinePath, STATE_FOLDER, TRIALS_FOLDER } from '../../core/project/layout';
import { formats } from '../../core/tapes/registry';
import { isWritable } from '../../core/tapes/writableFormat';
import { t } from '../../core/text/l10n';
import { UserError } from '../errors/userError';
import { fromRoot, isInside, withSlashes } from '../files/projectPaths';

/** The extensions of files that tapes are written to, without the dot. */
const EXTENSIONS = [...new Set(formats.filter(isWritable).flatMap(({ extensions }) => extensions))]
  .filter((extension) => !extension.includes('.'))
  .sort();

/** Names that other programs read: a tape of this name would be taken for their configuration. */
const OF_OTHERS =
  /^(?:(?:package|package-lock|npm-shrinkwrap|composer|deno|[jt]sconfig[^/]*|manifest|settings|launch|tasks)\.json|(?:docker-)?compose[^/]*\.ya?ml|(?:action|mkdocs|pubspec|pnpm-[^/]*|flakestorm)\.ya?ml|requirements[^/]*\.txt|cmakelists\.txt)$/i;

/** The folders of takes that are made for comparison, which no tape is named after. */
const ASIDE = [`${STATE_FOLDER}/stability/`, `${TRIALS_FOLDER}/`];

/**
 * Throws a `UserError` for a path, absolute, at which no new tape is made: a recording may be named by a case of a
 * stranger. Only the part of the path within the project counts, or for a path outside of it, the name.
 */
export function requireTapeName(root: string, path: string): void {
  const named = isInside(root, path) ? fromRoot(root, path) : basename(path);
  const reason = refusal(named);
  if (reason !== undefined)
    throw new UserError(
      () => t('{0} cannot be a new tape: {1}', named, reason),
      () => nameTape(),
    );
}

/** Whether an empty file at this path is one that a tape may replace: a tape that was emptied. */
export function isEmptyTape(path: string): boolean {
  return isTapePath(withSlashes(path)) && hasTapeExtension(path);
}

function nameTape(): string {
  return t('Name a file such as tapes/NAME.tape.json; its extension may be {0}.', EXTENSIONS.join(', '));
}

function refusal(path: string): string | undefined {
  if (ASIDE.some((folder) => path.startsWith(folder))) return undefined;
  const [hidden] = /(?<![^/])\.[^/]*/.exec(path) ?? [];
  if (hidden !== undefined) return t('{0} is hidden', hidden);
  if (!hasTapeExtension(path)) return t('its name does not end as that of a tape');
  if (isBaselinePath(path)) return t('its name is that of a baseline');
  return OF_OTHERS.test(posix.basename(path)) ? t('other programs read a file of this name') : undefined;
}

function hasTapeExtension(path: string): boolean {
  const [, extension] = /\.([^./\\]+?)(?:\.gz)?$/i.exec(path) ?? [];
  return extension !== undefined && EXTENSIONS.includes(extension.toLowerCase());
}
