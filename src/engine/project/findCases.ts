import { existsSync, readFileSync, statSync } from 'node:fs';
import type { ListedCase } from '../../core/cases/caseKind';
import { caseKindOf } from '../../core/cases/caseKinds';
import { parseCaseAddress, writeCaseAddress } from '../../core/project/caseAddress';
import { mayHoldCases } from '../../core/project/casePaths';
import { isSystemError } from './userError';
import { walkFiles } from './walkFiles';

export interface FoundCases {
  /**
   * Addresses of cases: those that were named, in that order, and the cases of each folder that was named, sorted. A file
   * of several cases gives each of them. No address twice.
   */
  readonly casePaths: readonly string[];
  /** Folders and files that could not be read, with the reason. */
  readonly notices: readonly string[];
}

/** The cases at absolute `paths`: files, cases in files, or folders. Throws a `UserError` for a path that is not there. */
export function findCases(paths: readonly string[]): FoundCases {
  const named = new Map(paths.map((path) => [filePart(path), path]));
  const fix = 'Name a case file, or a folder with cases.';
  const { paths: files, notices } = walkFiles([...named.keys()], (path) => isRunnable(path), fix);
  const found = files.flatMap((path) => {
    const address = named.get(path) ?? path;
    return address === path ? addressesIn(path) : [address];
  });
  return { casePaths: [...new Set(found)], notices };
}

/** The file of an address; a file that really has such a name is itself. */
function filePart(path: string): string {
  return existsSync(path) ? path : parseCaseAddress(path).path;
}

function isRunnable(path: string): boolean {
  if (!mayHoldCases(path.replaceAll('\\', '/'))) return false;
  const text = readFileSync(path, 'utf8');
  const kind = caseKindOf(text, path);
  // What only supports cases is no case: it runs when it is named, and then says what it lacks.
  return kind !== undefined && (kind.id === 'toml' || !isSupport(kind.list(text, path).cases));
}

function isSupport(cases: readonly ListedCase[]): boolean {
  return cases.length > 0 && cases.every(({ lacks }) => lacks !== undefined);
}

/** The addresses of the cases in a file. Of a file that cannot be understood, its own: its run says why. */
function addressesIn(path: string): readonly string[] {
  const cases = listedIn(path).filter(({ lacks }) => lacks === undefined);
  if (cases.every(({ id }) => id === undefined)) return [path];
  return cases.map(({ id }) => writeCaseAddress({ path, ...(id === undefined ? {} : { id }) }));
}

function listedIn(path: string): readonly ListedCase[] {
  try {
    if (!statSync(path).isFile()) return [];
    const text = readFileSync(path, 'utf8');
    const kind = caseKindOf(text, path.replaceAll('\\', '/'));
    return kind === undefined || kind.id === 'toml' ? [] : kind.list(text, path.replaceAll('\\', '/')).cases;
  } catch (error) {
    // Its run says what is wrong with it.
    if (isSystemError(error)) return [];
    throw error;
  }
}
