import { FILE_LIMITS } from '../../core/bytes/fileLimits';
import type { CaseListing } from '../../core/cases/caseKind';
import { caseKindOf, isCasePlace } from '../../core/cases/registry';
import { parseCaseAddress, writeCaseAddress } from '../../core/project/caseAddress';
import { mayHoldCases } from '../../core/project/filePatterns';
import { t } from '../../core/text/l10n';
import { isSystemError } from '../errors/systemError';
import { pathExists } from '../files/fileStatus';
import { withSlashes } from '../files/projectPaths';
import { readTextSync } from '../files/readFile';
import { type UnreadablePath, unreadableNotice, walkFiles } from '../files/walkFiles';
import { findOverwrittenFiles } from '../project/overwrittenFiles';

interface FoundCases {
  /**
   * The addresses of cases: named ones in their order, and those of each named folder, sorted. A file with several cases
   * has one address for each. No address occurs twice.
   */
  readonly casePaths: readonly string[];
  /** Folders and files that could not be read, with the reason. */
  readonly notices: readonly string[];
}

const ONE_CASE: CaseListing['cases'] = [];

/**
 * Finds the cases at absolute `paths`: files, cases in files, or folders, in which links out of the project that `rootOf`
 * names are not followed. A file that should be a case and cannot be read is one: it fails when it is run. Rejects with a
 * `UserError` for a missing path.
 */
export async function findCases(paths: readonly string[], rootOf: (folder: string) => string): Promise<FoundCases> {
  const named = new Map(paths.map((path) => [filePart(path), path]));
  const listings = new Map<string, CaseListing['cases']>();
  const others: string[] = [];
  const isWanted = (path: string): boolean => {
    if (!mayHoldCases(withSlashes(path))) return false;
    const cases = casesIn(path);
    if (cases === undefined) others.push(path);
    // A file that only supports cases runs only when it is named, and then reports what it lacks.
    if (cases === undefined || (cases.length > 0 && cases.every(({ lacks }) => lacks !== undefined))) return false;
    listings.set(path, cases);
    return true;
  };
  const { paths: files, unreadable } = walkFiles([...named.keys()], {
    isWanted,
    rootOf,
    fix: t('Name a case file, or a folder with cases.'),
  });
  const found = files.flatMap((path) => {
    const address = named.get(path) ?? path;
    return address === path ? addressesOf(path, listings.get(path) ?? namedCases(path)) : [address];
  });
  const isCase = ({ path, isForeign }: UnreadablePath): boolean => !isForeign && isCasePlace(withSlashes(path));
  const closed = unreadable.filter(isCase).map(({ path }) => path);
  const skipped = unreadable.filter((one) => !isCase(one)).map(unreadableNotice);
  const overwritten = await findOverwrittenFiles(others, { rootOf, wasOne: wasCase });
  return {
    casePaths: [...new Set([...found, ...closed, ...overwritten.paths])],
    notices: [...skipped, ...overwritten.notices],
  };
}

function wasCase(path: string, committed: Uint8Array): boolean {
  return caseKindOf(new TextDecoder().decode(committed), path) !== undefined;
}

/** The file of an address; a path that exists as it is names a file. */
function filePart(path: string): string {
  return pathExists(path) ? path : parseCaseAddress(path).path;
}

/** The cases that a file lists; none for a TOML case, which is always one, and for an invalid file. */
function casesIn(path: string): CaseListing['cases'] | undefined {
  const text = readTextSync(path, FILE_LIMITS.tape);
  const kind = caseKindOf(text, withSlashes(path));
  if (kind === undefined) return undefined;
  return kind.id === 'toml' ? ONE_CASE : kind.list(text, withSlashes(path)).cases;
}

function namedCases(path: string): CaseListing['cases'] {
  try {
    return casesIn(path) ?? ONE_CASE;
  } catch (error) {
    // Running the case reports the error.
    if (isSystemError(error)) return ONE_CASE;
    throw error;
  }
}

/** The addresses of the cases in a file; the file's own where it is a single case, or invalid. */
function addressesOf(path: string, listed: CaseListing['cases']): readonly string[] {
  const cases = listed.filter(({ lacks }) => lacks === undefined);
  if (cases.every(({ id }) => id === undefined)) return [path];
  return cases.map(({ id }) => writeCaseAddress({ path, id }));
}
