import { FILE_LIMITS } from '../../core/bytes/fileLimits';
import type { CaseListing } from '../../core/cases/caseKind';
import { caseKindOf } from '../../core/cases/registry';
import { parseCaseAddress, writeCaseAddress } from '../../core/project/caseAddress';
import { mayHoldCases } from '../../core/project/filePatterns';
import { isSystemError } from '../errors/systemError';
import { pathExists } from '../files/fileStatus';
import { withSlashes } from '../files/projectPaths';
import { readTextSync } from '../files/readFile';
import { unreadableNotice, walkFiles } from '../files/walkFiles';

export interface FoundCases {
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
 * names are not followed. Throws a `UserError` for a missing path.
 */
export function findCases(paths: readonly string[], rootOf: (folder: string) => string): FoundCases {
  const named = new Map(paths.map((path) => [filePart(path), path]));
  const listings = new Map<string, CaseListing['cases']>();
  const isWanted = (path: string): boolean => {
    const cases = mayHoldCases(withSlashes(path)) ? casesIn(path) : undefined;
    // A file that only supports cases runs only when it is named, and then reports what it lacks.
    if (cases === undefined || (cases.length > 0 && cases.every(({ lacks }) => lacks !== undefined))) return false;
    listings.set(path, cases);
    return true;
  };
  const { paths: files, unreadable: leftOut } = walkFiles([...named.keys()], {
    isWanted,
    rootOf,
    fix: 'Name a case file, or a folder with cases.',
  });
  const found = files.flatMap((path) => {
    const address = named.get(path) ?? path;
    return address === path ? addressesOf(path, listings.get(path) ?? namedCases(path)) : [address];
  });
  return { casePaths: [...new Set(found)], notices: leftOut.map(unreadableNotice) };
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
  return cases.map(({ id }) => writeCaseAddress({ path, ...(id === undefined ? {} : { id }) }));
}
