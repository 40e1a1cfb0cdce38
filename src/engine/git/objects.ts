import { FILE_LIMITS, tooLargeReason } from '../../core/bytes/fileLimits';
import { message, t } from '../../core/text/l10n';
import { UserError } from '../errors/userError';
import type { SafeGit } from './safeGit';

/** An object, and the file it is the content of, for messages. */
export interface NamedObject {
  readonly path: string;
  readonly id: string;
}

const NEWLINE = 0x0a;

/**
 * The sizes of objects in bytes, by their ids. Rejects with a `UserError` that names the file when one is missing, as in a
 * partial clone, or too large.
 */
export async function objectSizes(git: SafeGit, objects: readonly NamedObject[]): Promise<ReadonlyMap<string, number>> {
  const pathOf = new Map(objects.map(({ path, id }) => [id, path]));
  if (pathOf.size === 0) return new Map();
  const listed = await git.run(['cat-file', '--batch-check'], { input: linesOf(pathOf.keys()) });
  const lines = listed.toString('utf8').trimEnd().split('\n');
  return new Map(lines.map((line) => sizeIn(line, pathOf)));
}

/** The contents of objects whose sizes are known, by their ids. Rejects like `objectSizes`, and when one is broken. */
export async function readObjects(
  git: SafeGit,
  objects: readonly NamedObject[],
  sizes: ReadonlyMap<string, number>,
): Promise<ReadonlyMap<string, Buffer>> {
  const pathOf = new Map(objects.map(({ path, id }) => [id, path]));
  if (pathOf.size === 0) return new Map();
  const bytes = [...pathOf.keys()].reduce((sum, id) => sum + (sizes.get(id) ?? 0) + FRAME_BYTES, 0);
  return parseBatch(await readAll(git, pathOf, bytes));
}

/** The most that git prints around the content of an object: its id, type and size, and two newlines. */
const FRAME_BYTES = 128;

function linesOf(ids: Iterable<string>): string {
  return [...ids].map((id) => `${id}\n`).join('');
}

/** `id type size`, or `id missing`. */
function sizeIn(line: string, pathOf: ReadonlyMap<string, string>): readonly [id: string, size: number] {
  const [id = '', type, size] = line.split(' ');
  const path = pathOf.get(id) ?? id;
  if (type === 'missing')
    throw new UserError(
      () => t('{0}: its committed content is not in this clone', path),
      () => t('A partial clone lacks it, and Tapedeck does not fetch. Get it once: git cat-file -p {0}', id),
    );
  if (type !== 'blob')
    throw new UserError(
      () => t('{0}: its committed content is not a file, but a {1}', path, type ?? ''),
      () => t(CHECK),
    );
  if (Number(size) > FILE_LIMITS.tape)
    throw new UserError(() =>
      t('{0}: its committed content cannot be compared: {1}', path, tooLargeReason(FILE_LIMITS.tape)),
    );
  return [id, Number(size)];
}

const CHECK = message('Check the repository: git fsck');

async function readAll(git: SafeGit, pathOf: ReadonlyMap<string, string>, maxBytes: number): Promise<Buffer> {
  try {
    return await git.run(['cat-file', '--batch'], { input: linesOf(pathOf.keys()), maxBytes });
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    const broken = [...pathOf].find(([id]) => error.message.includes(id));
    throw broken === undefined ? error : new UserError(`${broken[1]}: ${error.message}`, () => t(CHECK));
  }
}

/** `id type size`, a newline, the content, a newline. */
function parseBatch(printed: Buffer): ReadonlyMap<string, Buffer> {
  const contents = new Map<string, Buffer>();
  for (let at = 0; at < printed.length; ) {
    const end = printed.indexOf(NEWLINE, at);
    const [id = '', , size] = printed.toString('latin1', at, end).split(' ');
    at = end + 1;
    contents.set(id, printed.subarray(at, at + Number(size)));
    at += Number(size) + 1;
  }
  return contents;
}
